import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    toast_devices: ToastDevicesTable;
  }
}

type ToastDevicesTable = {
  user_id: string;
  device_id: string;
  /** Null for the app of the service itself. */
  bundle_id: string | null;
  apns_device_token: string | null;
  apns_environment: 'sandbox' | 'production';
  apns_fallback_enabled: boolean;
  updated_at: Date;
};

export type ToastDevice = Selectable<ToastDevicesTable>;

const MOST_PER_USER = 50;

/** Writes a device; a push token is its last owner's alone, whoever had it before. Of too many the oldest go. */
export async function saveDevice(tx: Tx, device: ToastDevice): Promise<void> {
  if (device.apns_device_token !== null) {
    await tx
      .updateTable('toast_devices')
      .set({ apns_device_token: null })
      .where('apns_device_token', '=', device.apns_device_token)
      .where('apns_environment', '=', device.apns_environment)
      .where((is) => is.or([is('user_id', '<>', device.user_id), is('device_id', '<>', device.device_id)]))
      .execute();
  }
  await tx
    .insertInto('toast_devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['user_id', 'device_id']).doUpdateSet(device))
    .execute();
  await sql`
    delete from toast_devices where user_id = ${device.user_id} and device_id in (
      select device_id from toast_devices where user_id = ${device.user_id} order by updated_at desc, device_id offset ${MOST_PER_USER})`.execute(tx);
}

/** A device to which toasts become pushes. */
export type FallbackDevice = Pick<ToastDevice, 'device_id' | 'bundle_id' | 'apns_environment'> & { apns_device_token: string };

/** The user's devices that take pushes instead of toasts. */
export async function listFallbackDevices(db: Db, userId: string): Promise<FallbackDevice[]> {
  const rows = await db
    .selectFrom('toast_devices')
    .select(['device_id', 'bundle_id', 'apns_environment', 'apns_device_token'])
    .where('user_id', '=', userId)
    .where('apns_fallback_enabled', '=', true)
    .orderBy('device_id')
    .execute();
  return rows.flatMap((row) => (row.apns_device_token === null ? [] : [{ ...row, apns_device_token: row.apns_device_token }]));
}

/** A push token that is gone is used no more, unless its device has registered again since. */
export async function forgetDeviceToken(db: Db, gone: { token: string; environment: 'sandbox' | 'production'; since: Date }): Promise<void> {
  await db
    .updateTable('toast_devices')
    .set({ apns_device_token: null })
    .where('apns_device_token', '=', gone.token)
    .where('apns_environment', '=', gone.environment)
    .where('updated_at', '<=', gone.since)
    .execute();
}

/** A device that both have is the new owner's already; the other's row goes. */
export async function transferDevices(tx: Tx, from: string, to: string): Promise<number> {
  await sql`
    delete from toast_devices d where user_id = ${from}
       and exists (select from toast_devices o where o.user_id = ${to} and o.device_id = d.device_id)`.execute(tx);
  const moved = await tx.updateTable('toast_devices').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(moved.numUpdatedRows);
}

export async function deleteOldDevices(db: Db, before: Date): Promise<number> {
  const gone = await db.deleteFrom('toast_devices').where('updated_at', '<', before).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
