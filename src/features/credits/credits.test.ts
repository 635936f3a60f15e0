import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { BILLING_ACCESS, openBillingServer } from '#testing/billing-server.ts';
import { databaseLimiter } from '#platform/http/limits.ts';

const SECRET = 'the-secret-of-the-operator';
const WEBHOOK = 'the-bearer-of-the-provider';
const SIGNING = 'the-secret-that-signs';

const lines: string[] = [];
const logTo = { write: (line: string) => lines.push(line) > 0 } as unknown as NodeJS.WritableStream;
const provider = await openBillingServer();
const access = { BILLING_BASE_URL: provider.baseUrl, BILLING_API_KEY: BILLING_ACCESS.apiKey, BILLING_PROJECT_ID: BILLING_ACCESS.projectId };
const local = await startTestApp({ env: { ROLES: 'api', ADMIN_SECRET: SECRET, BILLING_PROVIDER: 'local' } });
const remote = await startTestApp({
  env: { ADMIN_SECRET: SECRET, BILLING_WEBHOOK_SECRET: WEBHOOK, BILLING_SIGNING_SECRET: SIGNING, LOG_LEVEL: 'trace', ...access },
  logTo,
});
const none = await startTestApp({ env: { ROLES: 'api', ADMIN_SECRET: SECRET } });
const closed = await startTestApp({ env: { ROLES: 'api' } });
// More is asked for here than a minute allows.
for (const each of [local, remote]) each.ctx.limiter = { hit: async () => ({ allowed: true, retryAfter: 0 }) };
afterAll(async () => {
  await Promise.all([local, remote, none, closed].map((each) => each.dispose()));
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.faults.length = 0;
});

async function ask(of: TestApp, method: 'GET' | 'POST', url: string, body?: unknown, authorization = `Bearer ${SECRET}`) {
  const headers = authorization ? { authorization } : {};
  const answer = await of.server.fastify.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body as object }) });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), text: answer.payload };
}
const grantTo = (of: TestApp, userId: string, body: unknown) => ask(of, 'POST', `/admin/credits/${encodeURIComponent(userId)}/grant`, body);
const balancesOf = async (of: TestApp, userId: string, query = '') => ask(of, 'GET', `/admin/credits/balances/${encodeURIComponent(userId)}${query}`);
const newCustomer = async (of: TestApp, balance = 0): Promise<string> => {
  const { userId, call } = await of.user();
  await call('GET', '/auth/bootstrap');
  provider.customers.set(userId, new Map([['CRD', balance]]));
  return userId;
};
const grantsOf = async (of: TestApp, userId: string) =>
  (
    await sql<{ amount: number; status: string; reason: string }>`select amount, status, reason from credit_grants where user_id = ${userId}`.execute(
      of.ctx.db,
    )
  ).rows;
const changesOf = async (of: TestApp, userId: string): Promise<number> =>
  (
    await sql`select 1 from domain_events where name = 'usage.changed' and payload ->> 'reason' = 'admin_grant' and owner_id = ${userId}`.execute(
      of.ctx.db,
    )
  ).rows.length;

const ROUTES = [
  ['GET', '/admin/credits/currencies', undefined],
  ['GET', '/admin/credits/balances/someone', undefined],
  ['POST', '/admin/credits/someone/grant', { amount: 1, reason: 'a gift' }],
] as const;

describe.each(ROUTES)('%s %s', (method, url, body) => {
  it('is the operator’s [R1080 R1081 R1082 R1083]', async () => {
    expect(await ask(closed, method, url, body)).toMatchObject({ status: 503, body: { detail: 'admin_unconfigured' } });
    expect(await ask(none, method, url, body, '')).toMatchObject({ status: 401, body: { detail: 'missing_bearer' } });
    expect(await ask(none, method, url, body, 'Bearer another-secret-of-nobody')).toMatchObject({
      status: 403,
      body: { detail: 'invalid_admin_secret' },
    });
  });

  it('answers 503 where nobody keeps the books [R1088]', async () => {
    expect(await ask(none, method, url, body)).toMatchObject({ status: 503, body: { detail: 'billing_provider_unconfigured' } });
  });

  it('answers 502 when the provider fails, with one word of why [R1101]', async () => {
    const userId = await newCustomer(remote);
    const fault = { status: 403, body: { type: 'authorization_error', message: 'sk_secret told in words' } };
    provider.faults.push(fault);
    const answer = await ask(remote, method, url.replace('someone', userId), body);
    expect([answer.status, answer.body]).toEqual([502, { detail: 'rc_call_failed: authorization_error' }]);
  });
});

