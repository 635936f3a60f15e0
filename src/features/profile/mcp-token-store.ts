import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

export type McpTokenRow = { id: string; name: string; created_at: Date; last_used_at: Date | null; active: boolean };

/** How many of one user hold at a time. */
export const MOST_MCP_TOKENS = 50;

/** A token that is used all the time is not written all the time. */
const TOUCHED_SECONDS = 60;

const COLUMNS = sql.raw('id, name, created_at, last_used_at, revoked_at is null as active');

/** Newest first, those that were revoked included. */
export async function listMcpTokens(db: Db, userId: string): Promise<McpTokenRow[]> {
  const { rows } = await sql<McpTokenRow>`select ${COLUMNS} from mcp_tokens where user_id = ${userId} order by created_at desc, id`.execute(db);
  return rows;
}

/** Null when the user has as many as one may have. */
export async function insertMcpToken(
  tx: Tx,
  { id, userId, name, hash }: { id: string; userId: string; name: string; hash: string },
): Promise<McpTokenRow | null> {
  // One at a time per user, so that the count holds.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`mcp tokens ${userId}`}, 0))`.execute(tx);
  const { rows } = await sql<McpTokenRow>`
    insert into mcp_tokens (id, user_id, name, token_hash)
    select ${id}, ${userId}, ${name}, ${hash}
     where (select count(*) from mcp_tokens where user_id = ${userId} and revoked_at is null) < ${MOST_MCP_TOKENS}
    returning ${COLUMNS}`.execute(tx);
  // Of those that were revoked the latest are kept.
  await sql`
    delete from mcp_tokens where id in
      (select id from mcp_tokens where user_id = ${userId} and revoked_at is not null order by revoked_at desc, id offset ${MOST_MCP_TOKENS})`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** False when it is not the user's. One that was revoked before stays as it is. */
export async function revokeMcpToken(db: Db, userId: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update mcp_tokens set revoked_at = coalesce(revoked_at, now()) where id = ${id} and user_id = ${userId}`.execute(db);
  return numAffectedRows === 1n;
}

/** Whose token has this SHA-256 (hex), while it is active. */
export async function findMcpToken(db: Db, hash: string): Promise<{ userId: string; tokenId: string } | null> {
  const { rows } = await sql<{ userId: string; tokenId: string }>`
    select user_id as "userId", id as "tokenId" from mcp_tokens where token_hash = ${hash} and revoked_at is null`.execute(db);
  return rows[0] ?? null;
}

/** Notes that a token was used, to the minute. */
export async function touchMcpToken(db: Db, tokenId: string): Promise<void> {
  await sql`
    update mcp_tokens set last_used_at = now()
     where id = ${tokenId} and (last_used_at is null or last_used_at < now() - make_interval(secs => ${TOUCHED_SECONDS}))`.execute(db);
}

/**
 * What an anonymous owner minted is shown to the user they turned out to be, and holds no longer: whoever had the device
 * before must not reach the whole account.
 */
export async function transferMcpTokens(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update mcp_tokens set user_id = ${to}, revoked_at = coalesce(revoked_at, now()) where user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
