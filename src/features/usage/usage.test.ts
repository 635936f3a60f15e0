import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { addUse, ensureProfile, periodOf, takeBackUse, transferProfile } from '#features/profile';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { charge, giveBack } from './charge.ts';
import { deleteOldCharges } from './charge-store.ts';

let now = Date.parse('2026-11-24T12:00:00Z');
const clock = { now: () => new Date(now) };
const app = await startTestApp({ env: { METERING: 'on', METERING_PRICES: 'feature_research=3' }, overrides: { clock } });
const free = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => Promise.all([app.dispose(), free.dispose()]));
const { ctx } = app;
const { db } = ctx;

const NOVEMBER = { key: '2026-11' };
const DECEMBER = { key: '2026-12' };
const newId = () => `user-${randomUUID()}`;
const used = async (userId: string) =>
  (await sql`select usage_period, credits_used, questions_used from profiles where user_id = ${userId}`.execute(db)).rows[0];
const set = (userId: string, column: string, value: unknown) =>
  sql`update profiles set ${sql.ref(column)} = ${value} where user_id = ${userId}`.execute(db);
const profileOf = async (of: { userId: string }) => void (await ensureProfile(db, { userId: of.userId, name: null, email: null }));
const usage = async (user: TestUser) => (await user.call('GET', '/v1/usage')).body as unknown as Record<'used' | 'remaining', Record<string, number>>;
const chargeOnce = (userId: string, ref: string = randomUUID(), work: 'research' | 'question' = 'research') =>
  db.transaction().execute((tx) => charge(ctx, tx, { userId, work, ref }));