describe('currencies', () => {
  it('have one grant for each product [R1084 R1085 R1086]', async () => {
    provider.currencies = [{ code: 'CRD', name: 'Credits', description: null, product_grants: [{ product_ids: ['a', 'b'], amount: 100 }] }];
    expect((await ask(remote, 'GET', '/admin/credits/currencies')).body).toEqual({
      items: [
        {
          code: 'CRD',
          name: 'Credits',
          description: '',
          product_grants: [
            { product_id: 'a', amount: 100 },
            { product_id: 'b', amount: 100 },
          ],
        },
      ],
    });
  });
});

describe.each([
  ['the ledger of the service', local],
  ['RevenueCat', remote],
] as const)('grants over %s', (_name, of) => {
  it('add and deduct, and are written down with their reason [R1093 R1098]', async () => {
    const userId = await newCustomer(of);
    const granted = await grantTo(of, userId, { amount: 30, reason: 'a welcome' });
    expect([granted.status, granted.body]).toEqual([
      200,
      { ok: true, amount: 30, currency: 'CRD', result: { transaction_id: expect.any(String), new_balance: 30 } },
    ]);
    expect((await grantTo(of, userId, { amount: -12, reason: 'a correction' })).body).toMatchObject({ result: { new_balance: 18 } });
    expect((await balancesOf(of, userId)).body).toMatchObject({ balances: [{ code: 'CRD', balance: 18 }] });
    expect(await grantsOf(of, userId)).toEqual([
      { amount: 30, status: 'done', reason: 'a welcome' },
      { amount: -12, status: 'done', reason: 'a correction' },
    ]);
  });

  it('show what is empty only when asked [R1089 R1090]', async () => {
    const userId = await newCustomer(of);
    expect((await balancesOf(of, userId)).body).toEqual({ balances: [] });
    expect((await balancesOf(of, userId, '?include_empty=true')).body).toEqual({ balances: [{ code: 'CRD', name: expect.any(String), balance: 0 }] });
    expect((await balancesOf(of, userId, '?include_empty=perhaps')).status).toBe(422);
  });

  it('know nobody who is not known [R1091]', async () => {
    const unknown = { status: 404, body: { detail: 'rc_customer_not_found' } };
    for (const userId of ['nobody', 'a/../b', '%2e%2e']) {
      expect(await balancesOf(of, userId)).toMatchObject(unknown);
      expect(await grantTo(of, userId, { amount: 1, reason: 'a gift' })).toMatchObject(unknown);
    }
  });

  it('never take more than is there', async () => {
    const userId = await newCustomer(of);
    await grantTo(of, userId, { amount: 5, reason: 'a gift' });
    expect(await grantTo(of, userId, { amount: -6, reason: 'too much' })).toMatchObject({
      status: 502,
      body: { detail: 'rc_call_failed: unprocessable_entity_error' },
    });
    expect((await balancesOf(of, userId)).body).toMatchObject({ balances: [{ balance: 5 }] });
  });

  it('are one grant, however many ask at once under one key, and each call is told of [R1099]', async () => {
    const userId = await newCustomer(of);
    const body = { amount: 10, reason: 'a gift', idempotency_key: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 50 }, () => grantTo(of, userId, body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { result: { new_balance: 10 } } });
    expect(await grantsOf(of, userId)).toEqual([{ amount: 10, status: 'done', reason: 'a gift' }]);
    expect(await changesOf(of, userId)).toBe(50);
    await grantTo(of, userId, { amount: 5, reason: 'another' });
    expect((await grantTo(of, userId, body)).text).toBe(answers[0]?.text);
    expect((await balancesOf(of, userId)).body).toMatchObject({ balances: [{ balance: 15 }] });
  });

  it('add up to the ledger when many ask under keys of their own', async () => {
    const userId = await newCustomer(of);
    const amounts = Array.from({ length: 50 }, (_, n) => n + 1);
    await Promise.all(amounts.map((amount) => grantTo(of, userId, { amount, reason: 'a gift', idempotency_key: `key-${amount}` })));
    const grants = await grantsOf(of, userId);
    expect(grants).toHaveLength(50);
    expect(grants.reduce((sum, { amount, status }) => sum + (status === 'done' ? amount : 0), 0)).toBe(1275);
    expect((await balancesOf(of, userId)).body).toMatchObject({ balances: [{ balance: 1275 }] });
  });

  it('have keys of each user’s own, and refuse one for another grant', async () => {
    const [first, second] = [await newCustomer(of), await newCustomer(of)];
    const body = { amount: 3, reason: 'a gift', idempotency_key: 'the same' };
    const [one, other] = [await grantTo(of, first, body), await grantTo(of, second, body)];
    expect(one.body['result']).not.toEqual(other.body['result']);
    expect((await grantTo(of, first, { ...body, amount: 4 })).status).toBe(409);
    expect((await balancesOf(of, first)).body).toMatchObject({ balances: [{ balance: 3 }] });
  });
});

