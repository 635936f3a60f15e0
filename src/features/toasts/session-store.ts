import type { Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    toast_sessions: ToastSessionsTable;
  }
}

type ToastSessionsTable = {
  /** SHA-256 of the token in hex. */
  token_hash: string;
  user_id: string;
  device_id: string;
  /** Null for the app of the service itself. */
  bundle_id: string | null;
  topics: string[];
  session_id: string | null;
  identity_expires_at: Date | null;
  expires_at: Date;
};

export type ToastSession = Selectable<ToastSessionsTable>;

export async function insertToastSession(db: Db, session: ToastSession): Promise<void> {
  await db.insertInto('toast_sessions').values(session).execute();
}

export async function findToastSession(db: Db, tokenHash: string, now: Date): Promise<ToastSession | null> {
  const row = await db.selectFrom('toast_sessions').selectAll().where('token_hash', '=', tokenHash).where('expires_at', '>', now).executeTakeFirst();
  return row ?? null;
}

/** What a device's anonymous owner was let in with ends with that owner: the client asks for a token as the user it is now. */
export async function endToastSessions(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('toast_sessions').where('user_id', '=', userId).execute();
}

export async function deleteOldToastSessions(db: Db, now: Date): Promise<number> {
  const gone = await db.deleteFrom('toast_sessions').where('expires_at', '<=', now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
