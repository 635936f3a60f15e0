import { sql } from 'kysely';
import { conflict } from '../../lib/errors.ts';
import { sha256 } from '../../lib/ids.ts';
import type { Db, Tx } from '../db/database.ts';

/** An `Idempotency-Key` as it came with a request: scoped to user and route, kept for 24 hours. */
export type IdempotentRequest = { userId: string; route: string; key: string; request: unknown };

const KEPT = sql`interval '24 hours'`;

/**
 * The resource that an earlier request with this key made, or null.
 * @throws AppError 409 when the key came with a different request
 */
export async function replayOf(db: Db | Tx, { userId, route, key, request }: IdempotentRequest): Promise<string | null> {
  const { rows } = await sql<{ request_hash: string; resource_id: string }>`
    select request_hash, resource_id from idempotency_keys
     where user_id = ${userId} and route = ${route} and key = ${key} and created_at > now() - ${KEPT}`.execute(db);
  const row = rows[0];
  if (!row) return null;
  if (row.request_hash !== hashOf(request)) throw conflict('The Idempotency-Key was used for a different request');
  return row.resource_id;
}

/** Makes requests with the same key wait for each other until the transaction ends. */
export async function lockKey(tx: Tx, { userId, route, key }: IdempotentRequest): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`idempotency ${userId} ${route} ${key}`}, 0))`.execute(tx);
}

/** Remembers the resource under the key; an expired or outdated entry is replaced. */
export async function rememberKey(tx: Tx, { userId, route, key, request }: IdempotentRequest, resourceId: string): Promise<void> {
  await sql`
    insert into idempotency_keys (user_id, route, key, request_hash, resource_id)
    values (${userId}, ${route}, ${key}, ${hashOf(request)}, ${resourceId})
    on conflict (user_id, route, key) do update
      set request_hash = excluded.request_hash, resource_id = excluded.resource_id, created_at = now()`.execute(tx);
}

export async function deleteOldKeys(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from idempotency_keys where created_at <= now() - ${KEPT}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

const hashOf = (request: unknown): string => sha256(JSON.stringify(request));
