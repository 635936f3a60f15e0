import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { localLedger, transferLocalCredits } from './local.ts';
import { MOST_CREDITS, UnknownCustomer } from './port.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db } = app.ctx;
afterAll(() => app.dispose());

const known = new Set<string>();
const ledger = localLedger({ db, isCustomer: async (userId) => known.has(userId) });
const never = new AbortController().signal;
const newCustomer = (): string => {
  const userId = `user-${randomUUID()}`;
  known.add(userId);
  return userId;
};
const adjust = (userId: string, amount: number, id: string = randomUUID(), currency = 'CRD') =>
  ledger.adjust({ id, userId, currency, amount }, never);
const balance = async (userId: string) => (await ledger.listBalances(userId, { includeEmpty: true, signal: never }))[0]?.balance;

describe('the ledger of the service', () => {
  it('has one currency', async () => {
    expect(await ledger.listCurrencies(never)).toEqual([
      { code: 'CRD', name: 'Credits', description: 'Granted by the operator.', productGrants: [] },
    ]);
    await expect(adjust(newCustomer(), 1, randomUUID(), 'GLD')).rejects.toMatchObject({ type: 'parameter_error' });
  });

  it('knows whom the service knows', async () => {
    await expect(ledger.listBalances('nobody', { includeEmpty: true, signal: never })).rejects.toBeInstanceOf(UnknownCustomer);
    await expect(adjust('nobody', 1)).rejects.toBeInstanceOf(UnknownCustomer);
  });

  it('adds and takes, and shows what is empty only when asked', async () => {
    const userId = newCustomer();
    const shown = () => ledger.listBalances(userId, { includeEmpty: false, signal: never });
    expect(await shown()).toEqual([]);
    expect(await adjust(userId, 5)).toBe(5);
    expect(await shown()).toEqual([{ code: 'CRD', name: 'Credits', balance: 5 }]);
    expect(await adjust(userId, -5)).toBe(0);
    expect(await shown()).toEqual([]);
  });

  it('never goes below zero or above the most, and keeps no entry of what it refused', async () => {
    const userId = newCustomer();
    await expect(adjust(userId, -1, 'below')).rejects.toMatchObject({ type: 'unprocessable_entity_error' });
    expect(await adjust(userId, MOST_CREDITS)).toBe(MOST_CREDITS);
    await expect(adjust(userId, 1)).rejects.toMatchObject({ type: 'unprocessable_entity_error' });
    await expect(adjust(userId, MOST_CREDITS)).rejects.toMatchObject({ type: 'unprocessable_entity_error' });
    expect(await adjust(userId, -1, 'below')).toBe(MOST_CREDITS - 1);
  });

  it('does once what is asked many times at once under one id', async () => {
    const userId = newCustomer();
    const id = randomUUID();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => adjust(userId, 7, id)));
    expect(new Set(outcomes)).toEqual(new Set([7]));
    await adjust(userId, 1);
    expect(await adjust(userId, 7, id)).toBe(7);
    expect(await balance(userId)).toBe(8);
  });

  it('adds up what comes at once', async () => {
    const userId = newCustomer();
    await Promise.all(Array.from({ length: 30 }, (_, n) => adjust(userId, n + 1)));
    const { rows } = await sql<{ sum: string }>`select sum(amount) as sum from local_credit_entries where user_id = ${userId}`.execute(db);
    expect(Number(rows[0]?.sum)).toBe(465);
    expect(await balance(userId)).toBe(465);
  });

  it('lets only so many deductions pass as there is balance for', async () => {
    const userId = newCustomer();
    await adjust(userId, 10);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => adjust(userId, -1)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await balance(userId)).toBe(0);
  });

  it('moves with its owner', async () => {
    const [from, to] = [newCustomer(), newCustomer()];
    await adjust(from, 3);
    await adjust(to, 4);
    await db.transaction().execute((tx) => transferLocalCredits(tx, from, to));
    expect([await balance(from), await balance(to)]).toEqual([0, 7]);
  });
});
