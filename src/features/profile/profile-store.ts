import { sql, type ColumnType, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { SecretBox } from '#platform/secret-box.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    profiles: ProfilesTable;
  }
}

export type Tier = 'free' | 'explorer' | 'plus' | 'pro' | 'early_access';

type ProfilesTable = {
  user_id: string;
  name: string;
  email: string;
  tier: ColumnType<Tier, undefined, Tier>;
  credits_used: ColumnType<number, undefined>;
  credits_total: ColumnType<number, undefined>;
  usage_period: ColumnType<string, undefined>;
  questions_used: ColumnType<number, undefined>;
  tts_seconds_used: ColumnType<number, undefined>;
  codehost_pat_sealed: string | null;
  llm_a_key_sealed: string | null;
  llm_b_key_sealed: string | null;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
};

export type ProfileRow = Selectable<ProfilesTable>;

/** The profile of a user, made on the first call; a name and address that came with the identity fill what is empty. */
export async function ensureProfile(db: Db, user: { userId: string; name: string | null; email: string | null }): Promise<ProfileRow> {
  const { rows } = await sql<ProfileRow>`
    insert into profiles as p (user_id, name, email) values (${user.userId}, ${user.name ?? ''}, ${user.email ?? ''})
    on conflict (user_id) do update set
      name = case when p.name = '' then excluded.name else p.name end,
      email = case when p.email = '' then excluded.email else p.email end
    returning *`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the profile was not written');
  return row;
}

/** Where a sealed value belongs: it opens nowhere else. */
export const keyPlace = (userId: string, provider: 'llm_a' | 'llm_b'): string => `profile ${userId} ${provider}`;

/** A user's own model keys, opened. */
export async function readModelKeys(db: Db, secrets: SecretBox, userId: string): Promise<{ llm_a: string | null; llm_b: string | null }> {
  const row = await db.selectFrom('profiles').select(['llm_a_key_sealed', 'llm_b_key_sealed']).where('user_id', '=', userId).executeTakeFirst();
  return {
    llm_a: row?.llm_a_key_sealed ? secrets.open(row.llm_a_key_sealed, keyPlace(userId, 'llm_a')) : null,
    llm_b: row?.llm_b_key_sealed ? secrets.open(row.llm_b_key_sealed, keyPlace(userId, 'llm_b')) : null,
  };
}

/** What was used moves along: onto the profile of the new owner, made if there is none yet. Of two months the later counts. */
export async function transferProfile(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into profiles as t (user_id, usage_period, credits_used, questions_used, tts_seconds_used)
    select ${to}, usage_period, credits_used, questions_used, tts_seconds_used
      from profiles where user_id = ${from} and credits_used + questions_used + tts_seconds_used > 0
    on conflict (user_id) do update set
      usage_period = greatest(t.usage_period, excluded.usage_period),
      credits_used = ${sumOfLater('credits_used')},
      questions_used = ${sumOfLater('questions_used')},
      tts_seconds_used = ${sumOfLater('tts_seconds_used')}`.execute(tx);
  await sql`update profiles set credits_used = 0, questions_used = 0, tts_seconds_used = 0 where user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

const sumOfLater = (column: 'credits_used' | 'questions_used' | 'tts_seconds_used') => sql`
  case when t.usage_period >= excluded.usage_period then t.${sql.ref(column)} else 0 end
  + case when excluded.usage_period >= t.usage_period then excluded.${sql.ref(column)} else 0 end`;
