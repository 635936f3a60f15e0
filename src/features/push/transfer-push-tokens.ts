import type { Tx } from '#platform/db/database.ts';
import { transferDeliveries } from './delivery-store.ts';
import { transferDevices } from './device-store.ts';
import { transferPreferences } from './preference-store.ts';

/** Devices, what is said of them, and what was pushed, become another owner's. @returns how many devices */
export async function transferPushTokens(tx: Tx, from: string, to: string): Promise<number> {
  await transferPreferences(tx, from, to);
  await transferDeliveries(tx, from, to);
  return transferDevices(tx, from, to);
}
