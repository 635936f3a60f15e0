import { sql, type ColumnType, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import { sealedColumn } from '#platform/sealed-column.ts';
import type { AgentConfig } from './schema.ts';

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
  /** E.164, verified. */
  phone: ColumnType<string | null, undefined, string | null>;
  phone_linked_at: ColumnType<Date | null, undefined, Date | null>;
  autonomy_level: ColumnType<AgentConfig['autonomy_level'], undefined, AgentConfig['autonomy_level']>;
  auto_actions: ColumnType<AgentConfig['auto_actions'], undefined, AgentConfig['auto_actions']>;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
};

export type ProfileRow = Selectable<ProfilesTable>;

/** The secrets of a profile, and where they stand. */
export const SECRETS = { codehost_pat: 'codehost_pat_sealed', llm_a: 'llm_a_key_sealed', llm_b: 'llm_b_key_sealed' } as const;
export type Secret = keyof typeof SECRETS;
export type SecretColumn = (typeof SECRETS)[Secret];

export type ProfilePatch = Partial<Pick<ProfileRow, 'name' | SecretColumn | keyof AgentConfig>>;

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

/** Changes a profile that is there; gives it as it is then. */
export async function patchProfile(db: Db, userId: string, patch: ProfilePatch & { updated_at: Date }): Promise<ProfileRow> {
  return db.updateTable('profiles').set(patch).where('user_id', '=', userId).returningAll().executeTakeFirstOrThrow();
}

/** Where a sealed value belongs: it opens nowhere else. */
export const keyPlace = (userId: string, secret: Secret): string => `profile ${userId} ${secret}`;

export const sealedProfileColumns = Object.entries(SECRETS).map(([secret, column]) =>
  sealedColumn('profiles', column, 'user_id', (userId) => keyPlace(userId, secret as Secret)),
);

/** Secrets as they are stored: sealed, null where one is removed, absent where nothing is said. */
export function secretColumns(
  secrets: SecretBox,
  userId: string,
  given: Readonly<Record<Secret, string | null | undefined>>,
): Partial<Record<SecretColumn, string | null>> {
  const columns: Partial<Record<SecretColumn, string | null>> = {};
  for (const [secret, column] of Object.entries(SECRETS) as [Secret, SecretColumn][]) {
    const value = given[secret];
    if (value !== undefined) columns[column] = value === null ? null : secrets.seal(value, keyPlace(userId, secret));
  }
  return columns;
}

/** A user's own model keys, opened. */
export async function readModelKeys(db: Db, secrets: SecretBox, userId: string): Promise<{ llm_a: string | null; llm_b: string | null }> {
  const row = await db.selectFrom('profiles').select(['llm_a_key_sealed', 'llm_b_key_sealed']).where('user_id', '=', userId).executeTakeFirst();
  const opened = (secret: Secret, sealed: string | null | undefined) => (sealed ? secrets.open(sealed, keyPlace(userId, secret)) : null);
  return { llm_a: opened('llm_a', row?.llm_a_key_sealed), llm_b: opened('llm_b', row?.llm_b_key_sealed) };
}

/** A user's personal access token for their code host, opened. */
export async function readCodehostToken(db: Db, secrets: SecretBox, userId: string): Promise<string | null> {
  const row = await db.selectFrom('profiles').select('codehost_pat_sealed').where('user_id', '=', userId).executeTakeFirst();
  return row?.codehost_pat_sealed ? secrets.open(row.codehost_pat_sealed, keyPlace(userId, 'codehost_pat')) : null;
}

/** How far a user's agents may go by themselves; what holds for everybody where the user said nothing. */
export async function findAgentConfig(db: Db, userId: string): Promise<AgentConfig> {
  const row = await db.selectFrom('profiles').select(['autonomy_level', 'auto_actions']).where('user_id', '=', userId).executeTakeFirst();
  return row ?? { autonomy_level: 'suggest', auto_actions: [] };
}

/** Links a number to a user who has a profile, and to nobody else. */
export async function linkPhone(tx: Tx, userId: string, phone: string, now: Date): Promise<void> {
  // Whoever verifies it at the same moment waits, and then has it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`phone ${phone}`}, 0))`.execute(tx);
  await sql`update profiles set phone = null, phone_linked_at = null where phone = ${phone} and user_id <> ${userId}`.execute(tx);
  await tx.updateTable('profiles').set({ phone, phone_linked_at: now, updated_at: now }).where('user_id', '=', userId).execute();
}

export async function removePhone(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('profiles')
    .set({ phone: null, phone_linked_at: null, updated_at: now })
    .where('user_id', '=', userId)
    .where('phone', 'is not', null)
    .execute();
}

/** The number that a user has verified. */
export async function findPhone(db: Db | Tx, userId: string): Promise<string | null> {
  const row = await db.selectFrom('profiles').select('phone').where('user_id', '=', userId).executeTakeFirst();
  return row?.phone ?? null;
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
