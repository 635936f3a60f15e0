import { sql, type ColumnType, type Selectable } from 'kysely';
import { z } from 'zod';
import { OtherDevice, type PreferenceId } from '#features/push';
import type { Db, Tx } from '#platform/db/database.ts';
import { defineDocument } from '#platform/documents/define-document.ts';
import { documentColumns } from '#platform/documents/document-columns.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    notifications: NotificationsTable;
  }
}

/** What a push says that is yet to come, or was told. */
const Message = z.object({
  title: z.string(),
  body: z.string(),
  deeplink: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  also: z.array(OtherDevice),
});
type Message = z.output<typeof Message>;
export const storedMessage = defineDocument('notification', Message, { version: 1 });

type NotificationsTable = {
  id: string;
  owner_id: string;
  project_id: string | null;
  preference: PreferenceId | null;
  message: ColumnType<Message, string, never>;
  collapse_key: string | null;
  toast_id: string | null;
  held_until: Date | null;
  expires_at: Date | null;
  digested_at: ColumnType<Date | null, undefined, Date>;
  created_at: Date;
};

export type NotificationRow = Selectable<NotificationsTable>;

const withDocuments = documentColumns({ message: storedMessage });

/** The most that one digest counts. */
const MOST_IN_DIGEST = 500;
/** The most that is held of a user; of more the oldest go. */
const MOST_HELD = 50;
/** A digest looks back a week, and may come late. */
const KEPT_DAYS = 15;

/** Keeps a notification, in place of one with the same collapse key that is still held. */
export async function insertNotification(tx: Tx, row: Omit<NotificationRow, 'digested_at'>): Promise<void> {
  if (row.collapse_key !== null) {
    await tx
      .deleteFrom('notifications')
      .where('owner_id', '=', row.owner_id)
      .where('collapse_key', '=', row.collapse_key)
      .where('held_until', 'is not', null)
      .execute();
  }
  await tx
    .insertInto('notifications')
    .values({ ...row, message: storedMessage.write(row.message) })
    .execute();
  if (row.held_until === null) return;
  await sql`
    delete from notifications where owner_id = ${row.owner_id} and id in (
      select id from notifications where owner_id = ${row.owner_id} and held_until is not null
       order by created_at desc, id offset ${MOST_HELD})`.execute(tx);
}

export async function findNotification(db: Db, id: string): Promise<Pick<NotificationRow, 'owner_id' | 'held_until'> | null> {
  return (await db.selectFrom('notifications').select(['owner_id', 'held_until']).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Takes what is held of a user and may go now, the oldest first; whoever takes a row is the only one. */
export async function takeHeld(tx: Tx, userId: string, now: Date): Promise<NotificationRow[]> {
  const { rows } = await sql<NotificationRow>`
    with taken as (
      update notifications set held_until = null where owner_id = ${userId} and held_until <= ${now} returning *)
    select * from taken order by created_at`.execute(withDocuments(tx));
  return rows;
}

/** Gives what is held of a user another end; gives the id of one of them, null when nothing is held. */
export async function holdUntil(tx: Tx, userId: string, until: Date): Promise<string | null> {
  const held = await tx
    .updateTable('notifications')
    .set({ held_until: until })
    .where('owner_id', '=', userId)
    .where('held_until', 'is not', null)
    .returning('id')
    .execute();
  return held[0]?.id ?? null;
}

/** What a user's next digest tells, the oldest first. */
export const listUntold = (db: Db, userId: string): Promise<NotificationRow[]> =>
  withDocuments(db)
    .selectFrom('notifications')
    .selectAll()
    .where('owner_id', '=', userId)
    .where('digested_at', 'is', null)
    .where('held_until', 'is', null)
    .orderBy('created_at')
    .limit(MOST_IN_DIGEST)
    .execute();

/** Counts them as told; false when another digest did it before. */
export async function markDigested(tx: Tx, ids: readonly string[], now: Date): Promise<boolean> {
  const marked = await tx
    .updateTable('notifications')
    .set({ digested_at: now })
    .where('id', 'in', ids)
    .where('digested_at', 'is', null)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

/** Removes what no digest tells, once it is not held any more. */
export async function deletePushed(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('notifications').where('id', 'in', ids).execute();
}

/** Nobody is told any more of a project that is gone. */
export async function deleteNotificationsOfProject(tx: Tx, projectId: string): Promise<void> {
  await tx.deleteFrom('notifications').where('project_id', '=', projectId).execute();
}

export async function transferRows(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('notifications').set({ owner_id: to }).where('owner_id', '=', from).execute();
}

export async function deleteOldNotifications(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from notifications where created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
