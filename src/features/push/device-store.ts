import { sql, type ColumnType, type Selectable } from 'kysely';
import { sha256 } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    push_devices: PushDevicesTable;
  }
}

type PushDevicesTable = {
  id: string;
  owner_id: string;
  kind: 'apns' | 'web_push';
  address: string;
  address_hash: string;
  environment: 'production' | 'sandbox';
  keys_sealed: string | null;
  registered_at: ColumnType<Date, undefined>;
};

export type DeviceRow = Selectable<PushDevicesTable>;
type NewDevice = Omit<DeviceRow, 'address_hash' | 'registered_at'>;

const MOST_PER_USER = 50;
/** An app registers whenever it starts. */
const KEPT_DAYS = 400;

type Address = Pick<DeviceRow, 'kind' | 'address'>;
const hashOf = ({ kind, address }: Address): string => sha256(`${kind} ${address}`);

/**
 * Registers a device, or once more; one of somebody else is this owner's from now on, under another id, so that nothing that
 * was queued for the other reaches it. Of too many the oldest go.
 */
export async function saveDevice(tx: Tx, device: NewDevice): Promise<void> {
  await sql`
    insert into push_devices as d (id, owner_id, kind, address, address_hash, environment, keys_sealed)
    values (${device.id}, ${device.owner_id}, ${device.kind}, ${device.address}, ${hashOf(device)}, ${device.environment}, ${device.keys_sealed})
    on conflict (address_hash) do update set
      id = case when d.owner_id = excluded.owner_id then d.id else excluded.id end,
      owner_id = excluded.owner_id, environment = excluded.environment, keys_sealed = excluded.keys_sealed, registered_at = clock_timestamp()`.execute(
    tx,
  );
  await sql`
    delete from push_devices where owner_id = ${device.owner_id} and id in (
      select id from push_devices where owner_id = ${device.owner_id} order by registered_at desc offset ${MOST_PER_USER})`.execute(tx);
}

export async function deleteDevice(db: Db, userId: string, address: Address): Promise<void> {
  await db.deleteFrom('push_devices').where('owner_id', '=', userId).where('address_hash', '=', hashOf(address)).execute();
}

export const listDevices = (db: Db | Tx, userId: string): Promise<DeviceRow[]> =>
  db.selectFrom('push_devices').selectAll().where('owner_id', '=', userId).orderBy('registered_at').execute();

/** The device that a push was queued for; null when it is gone or another's by now. */
export async function findDevice(db: Db, id: string): Promise<DeviceRow | null> {
  return (await db.selectFrom('push_devices').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Removes a device that takes no pushes any more, unless it has registered again since. */
export async function forgetDevice(db: Db, id: string, since: Date): Promise<void> {
  // An instant that went through JavaScript has lost its microseconds.
  await sql`delete from push_devices where id = ${id} and date_trunc('milliseconds', registered_at) <= ${since}`.execute(db);
}

export async function transferDevices(tx: Tx, from: string, to: string): Promise<number> {
  const moved = await tx.updateTable('push_devices').set({ owner_id: to }).where('owner_id', '=', from).executeTakeFirst();
  return Number(moved.numUpdatedRows);
}

export async function deleteOldDevices(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from push_devices where registered_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
