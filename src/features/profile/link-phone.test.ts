import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { listOutbox } from '#platform/ports/text-messages/outbox.ts';
import { TextMessageFailed, type TextMessageFailure } from '#platform/ports/text-messages/port.ts';
import { findPhone } from './profile-store.ts';

let ahead = 0;
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { clock: { now: () => new Date(Date.now() + ahead) } } });
const { db } = app.ctx;
afterAll(() => app.dispose());

const newNumber = (): string => `+1415${randomInt(1e6, 1e7)}`;
const start = (user: TestUser, phone: string) => user.call('POST', '/profile/phone', { phone });
const verify = (user: TestUser, phone: string, code: string) => user.call('POST', '/profile/phone/verify', { phone, code });
/** As if an hour had passed for the limits. */
const forgetCounts = () => sql`delete from rate_windows`.execute(db);
/** The code that was sent to a number last. */
async function codeFor(phone: string): Promise<string> {
  const message = (await listOutbox(app.ctx, 200)).find(({ to }) => to === phone);
  return /^\d{6}(?= is your Groundwork code)/.exec(message?.body ?? '')?.[0] ?? '';
}
const otherThan = (code: string): string => String((Number(code) + 1) % 1e6).padStart(6, '0');
async function startedUser(phone = newNumber()) {
  const user = await app.user();
  expect((await start(user, phone)).status).toBe(202);
  return { user, phone, code: await codeFor(phone) };
}
async function linkedUser(phone = newNumber()) {
  const started = await startedUser(phone);
  expect((await verify(started.user, phone, started.code)).status).toBe(200);
  return started;
}
const refused = { status: 400, body: { detail: 'Wrong or expired code' } };

