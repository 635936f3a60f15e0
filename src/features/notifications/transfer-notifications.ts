import type { Tx } from '#platform/db/database.ts';
import { transferRows } from './notification-store.ts';
import { transferSettings } from './settings-store.ts';
import { transferSlug } from './slug-store.ts';

/** What a user was told, quiet hours and the personal push URL become another owner's. */
export async function transferNotifications(tx: Tx, from: string, to: string): Promise<void> {
  await transferRows(tx, from, to);
  await transferSettings(tx, from, to);
  await transferSlug(tx, from, to);
}
