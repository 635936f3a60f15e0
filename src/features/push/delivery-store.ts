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

/** Keeps how a push to a device ended; the last ones of a user stay. */
export async function insertDelivery(db: Db, delivery: Omit<DeliveryRow, 'created_at'>): Promise<void> {
  await db
    .insertInto('push_deliveries')
    .values(delivery)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  await sql`
    delete from push_deliveries where owner_id = ${delivery.owner_id} and id in (
      select id from push_deliveries where owner_id = ${delivery.owner_id} order by created_at desc offset ${MOST_PER_USER})`.execute(db);
}

/** Whether this push to this device has ended. */
export async function hasEnded(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('push_deliveries').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Whether a push has ended for so many devices and has reached none of them. */
export async function isLost(db: Db, pushId: string, devices: number): Promise<boolean> {
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