describe('a grant', () => {
  it.each([
    [{ amount: 0, reason: 'a gift' }, 400],
    [{ reason: 'a gift' }, 400],
    [{ amount: '5', reason: 'a gift' }, 400],
    [{ amount: 1.5, reason: 'a gift' }, 422],
    [{ amount: 2_000_000_001, reason: 'a gift' }, 422],
    [{ amount: 1 }, 400],
    [{ amount: 1, reason: 'ab' }, 422],
    [{ amount: 1, reason: 'x'.repeat(501) }, 422],
    [{ amount: 1, reason: 'a gift', idempotency_key: 'x'.repeat(201) }, 422],
    [{ amount: 1, reason: 'a gift', currency_code: 5 }, 400],
  ])('of %j answers %i [R1092 R1094 R1095 R1097 R1100]', async (body, status) => {
    const answer = await grantTo(none, 'someone', body);
    expect(answer.status).toBe(status);
    if ('amount' in body && body.amount === 0) expect(answer.body).toEqual({ detail: 'amount_must_be_nonzero' });
  });

  it('is made once although its answer was lost and it is asked for again', async () => {
    const userId = await newCustomer(remote);
    const body = { amount: 8, reason: 'a gift', idempotency_key: randomUUID() };
    provider.faults.push({ how: 'lost' }, { how: 'reset' }, { how: 'reset' });
    expect(await grantTo(remote, userId, body)).toMatchObject({ status: 502, body: { detail: 'rc_call_failed: network_error' } });
    expect(await grantsOf(remote, userId)).toMatchObject([{ status: 'pending' }]);
    expect(await grantTo(remote, userId, body)).toMatchObject({ status: 200, body: { result: { new_balance: 8 } } });
    expect(await grantsOf(remote, userId)).toMatchObject([{ status: 'done' }]);
  });

  it('is limited [R1104]', async () => {
    const limited = await startTestApp({ env: { ROLES: 'api', ADMIN_SECRET: SECRET } });
    limited.ctx.limiter = databaseLimiter(limited.ctx.db);
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await grantTo(limited, 'someone', { amount: 0, reason: 'a gift' })).status);
    await limited.dispose();
    expect([statuses.slice(0, 30).every((status) => status === 400), statuses[30]]).toEqual([true, 429]);
  });
});

describe('secrets', () => {
  it('stand in no log, no row and no answer', async () => {
    const userId = await newCustomer(remote);
    const answers: string[] = [];
    const webhook = (payload: string, headers: Record<string, string>) =>
      remote.server.fastify.inject({
        method: 'POST',
        url: '/api/v1/billing/rc-webhook',
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      });
    const event = JSON.stringify({ event: { id: randomUUID(), type: 'RENEWAL', app_user_id: userId } });
    for (const headers of [{}, { authorization: `Bearer ${WEBHOOK}` }, { authorization: `Bearer ${WEBHOOK}`, 'x-billing-signature': 'no' }]) {
      answers.push((await webhook(event, headers)).payload);
    }
    for (const fault of [{ status: 401, body: { type: 'authentication_error', message: BILLING_ACCESS.apiKey } }, { how: 'garbage' } as const]) {
      provider.faults.push(fault);
      answers.push((await grantTo(remote, userId, { amount: 1, reason: 'a gift' })).text);
    }
    answers.push(
      (await ask(remote, 'GET', '/openapi.json')).text,
      (await ask(remote, 'GET', '/admin/credits/currencies', undefined, `Bearer ${SECRET}x`)).text,
    );
    const tables = await sql<{ name: string }>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
       where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`.execute(remote.ctx.db);
    const rows: string[] = [];
    for (const { name } of tables.rows) {
      rows.push(
        ...(await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.raw(name)} t`.execute(remote.ctx.db)).rows.map(({ row }) => row),
      );
    }
    const secrets = [SECRET, WEBHOOK, SIGNING, BILLING_ACCESS.apiKey];
    expect(lines.length).toBeGreaterThan(0);
    expect(rows.length).toBeGreaterThan(0);
    for (const secret of secrets) {
      const places = { lines, rows, answers };
      for (const [place, texts] of Object.entries(places))
        expect(
          texts.filter((text) => text.includes(secret)),
          `${place} hold ${secret}`,
        ).toEqual([]);
    }
  });
});
