import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { ProfileRow, Tier } from './profile-store.ts';
import { TIER_CAPS, type Caps } from './tiers.ts';

/** A month in UTC: `key` is `YYYY-MM`, and it ends where the next begins. */
export type Period = { key: string; resetsAt: Date };

/** What is counted of a user in a period. */
export type Counter = 'credits' | 'questions' | 'tts_seconds';
export type Used = Record<Counter, number>;

const COLUMNS = { credits: 'credits_used', questions: 'questions_used', tts_seconds: 'tts_seconds_used' } as const;

export const periodOf = (now: Date): Period => ({
  key: now.toISOString().slice(0, 7),
  resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
});

/** What a user may use: the tier's caps, of which a stored total of credits overrides that of the credits. */
export const capsOf = ({ tier, credits_total: total }: Pick<ProfileRow, 'tier' | 'credits_total'>): Caps => ({
  ...TIER_CAPS[tier],
  ...(total === 0 ? {} : { credits: total }),
});

type Counted = Pick<ProfileRow, 'usage_period' | 'credits_used' | 'questions_used' | 'tts_seconds_used'>;

/** What was used in the period; what was used in an earlier one counts no more. */
export function usedIn(row: Counted, { key }: Pick<Period, 'key'>): Used {
  if (row.usage_period < key) return { credits: 0, questions: 0, tts_seconds: 0 };
  return { credits: row.credits_used, questions: row.questions_used, tts_seconds: row.tts_seconds_used };
}

/** The credits of a profile in the current period. */
export const creditsOf = (row: ProfileRow, now: Date): { credits_used: number; credits_total: number } => ({
  credits_used: usedIn(row, periodOf(now)).credits,
  credits_total: capsOf(row).credits,
});

/** The profile of a user; null before the first call that makes it. */
export async function findProfile(db: Db | Tx, userId: string): Promise<ProfileRow | null> {
  return (await db.selectFrom('profiles').selectAll().where('user_id', '=', userId).executeTakeFirst()) ?? null;
}

/** How much of a counter a tier has. */
const capOf = (counter: Counter, caps: Caps): number => (counter === 'tts_seconds' ? caps.tts_minutes * 60 : caps[counter]);

/**
 * Counts what a user begins to use, as long as it stays within the cap: one statement, so that of two at the same moment
 * the second sees what the first left. False when it would not stay within. Makes the profile where there is none.
 */
export async function addUse(tx: Db | Tx, userId: string, { key }: Pick<Period, 'key'>, counter: Counter, amount: number): Promise<boolean> {
  const column = sql.ref(COLUMNS[counter]);
  const caps = Object.fromEntries(Object.entries(TIER_CAPS).map(([tier, of]) => [tier, capOf(counter, of)]));
  const capOfTier = sql`(${JSON.stringify(caps)}::jsonb ->> p.tier)::integer`;
  const cap = counter === 'credits' ? sql`case when p.credits_total = 0 then ${capOfTier} else p.credits_total end` : capOfTier;
  // A node whose clock is behind at the turn of the month does not take the others back.
  const kept = (name: string) => sql`case when p.usage_period >= excluded.usage_period then p.${sql.ref(name)} else 0 end`;
  const { numAffectedRows } = await sql`
    insert into profiles as p (user_id, usage_period, ${column})
    select ${userId}, ${key}, ${amount}::integer where ${amount}::integer <= ${capOf(counter, TIER_CAPS.free)}::integer
       or exists (select 1 from profiles where user_id = ${userId})
    on conflict (user_id) do update set
      usage_period = greatest(p.usage_period, excluded.usage_period),
      ${sql.join(Object.values(COLUMNS).map((name) => sql`${sql.ref(name)} = ${kept(name)} + excluded.${sql.ref(name)}`))}
    where ${kept(COLUMNS[counter])} + excluded.${column} <= ${cap}`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** Takes back what was counted in a period; once another has begun there is nothing to take back. */
export async function takeBackUse(tx: Tx, userId: string, { key }: Pick<Period, 'key'>, counter: Counter, amount: number): Promise<void> {
  const column = sql.ref(COLUMNS[counter]);
  await sql`
    update profiles set ${column} = greatest(0, ${column} - ${amount}::integer) where user_id = ${userId} and usage_period = ${key}`.execute(tx);
}

/** Sets what a user is subscribed to, on a profile that is made where there is none; false when nothing changed. */
export async function setTier(tx: Tx, userId: string, tier: Tier): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into profiles as p (user_id, tier)
    select ${userId}, ${tier} where ${tier} <> 'free' or exists (select 1 from profiles where user_id = ${userId})
    on conflict (user_id) do update set tier = excluded.tier, updated_at = now() where p.tier <> excluded.tier`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}
