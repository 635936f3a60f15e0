import { createHmac, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { BILLING_ACCESS, openBillingServer } from '#testing/billing-server.ts';
import { ensureProfile } from '#features/profile';
import { recordEvent } from './event-store.ts';
import { billingEvent } from './events.ts';
import { handleEvent } from './handle-event.ts';
import { readProviderEvent } from './provider-event.ts';
import { sweepBilling } from './sweep-billing.ts';

const SECRET = 'the-bearer-of-the-provider';
const SIGNING = 'the-secret-that-signs';
const TIERS = { BILLING_TIERS: 'plus_monthly=plus,pro_monthly=pro,early=early_access' };
const DAY = 86_400_000;

const provider = await openBillingServer();
const app = await startTestApp({ env: { BILLING_WEBHOOK_SECRET: SECRET, ...TIERS } });
const signed = await startTestApp({ env: { ROLES: 'api', BILLING_WEBHOOK_SECRET: SECRET, BILLING_SIGNING_SECRET: SIGNING, ...TIERS } });
const unset = await startTestApp({ env: { ROLES: 'api', BILLING_SIGNING_SECRET: SIGNING } });
let offset = 0;
// Its clock is set forward, and what comes back by itself would come then.
const sold = await startTestApp({
  env: {
    ROLES: 'api,worker',
    BILLING_WEBHOOK_SECRET: SECRET,
    BILLING_BASE_URL: provider.baseUrl,
    BILLING_API_KEY: BILLING_ACCESS.apiKey,
    BILLING_PROJECT_ID: BILLING_ACCESS.projectId,
    ...TIERS,
  },
  overrides: { clock: { now: () => new Date(Date.now() + offset) } },
});
afterAll(async () => {
  await Promise.all([app, signed, unset, sold].map((each) => each.dispose()));
  await provider[Symbol.asyncDispose]();
});

type Event = Record<string, unknown>;
type Sent = { of?: TestApp; headers?: Record<string, string>; raw?: string };

async function send(event: Event | undefined, { of = app, headers = {}, raw }: Sent = {}) {
  const payload = raw ?? JSON.stringify({ api_version: '1.0', event });
  const answer = await of.server.fastify.inject({
    method: 'POST',
    url: '/api/v1/billing/rc-webhook',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json', ...headers },
    payload,
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

const newEvent = (userId: string, more: Event = {}): Event => ({
  id: randomUUID(),
  type: 'INITIAL_PURCHASE',
  event_timestamp_ms: Date.now(),
  app_user_id: userId,
  product_id: 'pro_monthly',
  expiration_at_ms: Date.now() + 30 * DAY,
  ...more,
});

async function newUser(of: TestApp = app) {
  const user = await of.user();
  await ensureProfile(of.ctx.db, { userId: user.userId, name: null, email: null });
  return user;
}

const tierOf = async (userId: string, of: TestApp = app): Promise<unknown> =>
  (await sql<{ tier: string }>`select tier from profiles where user_id = ${userId}`.execute(of.ctx.db)).rows[0]?.tier;
const linesOf = async (userId: string, of: TestApp = app) =>
  (await sql`select product_id, status, entitled, will_renew from billing_subscriptions where user_id = ${userId} order by line`.execute(of.ctx.db))
    .rows;
const changesOf = async (userId: string, of: TestApp = app): Promise<unknown[]> => {
  const { rows } = await sql<{ reason: string }>`
    select payload ->> 'reason' as reason from domain_events where name = 'usage.changed' and owner_id = ${userId} order by sequence`.execute(
    of.ctx.db,
  );
  return rows.map(({ reason }) => reason);
};
const auditOf = async (id: unknown, of: TestApp = app) =>
  (
    await sql<{
      type: string;
      raw: Buffer;
      settled: boolean;
    }>`select type, raw, settled_at is not null as settled from billing_events where id = ${id}`.execute(of.ctx.db)
  ).rows;

describe('who may report', () => {
  it('is whoever knows the bearer [R1072 R1073]', async () => {
    const event = newEvent('nobody', { type: 'TEST' });
    for (const authorization of ['', 'Bearer', `Bearer ${SECRET}x`, `Bearer ${SECRET.slice(0, -1)}`, `Basic ${SECRET}`]) {
      expect((await send(event, { headers: { authorization } })).status, authorization).toBe(401);
    }
    expect((await send(event, { of: unset })).status).toBe(401);
    expect((await send(event, { of: unset, headers: { authorization: 'Bearer undefined' } })).status).toBe(401);
    expect(await auditOf(event['id'])).toEqual([]);
  });

  it('must sign the bytes where a secret for that is set [R1074 R1075]', async () => {
    const raw = `{ "event": ${JSON.stringify(newEvent('nobody', { type: 'TEST' }))} }`;
    const of = (text: string, secret = SIGNING) => ({ 'x-billing-signature': createHmac('sha256', secret).update(text).digest('hex') });
    expect((await send(undefined, { of: signed, raw })).status).toBe(401);
    expect((await send(undefined, { of: signed, raw, headers: of(raw, 'another') })).status).toBe(401);
    expect((await send(undefined, { of: signed, raw, headers: of(raw.replaceAll(' ', '')) })).status).toBe(401);
    expect((await send(undefined, { of: signed, raw, headers: of(raw) })).status).toBe(200);
    expect((await send(undefined, { of: signed, raw, headers: { ...of(raw), authorization: 'Bearer no' } })).status).toBe(401);
    expect((await send(undefined, { raw })).status).toBe(200);
  });
});

describe('an event', () => {
  it('is answered 400 when it is no JSON, and 200 whatever else it is [R1076 R1077]', async () => {
    for (const raw of ['', '{', 'x']) expect((await send(undefined, { raw })).status, raw).toBe(400);
    for (const raw of [
      '{}',
      '[]',
      '1',
      'null',
      '{"event":[]}',
      '{"event":{"type":"\\u0000"}}',
      '{"event":{"id":"\\ud800","app_user_id":"\\u0000"}}',
    ]) {
      expect(await send(undefined, { raw }), raw).toMatchObject({ status: 200, body: { ok: true, audit_only: true } });
    }
  });

  it('stands in the log byte for byte [R1078]', async () => {
    const event = newEvent('nobody', { type: 'TEST', note: 'ä  ' });
    const raw = `{\n  "event":   ${JSON.stringify(event)}}`;
    expect(await send(undefined, { raw })).toEqual({ status: 200, body: { ok: true, audit_only: true, type: 'TEST' } });
    const [row] = await auditOf(event['id']);
    expect([row?.type, row?.raw.toString(), row?.settled]).toEqual(['TEST', raw, true]);
  });

  it.each(['TEST', 'SUBSCRIBER_ALIAS', 'TRANSFER', 'VIRTUAL_CURRENCY_TRANSACTION', 'SOMETHING_NEW'])(
    '%s is kept for audit alone [R1064 R1065 R1066 R1068]',
    async (type) => {
      const { userId } = await newUser();
      await send(newEvent(userId));
      expect(await send(newEvent(userId, { type }))).toEqual({ status: 200, body: { ok: true, audit_only: true, type } });
      expect(await linesOf(userId)).toMatchObject([{ status: 'active' }]);
      expect(await changesOf(userId)).toEqual(['billing_event']);
    },
  );

  it('gives the tier of its product, and takes it away in the end [R1053 R1061 R1136 R1137]', async () => {
    const { userId, call } = await newUser();
    expect(await send(newEvent(userId))).toEqual({ status: 200, body: { ok: true } });
    const usage = (await call('GET', '/v1/usage')).body as unknown as { tier: unknown };
    expect(usage.tier).toEqual({ id: 'pro', product_id: 'pro_monthly', caps: { questions: 2500, tts_minutes: 300, credits: 400 } });
    await send(newEvent(userId, { type: 'CANCELLATION', event_timestamp_ms: Date.now() + 1 }));
    expect(await linesOf(userId)).toEqual([{ product_id: 'pro_monthly', status: 'active', entitled: true, will_renew: false }]);
    expect(await tierOf(userId)).toBe('pro');
    await send(newEvent(userId, { type: 'EXPIRATION', event_timestamp_ms: Date.now() + 2 }));
    expect(await tierOf(userId)).toBe('free');
    expect((await call('GET', '/v1/usage')).body).toMatchObject({ tier: { id: 'free', product_id: null } });
    expect(await changesOf(userId)).toEqual(['billing_event', 'billing_event', 'billing_event']);
  });

  it('changes something once, however often it comes', async () => {
    const { userId } = await newUser();
    const event = newEvent(userId);
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(event)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))).toEqual(new Set(['200 {"ok":true}']));
    expect(await changesOf(userId)).toEqual(['billing_event']);
    expect(await auditOf(event['id'])).toHaveLength(1);
  });

  it('is told of also when it changes nothing; one that is only audited is not [R1137]', async () => {
    const { userId } = await newUser();
    const event = newEvent(userId);
    await send(event);
    await send({ ...event, id: randomUUID(), type: 'RENEWAL', event_timestamp_ms: Number(event['event_timestamp_ms']) + 1 });
    await send(newEvent(userId, { type: 'SUBSCRIBER_ALIAS' }));
    expect(await changesOf(userId)).toEqual(['billing_event', 'billing_event']);
  });

  it('of a product that no setting names leaves the tier, and of a second one the better counts', async () => {
    const { userId } = await newUser();
    await send(newEvent(userId, { product_id: 'unknown', original_transaction_id: 't0' }));
    expect([await tierOf(userId), await linesOf(userId)]).toMatchObject(['free', [{ status: 'active', product_id: 'unknown' }]]);
    await send(newEvent(userId, { original_transaction_id: 't1' }));
    await send(newEvent(userId, { original_transaction_id: 't2', product_id: 'plus_monthly', event_timestamp_ms: Date.now() + 1 }));
    expect(await tierOf(userId)).toBe('pro');
    await send(newEvent(userId, { original_transaction_id: 't1', type: 'EXPIRATION', event_timestamp_ms: Date.now() + 2 }));
    expect(await tierOf(userId)).toBe('plus');
  });

  it('leaves early access that the operator gave [R1049]', async () => {
    const { userId, call } = await newUser();
    await sql`update profiles set tier = 'early_access' where user_id = ${userId}`.execute(app.ctx.db);
    await send(newEvent(userId));
    await send(newEvent(userId, { type: 'EXPIRATION', event_timestamp_ms: Date.now() + 1 }));
    expect(await tierOf(userId)).toBe('early_access');
    const caps = { questions: 100_000, tts_minutes: 10_000, credits: 100_000 };
    expect((await call('GET', '/v1/usage')).body).toMatchObject({ tier: { id: 'early_access', caps } });
    const buyer = await newUser();
    await send(newEvent(buyer.userId, { product_id: 'early' }));
    expect(await tierOf(buyer.userId)).toBe('early_access');
    await send(newEvent(buyer.userId, { product_id: 'early', type: 'EXPIRATION', event_timestamp_ms: Date.now() + 1 }));
    expect(await tierOf(buyer.userId)).toBe('free');
  });

  it('finds its user under any of the customer’s names, also one who comes later', async () => {
    const { userId } = await newUser();
    await send(newEvent('$RCAnonymousID:1', { original_app_user_id: '$RCAnonymousID:2', aliases: ['stranger', userId] }));
    expect(await tierOf(userId)).toBe('pro');
    expect(await tierOf('stranger')).toBeUndefined();
    const later = `user-${randomUUID()}`;
    await send(newEvent(later));
    expect(await tierOf(later)).toBe('pro');
    const nobody = newEvent('$RCAnonymousID:3');
    expect(await send(nobody)).toEqual({ status: 200, body: { ok: true } });
    expect(await auditOf(nobody['id'])).toMatchObject([{ settled: true }]);
  });

  it('comes to the same in any order, with repeats, at once', async () => {
    const story = (userId: string): Event[] => [
      newEvent(userId, { event_timestamp_ms: 1000, original_transaction_id: 't1', product_id: 'plus_monthly' }),
      newEvent(userId, { event_timestamp_ms: 2000, original_transaction_id: 't1', type: 'BILLING_ISSUE', product_id: 'plus_monthly' }),
      newEvent(userId, { event_timestamp_ms: 3000, original_transaction_id: 't1', type: 'RENEWAL' }),
      newEvent(userId, { event_timestamp_ms: 4000, original_transaction_id: 't2', type: 'INITIAL_PURCHASE', product_id: 'early' }),
      newEvent(userId, { event_timestamp_ms: 5000, original_transaction_id: 't2', type: 'EXPIRATION', product_id: 'early' }),
      newEvent(userId, { event_timestamp_ms: 5000, original_transaction_id: 't1', type: 'CANCELLATION' }),
    ];
    const expected = [
      { product_id: 'pro_monthly', status: 'active', entitled: true, will_renew: false },
      { product_id: 'early', status: 'expired', entitled: false, will_renew: false },
    ];
    for (let round = 0; round < 12; round += 1) {
      const { userId } = await newUser();
      const events = story(userId);
      const order = events
        .map((event, place) => ({ event, at: (place * 7 + round * 5 + ((place * round) % 3)) % 11 }))
        .toSorted((left, right) => left.at - right.at);
      const arriving = [...order, ...order.slice(round % 4)].map(({ event }) => event);
      if (round % 3 === 0) await Promise.all(arriving.map((event) => send(event)));
      else for (const event of arriving) await send(event);
      expect(await linesOf(userId), `round ${round}`).toEqual(expected);
      expect(await tierOf(userId), `round ${round}`).toBe('pro');
    }
  });
});

describe('an event whose work fails', () => {
  it('is answered as deferred and worked from the log [R1069 R1077]', async () => {
    const { userId } = await newUser();
    const { db } = app.ctx;
    await sql`alter table billing_subscriptions rename to hidden_subscriptions`.execute(db);
    const answer = await send(newEvent(userId)).finally(() => sql`alter table hidden_subscriptions rename to billing_subscriptions`.execute(db));
    expect(answer).toEqual({ status: 200, body: { ok: true, deferred: true, reason: 'internal_error' } });
    await expect.poll(() => tierOf(userId), { timeout: 30_000 }).toBe('pro');
    expect(await changesOf(userId)).toEqual(['billing_event']);
  });

  it('is worked after the process died between the log and the work', async () => {
    const { userId } = await newUser();
    const raw = Buffer.from(JSON.stringify({ event: newEvent(userId) }));
    const event = readProviderEvent(raw, Date.now());
    // What is committed before the work begins, and nothing after it.
    await app.ctx.db.transaction().execute(async (tx) => {
      await recordEvent(tx, event, raw);
      await app.ctx.queue.send(tx, billingEvent, { eventId: event.id });
    });
    await expect.poll(() => tierOf(userId), { timeout: 30_000 }).toBe('pro');
  });

  it('is taken up again by the sweep after its job gave up', async () => {
    const { userId } = await newUser();
    const raw = Buffer.from(JSON.stringify({ event: newEvent(userId) }));
    const event = readProviderEvent(raw, Date.now());
    await app.ctx.db.transaction().execute((tx) => recordEvent(tx, event, raw));
    await sweepBilling(app.ctx);
    expect(await tierOf(userId)).toBe('free');
    await sql`update billing_events set received_at = received_at - interval '2 hours' where id = ${event.id}`.execute(app.ctx.db);
    await sweepBilling(app.ctx);
    await expect.poll(() => tierOf(userId), { timeout: 30_000 }).toBe('pro');
  });

  it('does nothing for an id that is not in the log', async () => {
    await handleEvent(app.ctx, 'none');
  });
});

describe('what ran out without a word', () => {
  it('ends a day later, and not before', async () => {
    const { userId } = await newUser();
    await send(newEvent(userId, { event_timestamp_ms: 1000, expiration_at_ms: Date.now() - DAY / 2 }));
    await sweepBilling(app.ctx);
    expect(await tierOf(userId)).toBe('pro');
    await send(newEvent(userId, { type: 'RENEWAL', event_timestamp_ms: 2000, expiration_at_ms: Date.now() - 2 * DAY }));
    await sweepBilling(app.ctx);
    expect([await tierOf(userId), await changesOf(userId)]).toEqual(['free', ['billing_event', 'billing_event', 'lapse']]);
    await sweepBilling(app.ctx);
    expect(await changesOf(userId)).toHaveLength(3);
  });
});

describe('a device’s anonymous owner who signs in', () => {
  it('keeps what was bought, and what is told of it later', async () => {
    const { deviceId, call } = await app.anonymous();
    const anonId = String((await call('POST', '/projects', { title: 'Whose is this' })).body['user_id']);
    await send(newEvent(anonId, { event_timestamp_ms: 1000 }));
    expect(await tierOf(anonId)).toBe('pro');
    const user = await newUser();
    expect((await user.call('POST', '/auth/rebind', { device_id: deviceId })).body).toMatchObject({ rebound: true });
    expect([await tierOf(anonId), await tierOf(user.userId)]).toEqual(['free', 'pro']);
    await send(newEvent(anonId, { event_timestamp_ms: 2000, type: 'EXPIRATION' }));
    expect([await tierOf(anonId), await tierOf(user.userId)]).toEqual(['free', 'free']);
  });
});

describe('with a provider that sells', () => {
  const subscription = (more: object = {}) => ({
    product_id: 'prod_pro',
    store_subscription_identifier: 't1',
    status: 'active',
    gives_access: true,
    current_period_ends_at: Date.now() + 30 * DAY,
    auto_renewal_status: 'will_renew',
    ...more,
  });
  const settled = (of: TestApp) => async () => {
    const { rows } = await sql`select 1 from jobs.job where name = 'billing.event' and state < 'completed'`.execute(of.ctx.db);
    return rows.length;
  };
  const quiet = () => expect.poll(settled(sold), { timeout: 30_000 }).toBe(0);

  it('is compared with what that says after each event [R1070]', async () => {
    const { userId } = await newUser(sold);
    provider.products.set('prod_pro', 'pro_monthly');
    provider.customers.set(userId, new Map());
    // The end was never reported.
    provider.subscriptions.set(userId, [subscription({ status: 'expired', gives_access: false, current_period_ends_at: 5 })]);
    await send(newEvent(userId, { original_transaction_id: 't1' }), { of: sold });
    await expect.poll(() => tierOf(userId, sold), { timeout: 30_000 }).toBe('free');
    expect(await linesOf(userId, sold)).toEqual([{ product_id: 'pro_monthly', status: 'expired', entitled: false, will_renew: true }]);
    expect(await changesOf(userId, sold)).toEqual(['billing_event', 'reconciliation']);
    await quiet();
  });

  it('records nothing where both agree, and leaves a user whom it does not know', async () => {
    const { userId } = await newUser(sold);
    provider.customers.set(userId, new Map());
    const event = newEvent(userId, { original_transaction_id: 't3' });
    provider.subscriptions.set(userId, [subscription({ store_subscription_identifier: 't3', current_period_ends_at: event['expiration_at_ms'] })]);
    await send(event, { of: sold });
    const stranger = await newUser(sold);
    await send(newEvent(stranger.userId), { of: sold });
    await quiet();
    expect(await changesOf(userId, sold)).toEqual(['billing_event']);
    expect([await tierOf(userId, sold), await tierOf(stranger.userId, sold)]).toEqual(['pro', 'pro']);
    expect(provider.requests.some(({ path }) => path.includes(encodeURIComponent(stranger.userId)))).toBe(true);
  });

  it('looks both users of a transfer up', async () => {
    const [from, to] = [await newUser(sold), await newUser(sold)];
    for (const { userId } of [from, to]) provider.customers.set(userId, new Map());
    await send(newEvent(from.userId, { original_transaction_id: 't5' }), { of: sold });
    await quiet();
    provider.subscriptions.set(from.userId, [subscription({ store_subscription_identifier: 't5', status: 'expired', gives_access: false })]);
    provider.subscriptions.set(to.userId, [subscription({ store_subscription_identifier: 't5' })]);
    const transfer = { id: randomUUID(), type: 'TRANSFER', transferred_from: [from.userId], transferred_to: ['$RCAnonymousID:9', to.userId] };
    expect((await send(transfer, { of: sold })).body).toEqual({ ok: true, audit_only: true, type: 'TRANSFER' });
    await expect.poll(() => tierOf(to.userId, sold), { timeout: 30_000 }).toBe('pro');
    await expect.poll(() => tierOf(from.userId, sold), { timeout: 30_000 }).toBe('free');
  });

  it('does its best: what the event says holds while the provider is down [R1071]', async () => {
    const { userId } = await newUser(sold);
    provider.customers.set(userId, new Map());
    provider.subscriptions.set(userId, [subscription({ store_subscription_identifier: 't7', status: 'paused', gives_access: false })]);
    provider.faults.push({ status: 500 }, { status: 500 }, { status: 500 });
    expect(await send(newEvent(userId, { original_transaction_id: 't7' }), { of: sold })).toEqual({ status: 200, body: { ok: true } });
    await expect.poll(() => linesOf(userId, sold), { timeout: 30_000 }).toMatchObject([{ status: 'paused' }]);
    await quiet();
  });

  it('asks for nobody else until the moment that it names', async () => {
    const users = [await newUser(sold), await newUser(sold)];
    for (const { userId } of users) {
      provider.customers.set(userId, new Map());
      await send(newEvent(userId, { expiration_at_ms: Date.now() + DAY }), { of: sold });
    }
    await quiet();
    offset = 10 * DAY;
    const before = provider.requests.length;
    provider.faults.push({ status: 429, headers: { 'retry-after': '60' } });
    await sweepBilling(sold.ctx);
    expect(provider.requests.length - before).toBe(1);
    await sweepBilling(sold.ctx);
    offset = 0;
    for (const { userId } of users) expect(await tierOf(userId, sold)).toBe('free');
  });

  it('asks before it ends what ran out', async () => {
    const { userId } = await newUser(sold);
    provider.customers.set(userId, new Map());
    provider.subscriptions.set(userId, [subscription({ store_subscription_identifier: 't8', current_period_ends_at: Date.now() + DAY })]);
    await send(newEvent(userId, { original_transaction_id: 't8', expiration_at_ms: Date.now() + DAY }), { of: sold });
    await quiet();
    provider.subscriptions.set(userId, [subscription({ store_subscription_identifier: 't8', current_period_ends_at: Date.now() + 60 * DAY })]);
    offset = 10 * DAY;
    provider.faults.push({ status: 500 }, { status: 500 }, { status: 500 });
    await sweepBilling(sold.ctx);
    expect(await tierOf(userId, sold)).toBe('pro');
    await sweepBilling(sold.ctx);
    offset = 0;
    expect([await tierOf(userId, sold), await changesOf(userId, sold)]).toEqual(['pro', ['billing_event', 'reconciliation']]);
  });
});