describe('a period', () => {
  it.each([
    ['2026-11-01T00:00:00.000Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ])('of %s is %s and ends at %s [R1031 R1032]', (at, key, end) => {
    const period = periodOf(new Date(at));
    expect([period.key, period.resetsAt.toISOString()]).toEqual([key, end]);
  });
});

describe('counting', () => {
  it('lets exactly as many pass as the cap has room for, however many come at once', async () => {
    const userId = newId();
    const passed = await Promise.all(Array.from({ length: 60 }, () => addUse(db, userId, NOVEMBER, 'credits', 1)));
    expect(passed.filter(Boolean)).toHaveLength(20);
    expect(await used(userId)).toMatchObject({ credits_used: 20 });
    await set(userId, 'credits_total', 21);
    const more = await Promise.all(Array.from({ length: 10 }, () => addUse(db, userId, NOVEMBER, 'credits', 1)));
    expect(more.filter(Boolean)).toHaveLength(1);
  });

  it('has a cap for each tier and counter, and refuses what alone is above it', async () => {
    const userId = newId();
    expect(await addUse(db, userId, NOVEMBER, 'credits', 21)).toBe(false);
    expect(await used(userId)).toBeUndefined();
    expect(await addUse(db, userId, NOVEMBER, 'questions', 50)).toBe(true);
    expect(await addUse(db, userId, NOVEMBER, 'questions', 1)).toBe(false);
    expect(await addUse(db, userId, NOVEMBER, 'tts_seconds', 300)).toBe(true);
    expect(await addUse(db, userId, NOVEMBER, 'tts_seconds', 1)).toBe(false);
    await set(userId, 'tier', 'pro');
    expect(await addUse(db, userId, NOVEMBER, 'questions', 2450)).toBe(true);
    expect(await addUse(db, userId, NOVEMBER, 'credits', 400)).toBe(true);
    expect(await addUse(db, userId, NOVEMBER, 'credits', 1)).toBe(false);
  });

  it('begins anew with the month, and is not taken back to the old one by a clock that is behind', async () => {
    const userId = newId();
    expect(await addUse(db, userId, NOVEMBER, 'credits', 20)).toBe(true);
    expect(await addUse(db, userId, NOVEMBER, 'questions', 5)).toBe(true);
    expect(await addUse(db, userId, DECEMBER, 'credits', 15)).toBe(true);
    expect(await used(userId)).toEqual({ usage_period: '2026-12', credits_used: 15, questions_used: 0 });
    expect(await addUse(db, userId, NOVEMBER, 'credits', 6)).toBe(false);
    expect(await addUse(db, userId, NOVEMBER, 'credits', 5)).toBe(true);
    expect(await used(userId)).toEqual({ usage_period: '2026-12', credits_used: 20, questions_used: 0 });
  });

  it('gives back within its month alone, and never below nothing', async () => {
    const userId = newId();
    await addUse(db, userId, DECEMBER, 'credits', 3);
    await db.transaction().execute((tx) => takeBackUse(tx, userId, NOVEMBER, 'credits', 2));
    expect(await used(userId)).toMatchObject({ credits_used: 3 });
    await db.transaction().execute((tx) => takeBackUse(tx, userId, DECEMBER, 'credits', 5));
    expect(await used(userId)).toMatchObject({ credits_used: 0 });
  });

  it.each([
    [NOVEMBER, 4, DECEMBER, 5, { usage_period: '2026-12', credits_used: 5 }],
    [DECEMBER, 4, NOVEMBER, 5, { usage_period: '2026-12', credits_used: 4 }],
    [DECEMBER, 4, DECEMBER, 5, { usage_period: '2026-12', credits_used: 9 }],
  ])('moves to another owner, month by month', async (ofFrom, fromUsed, ofTo, toUsed, expected) => {
    const [from, to] = [newId(), newId()];
    await addUse(db, from, ofFrom, 'credits', fromUsed);
    await addUse(db, to, ofTo, 'credits', toUsed);
    await db.transaction().execute((tx) => transferProfile(tx, from, to));
    expect(await used(to)).toMatchObject(expected);
    expect(await used(from)).toMatchObject({ credits_used: 0 });
  });
});

describe('a charge', () => {
  it('is made once for a piece of work, and given back once', async () => {
    const [userId, ref] = [newId(), randomUUID()];
    await Promise.all([chargeOnce(userId, ref), chargeOnce(userId, ref), chargeOnce(userId, ref)]);
    await chargeOnce(userId);
    expect(await used(userId)).toMatchObject({ credits_used: 2 });
    await Promise.all([giveBack(ctx, ref), giveBack(ctx, ref), giveBack(ctx, randomUUID())]);
    expect(await used(userId)).toMatchObject({ credits_used: 1 });
  });

  it('is taken back with the transaction that fails', async () => {
    const userId = newId();
    const failing = db.transaction().execute(async (tx) => {
      await charge(ctx, tx, { userId, work: 'research', ref: randomUUID() });
      throw new Error('no work');
    });
    await expect(failing).rejects.toThrow('no work');
    expect(await used(userId)).toBeUndefined();
  });

  it('names the cap and when it is reset, when it is used up; two at once never both pass', async () => {
    const userId = newId();
    await profileOf({ userId });
    await set(userId, 'credits_total', 1);
    const outcomes = await Promise.allSettled([chargeOnce(userId), chargeOnce(userId), chargeOnce(userId)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toMatchObject({
      kind: 'payment_required',
      detail: {
        code: 'CREDITS_USED_UP',
        message: 'The 1 credits of 2026-11 do not suffice for this; they are reset at 2026-12-01T00:00:00.000Z.',
      },
    });
    const { rows } = await sql`select 1 from usage_charges where user_id = ${userId}`.execute(db);
    expect(rows).toHaveLength(1);
  });

  it('counts questions apart from credits', async () => {
    const userId = newId();
    await chargeOnce(userId, randomUUID(), 'question');
    expect(await used(userId)).toMatchObject({ credits_used: 0, questions_used: 1 });
  });

  it('is nothing while metering is off', async () => {
    const userId = newId();
    await free.ctx.db.transaction().execute((tx) => charge(free.ctx, tx, { userId, work: 'research', ref: randomUUID() }));
    expect((await sql`select 1 from usage_charges`.execute(free.ctx.db)).rows).toEqual([]);
  });

  it('is forgotten when it is old', async () => {
    const userId = newId();
    await chargeOnce(userId);
    await sql`update usage_charges set charged_at = now() - interval '401 days' where user_id = ${userId}`.execute(db);
    expect(await deleteOldCharges(db, 400)).toBe(1);
  });
});

const IDEA = 'A habit tracking app with streaks and reminders';

describe('work that is metered', () => {
  const features = [{ id: 'streaks', name: 'Streaks', label: 'Streaks', source: 'user' }];

  it.each([
    ['POST /research', 1, { idea: IDEA }],
    ['POST /projects/research', 1, { idea: IDEA }],
    ['POST /ideas', 1, { idea: IDEA }],
    ['POST /v1/ideas', 1, { idea: IDEA }],
    ['POST /feature-research', 3, { idea: IDEA, features }],
    ['POST /build-graphs', 1, { idea: IDEA, features }],
  ])('%s costs %i, and is refused with 402 when that is not left, leaving nothing behind', async (name, price, body) => {
    const [method = 'POST', path = ''] = name.split(' ');
    const idea = `${body.idea} ${randomUUID()}`;
    const user = await app.user();
    await profileOf(user);
    await set(user.userId, 'credits_total', price);
    expect((await user.call(method as 'POST', path, { ...body, idea })).status).toBeLessThan(300);
    expect((await usage(user)).used['credits']).toBe(price);
    const projects = async () => (await sql`select 1 from projects where user_id = ${user.userId}`.execute(db)).rows.length;
    const before = await projects();
    const refused = await user.call(method as 'POST', path, { ...body, idea: `Invoices for freelance photographers ${randomUUID()}` });
    expect([refused.status, refused.body]).toMatchObject([402, { detail: { code: 'CREDITS_USED_UP' } }]);
    expect((await usage(user)).used['credits']).toBe(price);
    expect(await projects()).toBe(before);
  });

  it('POST /briefs costs one credit', async () => {
    const user = await app.user();
    const { body } = await user.call('POST', '/projects/research', { idea: `${IDEA} ${randomUUID()}` });
    await user.call('GET', `/research/${String(body['job_id'])}/events`);
    const write = () => user.call('POST', '/briefs', { project_id: body['project_id'] });
    expect((await write()).status).toBe(201);
    expect((await usage(user)).used['credits']).toBe(2);
    await set(user.userId, 'credits_total', 2);
    expect((await write()).status).toBe(402);
  });

  it('costs nothing when it is replayed, cloned or refused', async () => {
    const user = await app.user();
    const idea = `${IDEA} ${randomUUID()}`;
    const key = { 'idempotency-key': randomUUID() };
    const first = await user.call('POST', '/research', { idea }, key);
    await user.call('POST', '/research', { idea }, key);
    expect((await user.call('POST', '/research', { idea, project_id: randomUUID() })).status).toBe(404);
    await user.call('GET', `/research/${String(first.body['job_id'])}/events`);
    expect((await user.call('POST', '/research', { idea })).body).toMatchObject({ cache_action: 'clone' });
    expect((await usage(user)).used['credits']).toBe(1);
  });

  it('is given back when it failed', async () => {
    const user = await app.user();
    const { body } = await user.call('POST', '/research', { idea: 'asdf qwer zxcv' });
    await user.call('GET', `/research/${String(body['job_id'])}/events`);
    expect((await user.call('GET', `/research/${String(body['job_id'])}/status`)).body).toMatchObject({ status: 'failed' });
    await expect.poll(async () => (await usage(user)).used['credits'], { timeout: 30_000 }).toBe(0);
  });

  it('has its caps again in the next month', async () => {
    const user = await app.user();
    await profileOf(user);
    await set(user.userId, 'credits_total', 1);
    await chargeOnce(user.userId);
    await expect(chargeOnce(user.userId)).rejects.toMatchObject({ kind: 'payment_required' });
    const before = now;
    try {
      now = Date.parse('2026-12-01T00:00:00Z');
      const later = await app.userCalled(user.userId);
      expect(await usage(later)).toMatchObject({ period: { key: '2026-12' }, used: { credits: 0 }, remaining: { credits: 1 } });
      expect((await later.call('GET', '/auth/bootstrap')).body).toMatchObject({ profile: { credits_used: 0, credits_total: 1 } });
      await chargeOnce(user.userId);
    } finally {
      now = before;
    }
  });
});

describe('GET /v1/usage', () => {
  it('never shows less than nothing as left [R1036 R1037]', async () => {
    const user = await app.user();
    await profileOf(user);
    await set(user.userId, 'credits_used', 25);
    await set(user.userId, 'tts_seconds_used', 90);
    await set(user.userId, 'usage_period', '2026-11');
    expect(await usage(user)).toMatchObject({ used: { credits: 25, tts_seconds: 90 }, remaining: { credits: 0, tts_minutes: 3.5, questions: 50 } });
    await set(user.userId, 'tts_seconds_used', 301);
    expect((await usage(user)).remaining['tts_minutes']).toBe(0);
  });

  it('takes a stored total of credits for the cap [R1038 R1039]', async () => {
    const user = await app.user();
    await profileOf(user);
    await set(user.userId, 'tier', 'plus');
    expect(await usage(user)).toMatchObject({ tier: { id: 'plus', caps: { credits: 300 } }, remaining: { credits: 300 } });
    await set(user.userId, 'credits_total', 7);
    expect(await usage(user)).toMatchObject({ tier: { id: 'plus', caps: { questions: 1500, credits: 7 } }, remaining: { credits: 7 } });
  });
});
