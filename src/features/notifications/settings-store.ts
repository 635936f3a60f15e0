import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Afterwards } from './schema.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    notification_settings: SettingsTable;
  }
}

type SettingsTable = {
  owner_id: string;
  time_zone: string;
  quiet_from: string | null;
  quiet_to: string | null;
  afterwards: Afterwards;
};

export type Settings = Omit<SettingsTable, 'owner_id'>;

/** Of who never said anything. */
const STANDARD: Settings = { time_zone: 'UTC', quiet_from: null, quiet_to: null, afterwards: 'push' };

export async function settingsOf(db: Db | Tx, userId: string): Promise<Settings> {
  const row = await db
    .selectFrom('notification_settings')
    .select(['time_zone', 'quiet_from', 'quiet_to', 'afterwards'])
    .where('owner_id', '=', userId)
    .executeTakeFirst();
  return row ?? STANDARD;
}

export async function saveSettings(tx: Tx, userId: string, settings: Settings): Promise<void> {
  await tx
    .insertInto('notification_settings')
    .values({ owner_id: userId, ...settings })
    .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(settings))
    .execute();
}

/** What the new owner said holds. */
export async function transferSettings(tx: Tx, from: string, to: string): Promise<void> {
  await sql`
    with gone as (delete from notification_settings where owner_id = ${from} returning *)
    insert into notification_settings (owner_id, time_zone, quiet_from, quiet_to, afterwards)
    select ${to}, time_zone, quiet_from, quiet_to, afterwards from gone
    on conflict (owner_id) do nothing`.execute(tx);
}
