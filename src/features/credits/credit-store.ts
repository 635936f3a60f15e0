import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

export type Grant = { id: string; userId: string; currency: string; amount: number; reason: string };

type BegunGrant = Pick<Grant, 'currency' | 'amount'> & { newBalance: number | null };

/** Writes a grant down before the provider is asked for it; gives the one of its id that is there, with its outcome if it has one. */
export async function beginGrant(db: Db, { id, userId, currency, amount, reason }: Grant): Promise<BegunGrant> {
  await sql`
    insert into credit_grants (id, user_id, currency, amount, reason) values (${id}, ${userId}, ${currency}, ${amount}, ${reason})
    on conflict (id) do nothing`.execute(db);
  const { rows } = await sql<{ currency: string; amount: number; new_balance: number | null }>`
    select currency, amount, new_balance from credit_grants where id = ${id}`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('the grant was not written');
  return { currency: row.currency, amount: row.amount, newBalance: row.new_balance };
}

/** Writes the outcome of a grant, unless it has one; gives the one that stands. */
export async function settleGrant(tx: Tx, id: string, newBalance: number): Promise<number> {
  const { rows } = await sql<{ new_balance: number }>`
    update credit_grants set status = 'done', new_balance = coalesce(new_balance, ${newBalance}) where id = ${id}
    returning new_balance`.execute(tx);
  return rows[0]?.new_balance ?? newBalance;
}

export async function transferGrants(tx: Tx, from: string, to: string): Promise<void> {
  await sql`update credit_grants set user_id = ${to} where user_id = ${from}`.execute(tx);
}
