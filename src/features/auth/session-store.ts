import type { ColumnType } from 'kysely';
import { sql } from 'kysely';
import { sha256 } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    sessions: SessionsTable;
    devices: DevicesTable;
    analytics_aliases: AliasesTable;
  }
}

type SessionsTable = {
  token_hash: string;
  user_id: string;
  name: string | null;
  email: string | null;
  created_at: ColumnType<Date, never, never>;
  expires_at: Date;
  revoked_at: Date | null;
};

type DevicesTable = {
  /** SHA-256 of the device id in hex: the id is a password. */
  device_id: string;
  anon_uuid: string;
  rebound_to: string | null;
  rebound_at: Date | null;
  created_at: ColumnType<Date, never, never>;
};

type AliasesTable = {
  anon_id: string;
  user_id: string;
  aliased_at: ColumnType<Date, undefined, never>;
  queued_at: ColumnType<Date, undefined>;
  delivered_at: ColumnType<Date | null, undefined>;
};

export type SessionRow = { userId: string; name: string | null; email: string | null; expiresAt: Date; revoked: boolean };

export async function insertSession(
  db: Db | Tx,
  session: { tokenHash: string; userId: string; name: string | null; email: string | null; expiresAt: Date },
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      name: session.name,
      email: session.email,
      expires_at: session.expiresAt,
      revoked_at: null,
    })
    .execute();
}

/** Expired sessions stay for a day, so that their bearers are told so. */
export async function findSession(db: Db, tokenHash: string): Promise<SessionRow | null> {
  const row = await db.selectFrom('sessions').selectAll().where('token_hash', '=', tokenHash).executeTakeFirst();
  if (!row) return null;
  return { userId: row.user_id, name: row.name, email: row.email, expiresAt: row.expires_at, revoked: row.revoked_at !== null };
}

/** The new end of a live session, or null when it has none any more. */
export async function extendSession(db: Db, tokenHash: string, now: Date, expiresAt: Date): Promise<Date | null> {
  const row = await db
    .updateTable('sessions')
    .set({ expires_at: expiresAt })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('expires_at')
    .executeTakeFirst();
  return row?.expires_at ?? null;
}

export async function markRevoked(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ revoked_at: now }).where('token_hash', '=', tokenHash).execute();
}

export async function deleteOldSessions(db: Db, before: Date): Promise<number> {
  const gone = await db.deleteFrom('sessions').where('expires_at', '<', before).executeTakeFirst();
  return Number(gone.numDeletedRows);
}

/** The anonymous principal of a device, made at its first visit. */
export async function anonymousOf(db: Db, deviceId: string, fresh: string): Promise<string> {
  const { rows } = await sql<{ anon_uuid: string }>`
    insert into devices (device_id, anon_uuid) values (${sha256(deviceId)}, ${fresh})
    on conflict (device_id) do update set device_id = excluded.device_id returning anon_uuid`.execute(db);
  return rows[0]?.anon_uuid ?? fresh;
}

export async function lockDevice(tx: Tx, deviceId: string): Promise<{ anonUuid: string; reboundTo: string | null } | null> {
  const row = await tx.selectFrom('devices').selectAll().where('device_id', '=', sha256(deviceId)).forUpdate().executeTakeFirst();
  return row ? { anonUuid: row.anon_uuid, reboundTo: row.rebound_to } : null;
}

export async function markRebound(tx: Tx, deviceId: string, userId: string, now: Date): Promise<void> {
  await tx.updateTable('devices').set({ rebound_to: userId, rebound_at: now }).where('device_id', '=', sha256(deviceId)).execute();
}

/** Once per anonymous id. */
export async function insertAlias(db: Db | Tx, anonId: string, userId: string): Promise<void> {
  await db
    .insertInto('analytics_aliases')
    .values({ anon_id: anonId, user_id: userId })
    .onConflict((conflict) => conflict.column('anon_id').doNothing())
    .execute();
}

/** Null when there is none, or it was delivered. */
export async function findUndelivered(db: Db, anonId: string): Promise<{ userId: string; at: Date } | null> {
  const row = await db
    .selectFrom('analytics_aliases')
    .select(['user_id', 'aliased_at'])
    .where('anon_id', '=', anonId)
    .where('delivered_at', 'is', null)
    .executeTakeFirst();
  return row ? { userId: row.user_id, at: row.aliased_at } : null;
}

export async function markDelivered(db: Db, anonId: string, now: Date): Promise<void> {
  await db.updateTable('analytics_aliases').set({ delivered_at: now }).where('anon_id', '=', anonId).execute();
}

/** Takes aliases that were queued before a moment and are undelivered yet; from now on they count as queued. */
export async function takeUndelivered(
  tx: Tx,
  { queuedBefore, writtenAfter, now }: { queuedBefore: Date; writtenAfter: Date; now: Date },
): Promise<{ anonId: string; userId: string }[]> {
  const rows = await tx
    .updateTable('analytics_aliases')
    .set({ queued_at: now })
    .where('delivered_at', 'is', null)
    .where('queued_at', '<', queuedBefore)
    .where('aliased_at', '>', writtenAfter)
    .returning(['anon_id', 'user_id'])
    .execute();
  return rows.map((row) => ({ anonId: row.anon_id, userId: row.user_id }));
}
