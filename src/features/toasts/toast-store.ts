import { sql, type ColumnType, type Selectable } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '#platform/db/database.ts';
import { documentColumns } from '#platform/documents/document-columns.ts';
import { defineDocument } from '#platform/documents/define-document.ts';
import { ownTopicOf } from './topics.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    toasts: ToastsTable;
  }
}

/** What a publisher gives along for its own clients. */
export const storedMetadata = defineDocument('toast metadata', z.record(z.string(), z.unknown()), { version: 1 });

type ToastsTable = {
  id: string;
  sequence: ColumnType<string, never, never>;
  user_id: string;
  topic: string;
  title: string;
  body: string | null;
  style: string;
  priority: string;
  duration_ms: number;
  deeplink: string | null;
  metadata: ColumnType<Record<string, unknown> | null, string | null>;
  dedupe_key: string | null;
  collapse_key: string | null;
  created_at: Date;
  expires_at: Date;
  sent_at: ColumnType<Date | null, undefined, Date | null>;
  replaced: ColumnType<boolean, undefined, true>;
};

const SHOWN = [
  'id',
  'topic',
  'title',
  'body',
  'style',
  'priority',
  'duration_ms',
  'deeplink',
  'metadata',
  'created_at',
  'expires_at',
  'sent_at',
  'replaced',
] as const;

export type ToastRow = Pick<Selectable<ToastsTable>, (typeof SHOWN)[number]>;
export type NewToast = Omit<Selectable<ToastsTable>, 'sequence' | 'sent_at' | 'replaced'>;

const withDocuments = documentColumns({ metadata: storedMetadata });

/** Serialises what is published to one user, until the transaction ends. */
export async function lockToastsOf(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('toasts ' || ${userId}, 0))`.execute(tx);
}

/** The newest toast of a user that was published with a key after an instant. */
export async function findByDedupeKey(tx: Tx, userId: string, dedupeKey: string, since: Date): Promise<ToastRow | null> {
  const row = await withDocuments(tx)
    .selectFrom('toasts')
    .select(SHOWN)
    .where('user_id', '=', userId)
    .where('dedupe_key', '=', dedupeKey)
    .where('created_at', '>', since)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** What waits of a user under a key waits no more and is not listed; its dedupe key still holds. */
export async function replaceWaiting(tx: Tx, userId: string, collapseKey: string, now: Date): Promise<void> {
  await tx
    .updateTable('toasts')
    .set({ sent_at: now, replaced: true })
    .where('user_id', '=', userId)
    .where('collapse_key', '=', collapseKey)
    .where('sent_at', 'is', null)
    .execute();
}

export async function insertToast(tx: Tx, toast: NewToast): Promise<void> {
  const metadata = toast.metadata && storedMetadata.write(toast.metadata);
  await tx
    .insertInto('toasts')
    .values({ ...toast, metadata })
    .execute();
}

/** Of what waits of a user only the newest stay of use; the others are listed and no longer sent. */
export async function keepNewestWaiting(tx: Tx, userId: string, most: number, now: Date): Promise<void> {
  await sql`
    update toasts set expires_at = least(expires_at, ${now})
     where user_id = ${userId} and sent_at is null and expires_at > ${now}
       and sequence <= (select sequence from toasts where user_id = ${userId} and sent_at is null and expires_at > ${now}
                         order by sequence desc offset ${most} limit 1)`.execute(tx);
}

/** Takes what waits of a user under some topics and is still of use, in the order of publishing; whoever takes a toast is the only one. */
export async function takeWaiting(db: Db, userId: string, topics: readonly string[], now: Date): Promise<ToastRow[]> {
  const { rows } = await sql<ToastRow & { sequence: string }>`
    with taken as (
      update toasts set sent_at = ${now}
       where user_id = ${userId} and sent_at is null and expires_at > ${now} and topic = any(${[...topics]}::text[])
      returning sequence, ${sql.join(SHOWN.map((column) => sql.ref(column)))})
    select * from taken order by sequence`.execute(withDocuments(db));
  return rows;
}

/** Takes one that waits, for something else than a socket; false when it does not wait any more or is of no use. */
export async function takeOne(db: Db | Tx, userId: string, id: string, now: Date): Promise<boolean> {
  const taken = await db
    .updateTable('toasts')
    .set({ sent_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return taken.numUpdatedRows > 0n;
}

/** What was taken and reached nobody waits again. */
export async function putBack(db: Db | Tx, userId: string, ids: readonly string[]): Promise<void> {
  await db.updateTable('toasts').set({ sent_at: null }).where('user_id', '=', userId).where('id', 'in', ids).execute();
}

export async function findToast(db: Db, userId: string, id: string): Promise<ToastRow | null> {
  const row = await withDocuments(db).selectFrom('toasts').select(SHOWN).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The user's toasts, newest first. */
export const listToasts = (db: Db, userId: string, limit: number): Promise<ToastRow[]> =>
  withDocuments(db)
    .selectFrom('toasts')
    .select(SHOWN)
    .where('user_id', '=', userId)
    .where('replaced', '=', false)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();

/** What was published under a topic of the earlier owner is under the new one's: nobody else may follow it any more. */
export async function transferToasts(tx: Tx, from: string, to: string): Promise<number> {
  const [earlier, own] = [ownTopicOf(from), ownTopicOf(to)];
  const { numAffectedRows } = await sql`
    update toasts set user_id = ${to},
      topic = case when topic = ${earlier} or starts_with(topic, ${`${earlier}:`}) then ${own} || substr(topic, ${earlier.length + 1}::int) else topic end
     where user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export async function deleteOldToasts(db: Db, before: Date): Promise<number> {
  const gone = await db.deleteFrom('toasts').where('created_at', '<', before).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
