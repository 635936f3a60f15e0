import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { anyNumber, anyString, call, detail, newAnonymous, newUser, type Answer, type Json } from './black-box.ts';

const secrets = inject('serviceSecrets');
const FREE = { questions: 50, tts_minutes: 5, credits: 20 };

const webhook = (event: unknown, token: string | undefined = secrets.webhook): Promise<Answer> =>
  call('POST', '/api/v1/billing/rc-webhook', { token, body: { event } });
let moment = 1_700_000_000_000;
const newEvent = (userId: string | null, type: string, more: Json = {}): Json => ({
  id: randomUUID(),
  type,
  event_timestamp_ms: (moment += 1000),
  app_user_id: userId,
  product_id: 'pro_monthly',
  expiration_at_ms: Date.now() + 86_400_000,
  ...more,
});

describe('GET /v1/usage', () => {
  it('answers 200 with the caps of the free tier and nothing used to whoever has no profile [R013 R1030 R1031 R1032 R1033 R1034 R1035 R1040 R1041 R1042 R1043 R1044 R1045 R1051 R1052]', async () => {
    const user = await newUser();
    const before = new Date();
    const answer = await user.get('/v1/usage');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      period: { key: expect.stringMatching(/^\d{4}-\d{2}$/), resets_at: expect.stringMatching(/^\d{4}-\d{2}-01T00:00:00(\.0+)?Z$/) },
      tier: { id: 'free', product_id: null, caps: FREE },
      used: { questions: 0, tts_seconds: 0, credits: 0 },
      remaining: FREE,
    });
    const { key, resets_at: resets } = answer.body['period'] as { key: string; resets_at: string };
    expect(key).toBe(before.toISOString().slice(0, 7));
    expect(new Date(resets).getTime()).toBe(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 1));
  });

  it('answers 200 to an anonymous session, the same after the profile was made [R1036 R1039]', async () => {
    const user = await newAnonymous();
    await user.get('/auth/bootstrap');
    expect((await user.get('/v1/usage')).body).toMatchObject({ tier: { id: 'free', caps: FREE }, remaining: FREE });
  });

  it('answers 401 without a bearer', async () => {
    expect((await call('GET', '/v1/usage')).status).toBe(401);
  });

  it('answers 429 with Retry-After above 120 a minute [R1050]', async () => {
    const user = await newUser();
    const answers = await Promise.all(Array.from({ length: 125 }, () => user.get('/v1/usage')));
    const refused = answers.filter(({ status }) => status === 429);
    // A minute may have turned meanwhile.
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(refused.length).toBeLessThanOrEqual(5);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe.skipIf(!secrets.webhook)('POST /api/v1/billing/rc-webhook', () => {
  it.each([
    ['explorer_monthly', 'explorer', { questions: 500, tts_minutes: 60, credits: 200 }],
    ['plus_monthly', 'plus', { questions: 1500, tts_minutes: 180, credits: 300 }],
    ['pro_monthly', 'pro', { questions: 2500, tts_minutes: 300, credits: 400 }],
  ])('answers 200, and %s gives the tier %s with its caps [R014 R1046 R1047 R1048 R1053 R1067]', async (product, tier, caps) => {
    const user = await newUser();
    const answer = await webhook(newEvent(user.userId, 'INITIAL_PURCHASE', { product_id: product }));
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect((await user.get('/v1/usage')).body).toMatchObject({ tier: { id: tier, product_id: product, caps }, remaining: caps });
    expect((await user.get('/auth/bootstrap')).body).toMatchObject({ profile: { plan: 'pro', credits_total: caps.credits } });
  });

  it.each([
    ['RENEWAL', 'pro'],
    ['NON_RENEWING_PURCHASE', 'pro'],
    ['UNCANCELLATION', 'pro'],
    ['PRODUCT_CHANGE', 'pro'],
    ['CANCELLATION', 'pro'],
    ['EXPIRATION', 'free'],
    ['BILLING_ISSUE', 'pro'],
    ['SUBSCRIPTION_PAUSED', 'free'],
  ])('answers 200 to %s, after which the tier is %s [R1054 R1055 R1056 R1057 R1058 R1060 R1061 R1062 R1063]', async (type, tier) => {
    const user = await newUser();
    await webhook(newEvent(user.userId, 'INITIAL_PURCHASE'));
    expect((await webhook(newEvent(user.userId, type))).body).toEqual({ ok: true });
    expect((await user.get('/v1/usage')).body).toMatchObject({ tier: { id: tier } });
  });

  it('answers 200 to what is repeated or late, which changes nothing', async () => {
    const user = await newUser();
    const [bought, ended] = [newEvent(user.userId, 'INITIAL_PURCHASE'), newEvent(user.userId, 'EXPIRATION')];
    for (const event of [ended, bought, ended, bought]) expect((await webhook(event)).body).toEqual({ ok: true });
    expect((await user.get('/v1/usage')).body).toMatchObject({ tier: { id: 'free' } });
  });

  it.each(['TEST', 'SUBSCRIBER_ALIAS', 'TRANSFER', 'SOMETHING_NEW'])(
    'answers 200 to %s, for audit alone [R1064 R1065 R1066 R1068 R1077]',
    async (type) => {
      const user = await newUser();
      const answer = await webhook(newEvent(user.userId, type));
      expect([answer.status, answer.body]).toEqual([200, { ok: true, audit_only: true, type }]);
      expect((await user.get('/v1/usage')).body).toMatchObject({ tier: { id: 'free' } });
    },
  );

  it('answers 401 without the bearer, and with another [R1073]', async () => {
    const event = newEvent('nobody', 'TEST');
    expect((await call('POST', '/api/v1/billing/rc-webhook', { body: { event } })).status).toBe(401);
    expect((await webhook(event, `${secrets.webhook}x`)).status).toBe(401);
    expect((await webhook(event, (await newUser()).token)).status).toBe(401);
  });

  it('answers 400 when it is no JSON [R1076]', async () => {
    expect((await call('POST', '/api/v1/billing/rc-webhook', { token: secrets.webhook, raw: '{"event":' })).status).toBe(400);
  });

  it('answers 413 when it is too large', async () => {
    const answer = await webhook({ note: 'x'.repeat(300_000) });
    expect(answer.status).toBe(413);
  });
});

const admin = (method: string, path: string, body?: unknown, token: string | undefined = secrets.admin): Promise<Answer> =>
  call(method, `/admin/credits${path}`, { token, ...(body === undefined ? {} : { body }) });

const ROUTES = [
  ['GET', '/currencies', undefined],
  ['GET', '/balances/someone', undefined],
  ['POST', '/someone/grant', { amount: 1, reason: 'a gift' }],
] as const;

describe.skipIf(!secrets.admin).each(ROUTES)('%s /admin/credits%s', (method, path, body) => {
  it('answers 401 without a bearer, 403 with another [R1080 R1082 R1083]', async () => {
    const bare = await call(method, `/admin/credits${path}`, body ? { body } : {});
    expect([bare.status, bare.body]).toEqual([401, detail('missing_bearer')]);
    for (const token of [`${secrets.admin}x`, (await newUser()).token]) {
      const wrong = await admin(method, path, body, token);
      expect([wrong.status, wrong.body]).toEqual([403, detail('invalid_admin_secret')]);
    }
  });
});

/** A user whom the ledger knows. */
async function newCustomer(): Promise<string> {
  const user = await newUser();
  await user.get('/auth/bootstrap');
  return user.userId ?? '';
}

describe.skipIf(!secrets.admin)('GET /admin/credits/currencies', () => {
  it('answers 200 with the currencies [R1084 R1085 R1087]', async () => {
    const answer = await admin('GET', '/currencies');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ items: [{ code: 'CRD', name: anyString(), description: anyString(), product_grants: [] }] });
  });
});