describe('linking a number', () => {
  it('takes the code that was sent to it, once', async () => {
    const { user, phone, code } = await startedUser();
    expect(code).toMatch(/^\d{6}$/);
    expect(await findPhone(db, user.userId)).toBeNull();
    expect(await verify(user, phone, code)).toMatchObject({ status: 200, body: { linked: true, phone } });
    expect(await findPhone(db, user.userId)).toBe(phone);
    expect((await user.call('GET', '/profile')).body['phone']).toBe(phone);
    expect(await verify(user, phone, code)).toMatchObject(refused);
  });

  it('takes a code from concurrent requests once', async () => {
    const { user, phone, code } = await startedUser();
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(user, phone, code)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
  });

  it('takes no code of another user or another number', async () => {
    const { user, phone, code } = await startedUser();
    expect(await verify(await app.user(), phone, code)).toMatchObject(refused);
    expect(await verify(user, newNumber(), code)).toMatchObject(refused);
    expect((await verify(user, phone, code)).status).toBe(200);
  });

  it('takes no code after five wrong ones', async () => {
    const { user, phone, code } = await startedUser();
    for (let tries = 0; tries < 5; tries += 1) expect(await verify(user, phone, otherThan(code))).toMatchObject(refused);
    expect(await verify(user, phone, code)).toMatchObject(refused);
    expect(await findPhone(db, user.userId)).toBeNull();
  });

  it('takes a code after four wrong ones', async () => {
    const { user, phone, code } = await startedUser();
    for (const wrong of [otherThan(code), 'abc', '', code.slice(1)]) expect(await verify(user, phone, wrong)).toMatchObject(refused);
    expect((await verify(user, phone, code)).status).toBe(200);
  });

  it('takes no code after ten minutes', async () => {
    const { user, phone, code } = await startedUser();
    ahead = 10 * 60 * 1000;
    try {
      expect(await verify(user, phone, code)).toMatchObject(refused);
    } finally {
      ahead = 0;
    }
    expect((await verify(user, phone, code)).status).toBe(200);
  });

  it('takes the code that was sent last, with all tries', async () => {
    const { user, phone, code: first } = await startedUser();
    for (let tries = 0; tries < 5; tries += 1) await verify(user, phone, otherThan(first));
    await forgetCounts();
    await sql`delete from text_outbox`.execute(db);
    expect((await start(user, phone)).status).toBe(202);
    const second = await codeFor(phone);
    if (second !== first) expect(await verify(user, phone, first)).toMatchObject(refused);
    expect((await verify(user, phone, second)).status).toBe(200);
  });

  it('leaves it to the last user who verified it', async () => {
    const { user, phone } = await linkedUser();
    await forgetCounts();
    await sql`delete from text_outbox`.execute(db);
    const { user: next } = await linkedUser(phone);
    expect(await findPhone(db, user.userId)).toBeNull();
    expect(await findPhone(db, next.userId)).toBe(phone);
  });

  it('leaves it to one of those who verify it at the same moment', async () => {
    const phone = newNumber();
    const users = await Promise.all([app.user(), app.user(), app.user()]);
    const codes: string[] = [];
    for (const user of users) {
      await sql`delete from text_outbox`.execute(db);
      await forgetCounts();
      await start(user, phone);
      codes.push(await codeFor(phone));
    }
    const answers = await Promise.all(users.map((user, n) => verify(user, phone, codes[n] ?? '')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const phones = await Promise.all(users.map((user) => findPhone(db, user.userId)));
    expect(phones.filter((each) => each === phone)).toHaveLength(1);
  });

  it('can be taken back, with whatever code is under way', async () => {
    const { user, phone } = await linkedUser();
    await forgetCounts();
    await sql`delete from text_outbox`.execute(db);
    await start(user, phone);
    const code = await codeFor(phone);
    expect(await user.call('DELETE', '/profile/phone')).toMatchObject({ status: 200, body: { success: true } });
    expect(await findPhone(db, user.userId)).toBeNull();
    expect(await verify(user, phone, code)).toMatchObject(refused);
    expect((await user.call('DELETE', '/profile/phone')).status).toBe(200);
  });

  it('keeps a code as a hash that nobody can work out without the key', async () => {
    const { user, code } = await startedUser();
    const { rows } = await sql<{ code_hash: string }>`select * from phone_codes where user_id = ${user.userId}`.execute(db);
    expect(rows[0]?.code_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(rows)).not.toContain(`"${code}"`);
  });

  it('takes a code that was sent before the key changed', async () => {
    const { user, phone, code } = await startedUser();
    const { secrets } = app.ctx;
    expect(secrets.renew?.(secrets.keys().first)).toBe(true);
    expect((await verify(user, phone, code)).status).toBe(200);
  });
});

describe('codes are not sent without end', () => {
  const limited = { status: 429, body: { detail: expect.stringContaining('Rate limit exceeded') } };

  it('one in 30 seconds to a user, whatever the number', async () => {
    const { user } = await startedUser();
    const second = await start(user, newNumber());
    expect(second).toMatchObject(limited);
    expect(Number(second.headers['retry-after'])).toBeLessThanOrEqual(30);
  });

  it('five in an hour to a user', async () => {
    const user = await app.user();
    const again = async () => {
      await sql`delete from rate_windows where key like 'phone code again%'`.execute(db);
      return (await start(user, newNumber())).status;
    };
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push(await again());
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  it('five in an hour to a number, whoever asks', async () => {
    const phone = newNumber();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await start(await app.user(), phone)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  it('as many in an hour as the operator says, to all together', async () => {
    const strict = await startTestApp({ env: { ROLES: 'api', PHONE_CODES_PER_HOUR: '2' } });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 3; n += 1) statuses.push((await start(await strict.user(), newNumber())).status);
      expect(statuses).toEqual([202, 202, 429]);
    } finally {
      await strict.dispose();
    }
  });

  it('and twenty can be tried in an hour', async () => {
    const user = await app.user();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await verify(user, newNumber(), '123456')).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
  });
});

describe('a code that is not delivered', () => {
  const texts = { failure: 'refused' as TextMessageFailure, bodies: [] as string[] };
  const failing = startTestApp({
    env: { ROLES: 'api' },
    overrides: {
      texts: {
        send: async ({ body }) => {
          texts.bodies.push(body);
          throw new TextMessageFailed(texts.failure, 'it says no');
        },
      },
    },
  });
  afterAll(async () => (await failing).dispose());

  it.each([
    ['refused', 'The code could not be sent. Try again later.', 400],
    ['busy', 'The code could not be sent. Try again later.', 400],
    ['number', 'This number takes no text messages', 400],
    ['unclear', 'The code could not be sent. Try again later.', 200],
  ] as const)('answers 502 when sending is %s, and holds only if it may have arrived', async (failure, detail, status) => {
    texts.failure = failure;
    const [user, phone] = [await (await failing).user(), newNumber()];
    expect(await start(user, phone)).toMatchObject({ status: 502, body: { detail } });
    expect((await verify(user, phone, texts.bodies.at(-1)?.slice(0, 6) ?? '')).status).toBe(status);
  });
});
