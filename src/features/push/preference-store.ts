import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import { LABELS, PreferenceId, type Preference } from './schema.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    push_preferences: { owner_id: string; id: string; enabled: boolean };
  }
}

/** What a user is told of: everything, but what they changed. */
export async function preferencesOf(db: Db | Tx, userId: string): Promise<Preference[]> {
  const changed = await db.selectFrom('push_preferences').select(['id', 'enabled']).where('owner_id', '=', userId).execute();
  const enabled = new Map(changed.map((row) => [row.id, row.enabled]));
  return PreferenceId.options.map((id) => ({ id, label: LABELS[id], enabled: enabled.get(id) ?? true }));
}

/** Whether a user is told of it. */
export async function isEnabled(db: Db | Tx, userId: string, id: PreferenceId): Promise<boolean> {
  const row = await db.selectFrom('push_preferences').select('enabled').where('owner_id', '=', userId).where('id', '=', id).executeTakeFirst();
  return row?.enabled ?? true;
}

export async function setPreference(db: Db, userId: string, id: PreferenceId, enabled: boolean): Promise<void> {
  await db
    .insertInto('push_preferences')
    .values({ owner_id: userId, id, enabled })
    .onConflict((conflict) => conflict.columns(['owner_id', 'id']).doUpdateSet({ enabled }))
    .execute();
}

export async function resetPreference(db: Db, userId: string, id: PreferenceId): Promise<void> {
  await db.deleteFrom('push_preferences').where('owner_id', '=', userId).where('id', '=', id).execute();
}

/** What the new owner said holds. */
export async function transferPreferences(tx: Tx, from: string, to: string): Promise<void> {
  await sql`
    with gone as (delete from push_preferences where owner_id = ${from} returning id, enabled)
    insert into push_preferences (owner_id, id, enabled) select ${to}, id, enabled from gone
    on conflict (owner_id, id) do nothing`.execute(tx);
}