describe.skipIf(!secrets.admin)('GET /admin/credits/balances/{user_id}', () => {
  it('answers 200 without empty balances, and with them when asked [R1089 R1090]', async () => {
    const userId = await newCustomer();
    const empty = await admin('GET', `/balances/${userId}`);
    expect([empty.status, empty.body]).toEqual([200, { balances: [] }]);
    const all = await admin('GET', `/balances/${userId}?include_empty=true`);
    expect(all.body).toEqual({ balances: [{ code: 'CRD', name: anyString(), balance: 0 }] });
  });

  it('answers 404 for an unknown customer [R1091]', async () => {
    const answer = await admin('GET', `/balances/user-${randomUUID()}`);
    expect([answer.status, answer.body]).toEqual([404, detail('rc_customer_not_found')]);
  });

  it('answers 422 to another value of include_empty', async () => {
    expect((await admin('GET', '/balances/someone?include_empty=perhaps')).status).toBe(422);
  });
});

describe.skipIf(!secrets.admin)('POST /admin/credits/{user_id}/grant', () => {
  it('answers 200 with the new balance, and deducts [R1092 R1093 R1096 R1098]', async () => {
    const userId = await newCustomer();
    const granted = await admin('POST', `/${userId}/grant`, { amount: 25, reason: 'a welcome' });
    expect(granted.status).toBe(200);
    expect(granted.body).toEqual({ ok: true, amount: 25, currency: 'CRD', result: { transaction_id: anyString(), new_balance: 25 } });
    const taken = await admin('POST', `/${userId}/grant`, { amount: -5, reason: 'a correction', currency_code: 'CRD' });
    expect(taken.body).toMatchObject({ ok: true, amount: -5, result: { new_balance: 20 } });
    expect((await admin('GET', `/balances/${userId}`)).body).toEqual({ balances: [{ code: 'CRD', name: anyString(), balance: 20 }] });
  });

  it('answers 200 with the first result to a key that comes again, 409 to one of another grant [R1097]', async () => {
    const userId = await newCustomer();
    const body = { amount: 5, reason: 'a gift', idempotency_key: randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => admin('POST', `/${userId}/grant`, body)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ ok: true, result: { new_balance: anyNumber() } });
    expect((await admin('GET', `/balances/${userId}`)).body).toMatchObject({ balances: [{ balance: 5 }] });
    expect((await admin('POST', `/${userId}/grant`, { ...body, amount: 6 })).status).toBe(409);
  });

  it('answers 400 to an amount of zero and to what is missing [R1094 R1100]', async () => {
    const zero = await admin('POST', '/someone/grant', { amount: 0, reason: 'a gift' });
    expect([zero.status, zero.body]).toEqual([400, detail('amount_must_be_nonzero')]);
    expect((await admin('POST', '/someone/grant', { reason: 'a gift' })).status).toBe(400);
    expect((await admin('POST', '/someone/grant', { amount: 1 })).status).toBe(400);
  });

  it('answers 422 to an amount that is not whole and a reason that is too short or long [R1092 R1095]', async () => {
    expect((await admin('POST', '/someone/grant', { amount: 1.5, reason: 'a gift' })).status).toBe(422);
    expect((await admin('POST', '/someone/grant', { amount: 1, reason: 'ab' })).status).toBe(422);
    expect((await admin('POST', '/someone/grant', { amount: 1, reason: 'x'.repeat(501) })).status).toBe(422);
  });

  it('answers 404 for an unknown customer [R1091]', async () => {
    const answer = await admin('POST', `/user-${randomUUID()}/grant`, { amount: 1, reason: 'a gift' });
    expect([answer.status, answer.body]).toEqual([404, detail('rc_customer_not_found')]);
  });

  it('answers 502 when the ledger refuses, with the word for why [R1101]', async () => {
    const answer = await admin('POST', `/${await newCustomer()}/grant`, { amount: -1, reason: 'too much' });
    expect([answer.status, answer.body]).toEqual([502, detail('rc_call_failed: unprocessable_entity_error')]);
  });
});
