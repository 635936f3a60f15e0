import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { BillingFailure, MOST_CREDITS, UnknownCustomer, type Adjustment, type Balance, type BillingProvider } from './port.ts';

const CREDITS = { code: 'CRD', name: 'Credits' } as const;

type Needs = { db: Db; /** Whether a user is known here. */ isCustomer(userId: string): Promise<boolean> };

/** Credits in the service's own database, one currency; nobody can buy any. */
export function localLedger({ db, isCustomer }: Needs): BillingProvider {
  const requireCustomer = async (userId: string): Promise<void> => {
    if (!(await isCustomer(userId))) throw new UnknownCustomer();
  };
  return {
    listCurrencies: async () => [{ ...CREDITS, description: 'Granted by the operator.', productGrants: [] }],
    listBalances: async (userId, { includeEmpty }) => {
      await requireCustomer(userId);
      const { rows } = await sql<{ balance: number }>`
        select balance from local_credit_accounts where user_id = ${userId} and currency = ${CREDITS.code}`.execute(db);
      const balances: Balance[] = [{ ...CREDITS, balance: rows[0]?.balance ?? 0 }];
      return balances.filter(({ balance }) => includeEmpty || balance !== 0);
    },
    adjust: async (adjustment) => {
      await requireCustomer(adjustment.userId);
      if (adjustment.currency !== CREDITS.code) throw new BillingFailure('parameter_error');
      return db.transaction().execute((tx) => adjust(tx, adjustment));
    },
  };
}

/** Whoever comes second with an id waits for the first, and gets its outcome. */
async function adjust(tx: Tx, { id, userId, currency, amount }: Adjustment): Promise<number> {
  const entered = await sql`
    insert into local_credit_entries (id, user_id, currency, amount) values (${id}, ${userId}, ${currency}, ${amount})
    on conflict (id) do nothing`.execute(tx);
  if (!entered.numAffectedRows) {
    const { rows } = await sql<{ balance: number }>`select balance from local_credit_entries where id = ${id}`.execute(tx);
    return rows[0]?.balance ?? 0;
  }
  await sql`
    insert into local_credit_accounts (user_id, currency, balance) values (${userId}, ${currency}, 0) on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ balance: number }>`
    update local_credit_accounts set balance = balance + ${amount}::integer
     where user_id = ${userId} and currency = ${currency} and balance::bigint + ${amount}::integer between 0 and ${MOST_CREDITS}
    returning balance`.execute(tx);
  const balance = rows[0]?.balance;
  // Takes the entry back with the transaction.
  if (balance === undefined) throw new BillingFailure('unprocessable_entity_error');
  await sql`update local_credit_entries set balance = ${balance} where id = ${id}`.execute(tx);
  return balance;
}

/** Moves what a user has to another one, who keeps what was there. */
export async function transferLocalCredits(tx: Tx, from: string, to: string): Promise<void> {
  await sql`
    insert into local_credit_accounts as a (user_id, currency, balance)
    select ${to}, currency, balance from local_credit_accounts where user_id = ${from}
    on conflict (user_id, currency) do update set balance = least(${MOST_CREDITS}, a.balance::bigint + excluded.balance)::integer`.execute(tx);
  await sql`delete from local_credit_accounts where user_id = ${from}`.execute(tx);
  await sql`update local_credit_entries set user_id = ${to} where user_id = ${from}`.execute(tx);
}
