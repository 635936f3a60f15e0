import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { BILLING_ACCESS, openBillingServer, type BillingFault } from '#testing/billing-server.ts';
import { BillingFailure, UnknownCustomer } from './port.ts';
import { revenueCat } from './revenuecat.ts';

const server = await openBillingServer();
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.requests.length = 0;
  server.faults.length = 0;
});

const waited: number[] = [];
const provider = revenueCat({ baseUrl: server.baseUrl, ...BILLING_ACCESS }, { milliseconds: 5000, pause: async (ms) => void waited.push(ms) });
const never = new AbortController().signal;
const all = { includeEmpty: true, signal: never };
const user = (id: string, balances: Record<string, number> = {}): string => {
  server.customers.set(id, new Map(Object.entries(balances)));
  return id;
};

describe('RevenueCat', () => {
  it('lists currencies over all pages, one product at a time', async () => {
    const grants = [{ product_ids: ['a', 'b'], amount: 5, trial_amount: 0, expire_at_cycle_end: false }];
    server.currencies = ['C1', 'C2', 'C3'].map((code) => ({
      object: 'virtual_currency',
      code,
      name: code,
      description: null,
      product_grants: grants,
    }));
    const currencies = await provider.listCurrencies(never);
    expect(currencies.map(({ code }) => code)).toEqual(['C1', 'C2', 'C3']);
    expect(currencies[0]).toEqual({
      code: 'C1',
      name: 'C1',
      description: '',
      productGrants: ['a', 'b'].map((productId) => ({ productId, amount: 5 })),
    });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${BILLING_ACCESS.apiKey}`));
  });

  it('reads a balance that stands on the second page', async () => {
    const id = user('pages', { A: 1, B: 0, C: 2, CRD: 9 });
    expect(await provider.listBalances(id, { includeEmpty: false, signal: never })).toEqual([
      { code: 'A', name: 'A coins', balance: 1 },
      { code: 'C', name: 'C coins', balance: 2 },
      { code: 'CRD', name: 'CRD coins', balance: 9 },
    ]);
    expect((await provider.listBalances(id, all)).map(({ code }) => code)).toEqual(['A', 'B', 'C', 'CRD']);
  });

  it('stays at its address whatever the next page is said to be', async () => {
    const id = user('elsewhere');
    const items = [{ currency_code: 'A', balance: 1 }];
    server.faults.push({ status: 200, body: { items, next_page: 'http://127.0.0.1:1/v2/other?starting_after=2' } });
    expect(await provider.listBalances(id, all)).toEqual([{ code: 'A', name: 'A', balance: 1 }]);
    expect(server.requests.map(({ path }) => path)).toEqual(Array(2).fill(`/v2/projects/proj1/customers/${id}/virtual_currencies`));
    server.faults.push(...Array.from({ length: 100 }, () => ({ status: 200, body: { items: [], next_page: '/same?starting_after=1' } })));
    await expect(provider.listBalances(id, all)).rejects.toMatchObject({ type: 'invalid_response' });
  });

  it('adjusts a balance once, however often it is asked under one id', async () => {
    const id = user('adjusted', { CRD: 10 });
    const adjustment = { id: 'adjust-1', userId: id, currency: 'CRD', amount: -3 };
    expect(await provider.adjust(adjustment, never)).toBe(7);
    expect(await provider.adjust(adjustment, never)).toBe(7);
    expect(server.customers.get(id)?.get('CRD')).toBe(7);
    expect(server.requests[0]).toMatchObject({ method: 'POST', headers: { 'idempotency-key': 'adjust-1' }, body: { adjustments: { CRD: -3 } } });
  });

  it('does not adjust twice when the answer was lost', async () => {
    const id = user('lost', { CRD: 10 });
    server.faults.push({ how: 'lost' });
    expect(await provider.adjust({ id: 'lost-1', userId: id, currency: 'CRD', amount: 5 }, never)).toBe(15);
    expect(server.customers.get(id)?.get('CRD')).toBe(15);
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['lost-1', 'lost-1']);
  });

  it('names what a refusal is, and nothing else of it', async () => {
    const id = user('poor', { CRD: 1 });
    const refused = await provider.adjust({ id: 'poor-1', userId: id, currency: 'CRD', amount: -2 }, never).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BillingFailure);
    expect(refused).toMatchObject({ type: 'unprocessable_entity_error', retryAt: undefined });
    expect(String((refused as Error).message)).not.toContain('told in words');
    expect(server.requests).toHaveLength(1);
  });

  it.each(['nobody', '.', '..', '...', ''])('does not know the customer "%s"', async (id) => {
    await expect(provider.listBalances(id, all)).rejects.toBeInstanceOf(UnknownCustomer);
    await expect(provider.adjust({ id: 'n', userId: id, currency: 'CRD', amount: 1 }, never)).rejects.toBeInstanceOf(UnknownCustomer);
  });

  it('asks for nobody else, whatever a name holds', async () => {
    const id = user('a/../b?c=1#d %2e\u{1f600}', { CRD: 4 });
    expect(await provider.listBalances(id, all)).toEqual([{ code: 'CRD', name: 'CRD coins', balance: 4 }]);
  });

  it('does not take a missing project for a missing customer', async () => {
    const elsewhere = revenueCat({ baseUrl: server.baseUrl, apiKey: BILLING_ACCESS.apiKey, projectId: 'other' });
    await expect(elsewhere.listCurrencies(never)).rejects.toMatchObject({ name: 'Absent', type: 'resource_missing' });
    const stranger = revenueCat({ baseUrl: server.baseUrl, apiKey: 'sk_wrong', projectId: 'proj1' });
    await expect(stranger.listCurrencies(never)).rejects.toMatchObject({ type: 'authentication_error' });
  });
});

describe('a passing failure', () => {
  it.each<[string, BillingFault]>([
    ['423', { status: 423, body: { type: 'resource_locked_error', retryable: true, backoff_ms: 300 } }],
    ['429 with backoff_ms', { status: 429, body: { type: 'rate_limit_error', retryable: true, backoff_ms: 300 } }],
    ['429 with Retry-After', { status: 429, headers: { 'retry-after': '1' } }],
    ['500', { status: 500 }],
    ['503', { status: 503, body: 'no object' }],
    ['a connection that ends', { how: 'reset' }],
    ['an answer that is cut', { how: 'truncated' }],
  ])('is tried again: %s', async (_name, fault) => {
    const id = user('again', { CRD: 1 });
    server.faults.push(fault, fault);
    expect(await provider.listBalances(id, all)).toHaveLength(1);
    expect(server.requests).toHaveLength(3);
  });

  it('waits as long as it is told', async () => {
    waited.length = 0;
    const id = user('told');
    server.faults.push({ status: 429, body: { type: 'rate_limit_error', backoff_ms: 1234 } });
    await provider.listBalances(id, all);
    expect(waited).toEqual([1234]);
  });

  it('is told with the moment to try again, where that is too far away to wait for', async () => {
    const id = user('later');
    server.faults.push({ status: 429, headers: { 'retry-after': '90' }, body: { type: 'rate_limit_error', retryable: true } });
    const before = Date.now();
    const failure = (await provider.listBalances(id, all).catch((error: unknown) => error)) as BillingFailure;
    expect(failure.type).toBe('rate_limit_error');
    expect((failure.retryAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(90_000);
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, BillingFault, string]>([
    ['500', { status: 500, body: { type: 'Server <b>Error</b>' } }, 'http_500'],
    ['a reset', { how: 'reset' }, 'network_error'],
  ])('ends after three tries: %s', async (_name, fault, type) => {
    server.faults.push(fault, fault, fault);
    await expect(provider.listBalances(user('down'), all)).rejects.toMatchObject({ type });
    expect(server.requests).toHaveLength(3);
  });
});

describe('what is no answer', () => {
  it.each<[string, BillingFault, string]>([
    ['no JSON', { how: 'garbage' }, 'invalid_response'],
    ['another shape', { status: 200, body: { items: [{ balance: 'much' }] } }, 'invalid_response'],
    ['too much', { how: 'endless' }, 'invalid_response'],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'http_302'],
  ])('fails at once: %s', async (_name, fault, type) => {
    server.faults.push(fault);
    await expect(provider.listBalances(user('odd'), all)).rejects.toMatchObject({ type });
    expect(server.requests).toHaveLength(1);
  });

  it('is not waited for', async () => {
    const hasty = revenueCat({ baseUrl: server.baseUrl, ...BILLING_ACCESS }, { milliseconds: 50 });
    server.faults.push({ how: 'hang' });
    await expect(hasty.listBalances(user('slow'), all)).rejects.toMatchObject({ type: 'timeout' });
  });

  it('is not waited for by whoever leaves', async () => {
    const leaving = new AbortController();
    server.faults.push({ how: 'hang' });
    const asked = provider.listBalances(user('left'), { includeEmpty: true, signal: leaving.signal });
    leaving.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
  });
});

describe('subscriptions', () => {
  const served = (more: object) => ({
    object: 'subscription',
    product_id: 'prod1',
    store_subscription_identifier: 'GPA.1..4',
    status: 'active',
    gives_access: true,
    current_period_ends_at: 1000,
    ends_at: 2000,
    auto_renewal_status: 'will_renew',
    ...more,
  });

  it('name products as the store does, looked up once', async () => {
    const id = user('subscribed');
    server.products.set('prod1', 'pro_monthly');
    server.subscriptions.set(id, [served({}), served({ product_id: null, status: 'expired', gives_access: false, ends_at: null })]);
    const [first, second] = (await provider.listSubscriptions?.(id, never)) ?? [];
    expect(first).toEqual({
      productId: 'pro_monthly',
      transactionId: 'GPA.1..4',
      status: 'active',
      givesAccess: true,
      endsAt: 2000,
      willRenew: true,
    });
    expect(second).toMatchObject({ productId: null, status: 'expired', givesAccess: false, endsAt: 1000 });
    await provider.listSubscriptions?.(id, never);
    expect(server.requests.filter(({ path }) => path.includes('/products/'))).toHaveLength(1);
  });

  it('keep a product’s id that nobody knows, and leave out what is not settled', async () => {
    const id = user('odd-subscriptions');
    const statuses = ['trialing', 'in_grace_period', 'in_billing_retry', 'paused', 'incomplete', 'unknown'];
    server.subscriptions.set(
      id,
      statuses.map((status) => served({ product_id: 'gone', status, auto_renewal_status: 'will_not_renew' })),
    );
    const found = (await provider.listSubscriptions?.(id, never)) ?? [];
    expect(found.map(({ status }) => status)).toEqual(['active', 'in_billing_retry', 'in_billing_retry', 'paused']);
    expect(found[0]).toMatchObject({ productId: 'gone', willRenew: false });
  });
});
