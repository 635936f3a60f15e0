import { sql } from 'kysely';
import type { Counter } from '#features/profile';
import type { Db, Tx } from '#platform/db/database.ts';

export type Charge = { ref: string; userId: string; work: string; counter: Counter; amount: number; period: string };

/** False when the piece of work was charged before. */
export async function insertCharge(tx: Tx, { ref, userId, work, counter, amount, period }: Charge): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into usage_charges (ref, user_id, work, counter, amount, period)
    values (${ref}, ${userId}, ${work}, ${counter}, ${amount}, ${period}) on conflict (ref) do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n) > 0;
}

/** The charge of a piece of work, marked as given back; null when there is none, or it was given back before. */
export async function markGivenBack(tx: Tx, ref: string): Promise<Pick<Charge, 'userId' | 'counter' | 'amount' | 'period'> | null> {
  const { rows } = await sql<{ user_id: string; counter: Counter; amount: number; period: string }>`
    update usage_charges set given_back_at = now() where ref = ${ref} and given_back_at is null
    returning user_id, counter, amount, period`.execute(tx);
  const row = rows[0];
  return row ? { userId: row.user_id, counter: row.counter, amount: row.amount, period: row.period } : null;
}

export async function transferCharges(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update usage_charges set user_id = ${to} where user_id = ${from}`.execute(tx);
}

export async function deleteOldCharges(db: Db, days: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from usage_charges where charged_at < now() - make_interval(days => ${days})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
