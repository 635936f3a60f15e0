import { sql, type ColumnType, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    push_deliveries: PushDeliveriesTable;
  }
}

type PushDeliveriesTable = {
  id: string;
  push_id: string;
  owner_id: string;
  via: string;
  title: string;
  body: string;
  deeplink: string | null;
  outcome: 'accepted' | 'recorded' | 'gone' | 'refused' | 'expired' | 'failed';
  reason: string | null;
  created_at: ColumnType<Date, undefined>;
};

export type DeliveryRow = Selectable<PushDeliveriesTable>;

const MOST_PER_USER = 100;
const KEPT_DAYS = 30;

/** Of the devices of one push one ends after the other, until the transaction ends: the last one sees how all of them did. */
export async function lockPush(tx: Tx, pushId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('push ' || ${pushId}, 0))`.execute(tx);
}

/** Keeps how a push to a device ended; the last ones of a user stay. False when it had ended before. */
export async function insertDelivery(tx: Tx, delivery: Omit<DeliveryRow, 'created_at'>): Promise<boolean> {
  const inserted = await tx
    .insertInto('push_deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  await sql`
    delete from push_deliveries where owner_id = ${delivery.owner_id} and id in (
      select id from push_deliveries where owner_id = ${delivery.owner_id} order by created_at desc offset ${MOST_PER_USER})`.execute(tx);
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Whether this push to this device has ended. */
export async function hasEnded(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('push_deliveries').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Whether a push has ended for so many devices and has reached none of them. */
export async function isLost(db: Db | Tx, pushId: string, devices: number): Promise<boolean> {
  const ended = await db.selectFrom('push_deliveries').select('outcome').where('push_id', '=', pushId).execute();
  return ended.length >= devices && !ended.some(({ outcome }) => outcome === 'accepted' || outcome === 'recorded');
}

/** The last pushes to a user, newest first. */
export const listDeliveries = (db: Db, userId: string, limit: number): Promise<DeliveryRow[]> =>
  db.selectFrom('push_deliveries').selectAll().where('owner_id', '=', userId).orderBy('created_at', 'desc').limit(limit).execute();

export async function transferDeliveries(tx: Tx, from: string, to: string): Promise<void> {
  await tx.updateTable('push_deliveries').set({ owner_id: to }).where('owner_id', '=', from).execute();
}

export async function deleteOldDeliveries(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from push_deliveries where created_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
