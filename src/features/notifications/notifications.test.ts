import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { isIdle, newIdea } from '#testing/factories.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import type { PushGateway, PushMessage } from '#platform/ports/push-gateway/port.ts';
import { weeklyDigest } from './digest-schedule.ts';
import { notify, type Notification } from './notify.ts';
import { releaseHeld } from './release-held.ts';
import { digestText, sendDigest } from './send-digest.ts';

const SECRET = 'the-secret-of-publishers';
/** Every push by the token of its device. */
const pushed: { token: string; message: PushMessage }[] = [];
const gateway: PushGateway = {
  via: () => 'apns',
  webPushKey: async () => 'key',
  send: async (target, message) => {
    if (target.kind === 'apns') pushed.push({ token: target.token, message });
    if (target.kind === 'apns' && target.token.startsWith('bad')) return { outcome: 'gone', since: null, reason: 'BadDeviceToken' };
    return { outcome: 'accepted' };
  },
  close: async () => {},
};
let offset = 0;
const clock = { now: () => new Date(Date.now() + offset) };
const app = await startTestApp({ env: { TOAST_PUBLISH_SECRET: SECRET, ROLES: 'api,worker' }, overrides: { push: gateway, clock } });
const { ctx } = app;
const { db } = ctx;
afterAll(() => app.dispose());
beforeEach(() => {
  offset = 0;
});

const settled = () => expect.poll(() => isIdle(ctx), { timeout: 30_000 }).toBe(true);
const pushesTo = (token: string): PushMessage[] => pushed.filter((each) => each.token === token).map(({ message }) => message);

async function userWithDevice(): Promise<TestUser & { device: string }> {
  const user = await app.user();
  const device = `token-${randomUUID()}`;
  expect((await user.call('POST', '/push-tokens', { device_token: device })).status).toBe(200);
  return { ...user, device };
}

/** A socket of a user that follows their toasts. */
async function connect(userId: string, isForeground: boolean, topics = [`toast:user:${userId}`]): Promise<FakeSocket> {
  const socket = new FakeSocket();
  ctx.hub.connect(socket, { userId, topics, signal: socket.signal })?.setForeground(isForeground);
  await ctx.presence.settled();
  return socket;
}

const publish = async (userId: string, more: object = {}) => {
  const body = { user_id: userId, topic: `user:${userId}`, toast: { title: 'Hello', body: 'there' }, ...more };
  const answer = await app.server.fastify.inject({
    method: 'POST',
    url: '/v1/toasts/publish',
    headers: { authorization: `Bearer ${SECRET}` },
    payload: body,
  });
  expect(answer.statusCode, answer.payload).toBe(202);
  return answer.json<{ delivered: boolean; transport: string; session_count: number }>();
};

const occasion = (userId: string, more: Partial<Notification> = {}): Notification => ({
  userId,
  preference: 'build_complete',
  title: 'Build plan ready',
  body: 'It is.',
  data: { type: 'build_complete' },
  wakes: 'unwatched',
  ...more,
});

const quiet = (user: TestUser, more: object = {}) =>
  user.call('PUT', '/push-tokens/preferences/quiet-hours', { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', ...more });
const at = (moment: string): void => void (offset = Date.parse(moment) - Date.now());
const heldOf = async (userId: string) =>
  (
    await sql<{
      id: string;
      held_until: Date;
    }>`select id, held_until from notifications where owner_id = ${userId} and held_until is not null`.execute(db)
  ).rows;

describe('whoever is told something', () => {
  it('is pushed it while nobody looks at any of their sockets', async () => {
    const user = await userWithDevice();
    expect((await notify(ctx, occasion(user.userId))).push).toBe('sent');
    const background = await connect(user.userId, false);
    expect((await notify(ctx, occasion(user.userId))).push).toBe('sent');
    const foreground = await connect(user.userId, true);
    expect((await notify(ctx, occasion(user.userId))).push).toBe('none');
    foreground.leave();
    background.leave();
    await ctx.presence.settled();
    expect((await notify(ctx, occasion(user.userId))).push).toBe('sent');
    await settled();
    expect(pushesTo(user.device)).toHaveLength(3);
  });

  it('is not pushed what they do without, or without a device', async () => {
    const user = await userWithDevice();
    await user.call('POST', '/push-tokens/preferences', { id: 'build_complete', enabled: false });
    expect((await notify(ctx, occasion(user.userId))).push).toBe('none');
    expect((await notify(ctx, occasion(user.userId, { preference: null }))).push).toBe('sent');
    expect((await notify(ctx, occasion((await app.user()).userId))).push).toBe('none');
  });

  it('is told once, however often the occasion is worked', async () => {
    const user = await userWithDevice();
    let isClaimed = false;
    const claim = async () => !isClaimed && (isClaimed = true);
    expect((await notify(ctx, occasion(user.userId), claim)).push).toBe('sent');
    expect((await notify(ctx, occasion(user.userId), claim)).push).toBe('none');
    await settled();
    expect(pushesTo(user.device)).toHaveLength(1);
  });
});

describe('what is published', () => {
  it('goes to sockets, else as a push, else waits [R1132 R1180 R1181]', async () => {
    const user = await userWithDevice();
    expect(await publish(user.userId)).toEqual({ delivered: true, transport: 'push', session_count: 0 });
    const socket = await connect(user.userId, false);
    expect(await publish(user.userId)).toEqual({ delivered: true, transport: 'websocket', session_count: 1 });
    expect(socket.messages).toMatchObject([{ type: 'toast', toast: { title: 'Hello' } }]);
    socket.leave();
    await ctx.presence.settled();
    expect(await publish(user.userId, { fallback_apns: false })).toEqual({ delivered: false, transport: 'none', session_count: 0 });
    const other = await connect(user.userId, true, ['toast:another']);
    expect(await publish(user.userId)).toEqual({ delivered: false, transport: 'none', session_count: 0 });
    other.leave();
    await settled();
    expect(pushesTo(user.device)).toMatchObject([{ title: 'Hello', body: 'there', data: { type: 'toast' } }]);
    expect(await publish((await app.user()).userId)).toEqual({ delivered: false, transport: 'none', session_count: 0 });
  });

  it('under one dedupe key comes once, over whichever channel [R1179]', async () => {
    const user = await userWithDevice();
    const key = { dedupe_key: 'one' };
    expect((await publish(user.userId, key)).transport).toBe('push');
    await connect(user.userId, true);
    expect(await publish(user.userId, key)).toEqual({ delivered: false, transport: 'none', session_count: 0 });
    await settled();
    expect(pushesTo(user.device)).toHaveLength(1);
  });

  it('that no device takes waits for sockets again', async () => {
    const user = await app.user();
    await user.call('POST', '/push-tokens', { device_token: `bad-${randomUUID()}` });
    expect((await publish(user.userId, { toast: { title: 'First' } })).transport).toBe('push');
    await settled();
    const socket = await connect(user.userId, true);
    await publish(user.userId, { toast: { title: 'Second' } });
    expect(socket.messages).toMatchObject([{ toast: { title: 'First' } }, { toast: { title: 'Second' } }]);
  });

  it('carries its collapse key and its end to the device [R1179]', async () => {
    const user = await userWithDevice();
    const before = Date.now();
    await publish(user.userId, { collapse_key: 'scores', ttl_ms: 60_000, toast: { title: 'Hello', deeplink: 'groundwork://x' } });
    await settled();
    const [push] = pushesTo(user.device);
    expect(push).toMatchObject({ collapseKey: 'scores', deeplink: 'groundwork://x' });
    expect((push?.expiresAt?.getTime() ?? 0) - before).toBeGreaterThanOrEqual(60_000);
  });

  it('reaches phones that were registered for toasts, once', async () => {
    const user = await app.user();
    const token = `token-${randomUUID()}`;
    const device = { device_id: 'phone', apns: { device_token: token, environment: 'production', fallback_enabled: true } };
    expect((await user.call('POST', '/v1/devices/register-toast', device)).status).toBe(200);
    await user.call('POST', '/push-tokens', { device_token: token });
    expect((await publish(user.userId)).transport).toBe('push');
    await settled();
    await user.call('DELETE', '/push-tokens', { device_token: token });
    expect((await publish(user.userId)).transport).toBe('push');
    await user.call('POST', '/v1/devices/register-toast', { ...device, apns: { ...device.apns, fallback_enabled: false } });
    expect((await publish(user.userId)).transport).toBe('none');
    await settled();
    expect(pushesTo(token)).toHaveLength(2);
  });

  it('needs the secret, and answers 400 or 422 to what is no toast [R1160 R1176 R1177 R1178 R1182 R1183]', async () => {
    const send = async (body: object, bearer?: string) => {
      const headers = bearer ? { authorization: `Bearer ${bearer}` } : {};
      const answer = await app.server.fastify.inject({ method: 'POST', url: '/v1/toasts/publish', headers, payload: body });
      return [answer.statusCode, answer.json<{ detail: string }>().detail];
    };
    const whole = { user_id: 'somebody', topic: 'news', toast: { title: 'Hello' } };
    expect(await send(whole)).toEqual([401, 'invalid_publish_key']);
    expect(await send(whole, 'another secret')).toEqual([401, 'invalid_publish_key']);
    expect(await send(whole, (await app.user()).token)).toEqual([401, 'invalid_publish_key']);
    for (const name of ['user_id', 'topic', 'toast']) expect((await send({ ...whole, [name]: undefined }, SECRET))[0], name).toBe(400);
    expect((await send({ ...whole, toast: {} }, SECRET))[0]).toBe(400);
    expect((await send({ ...whole, ttl_ms: 0 }, SECRET))[0]).toBe(422);
  });
});

describe('in quiet hours', () => {
  it('a push is held until they end, and nothing else is', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    expect((await quiet(user)).status).toBe(200);
    expect((await notify(ctx, occasion(user.userId))).push).toBe('held');
    expect(await publish(user.userId)).toMatchObject({ delivered: false, transport: 'none' });
    expect(await publish(user.userId, { toast: { title: 'Urgent', priority: 'high' } })).toMatchObject({ delivered: true, transport: 'push' });
    const held = await heldOf(user.userId);
    expect(held.map(({ held_until: until }) => until.toISOString())).toEqual(['2037-11-25T06:00:00.000Z', '2037-11-25T06:00:00.000Z']);
    await settled();
    expect(pushesTo(user.device).map(({ title }) => title)).toEqual(['Urgent']);

    await expect(releaseHeld(ctx, { notificationId: held[0]?.id ?? '' })).rejects.toEqual(new RetryLater(new Date('2037-11-25T06:00:00Z')));
    expect(await heldOf(user.userId)).toHaveLength(2);
    at('2037-11-25T06:00:00Z');
    for (const { id } of held) await releaseHeld(ctx, { notificationId: id });
    await settled();
    const titles = pushesTo(user.device).map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['Build plan ready', 'Hello', 'Urgent']);
    expect(await heldOf(user.userId)).toEqual([]);
  });

  it('queues a job for their end, in the database', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    await quiet(user);
    await notify(ctx, occasion(user.userId));
    const [held] = await heldOf(user.userId);
    const { rows } = await sql<{ start_after: Date }>`
      select start_after from jobs.job where name = 'notification.release' and data ->> 'notificationId' = ${held?.id ?? ''}`.execute(db);
    expect(rows.map(({ start_after: start }) => start.toISOString())).toEqual(['2037-11-25T06:00:00.000Z']);
  });

  it('what a socket shows meanwhile, what is over, and what whoever looks can see, is not pushed afterwards', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    await quiet(user);
    await publish(user.userId, { toast: { title: 'Shown' }, topic: 'one' });
    await publish(user.userId, { toast: { title: 'Over' }, topic: 'two', ttl_ms: 1000 });
    await publish(user.userId, { toast: { title: 'Kept' }, topic: 'three' });
    const [held] = await heldOf(user.userId);
    await sql`update toasts set sent_at = now() where user_id = ${user.userId} and topic = 'one'`.execute(db);
    at('2037-11-25T06:00:00Z');
    await releaseHeld(ctx, { notificationId: held?.id ?? '' });
    await settled();
    expect(pushesTo(user.device).map(({ title }) => title)).toEqual(['Kept']);

    at('2037-11-25T23:00:00Z');
    await notify(ctx, occasion(user.userId));
    const [later] = await heldOf(user.userId);
    await connect(user.userId, true);
    at('2037-11-26T06:00:00Z');
    await releaseHeld(ctx, { notificationId: later?.id ?? '' });
    await settled();
    expect(pushesTo(user.device)).toHaveLength(1);
  });

  it('what is held of a project goes with it', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    const projectId = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    await quiet(user);
    await notify(ctx, occasion(user.userId, { projectId }));
    await notify(ctx, occasion(user.userId, { title: 'Of no project' }));
    expect((await user.call('DELETE', `/projects/${projectId}`)).status).toBe(200);
    const [held, ...others] = await heldOf(user.userId);
    expect(others).toEqual([]);
    at('2037-11-25T06:00:00Z');
    await releaseHeld(ctx, { notificationId: held?.id ?? '' });
    await settled();
    expect(pushesTo(user.device).map(({ title }) => title)).toEqual(['Of no project']);
  });

  it('no more than the last 50 are held', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    await quiet(user);
    for (let n = 0; n < 52; n += 1) await notify(ctx, occasion(user.userId, { body: String(n), preference: null }));
    expect(await heldOf(user.userId)).toHaveLength(50);
  });

  it('the last of those with one collapse key is held', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    await quiet(user);
    for (const body of ['1:0', '2:0']) await notify(ctx, occasion(user.userId, { body, collapseKey: 'scores' }));
    const held = await heldOf(user.userId);
    expect(held).toHaveLength(1);
    at('2037-11-25T06:00:00Z');
    await releaseHeld(ctx, { notificationId: held[0]?.id ?? '' });
    await settled();
    expect(pushesTo(user.device).map(({ body }) => body)).toEqual(['2:0']);
  });

  it('what is held goes out at once when they are ended', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    await quiet(user);
    await notify(ctx, occasion(user.userId));
    await quiet(user, { to: '08:00' });
    expect((await heldOf(user.userId)).map(({ held_until: until }) => until.toISOString())).toEqual(['2037-11-25T07:00:00.000Z']);
    at(new Date().toISOString());
    expect((await user.call('DELETE', '/push-tokens/preferences/quiet-hours')).body).toEqual({ success: true });
    expect((await user.call('GET', '/push-tokens/preferences/quiet-hours')).body).toEqual({ quiet_hours: null });
    await settled();
    await expect.poll(() => pushesTo(user.device).length, { timeout: 20_000 }).toBe(1);
  });

  it('what joins the digest is not pushed when they end', async () => {
    at('2037-11-24T23:00:00Z');
    const user = await userWithDevice();
    await quiet(user, { afterwards: 'digest' });
    expect((await notify(ctx, occasion(user.userId))).push).toBe('held');
    expect(await heldOf(user.userId)).toEqual([]);
    at('2037-11-30T08:00:00Z');
    await sendDigest(ctx, { userId: user.userId, key: user.userId, at: clock.now() });
    await settled();
    expect(pushesTo(user.device)).toMatchObject([{ title: 'Your week', body: '1 build plan ready.', data: { type: 'weekly_digest' } }]);
  });

  it('are checked', async () => {
    const user = await app.user();
    expect((await quiet(user, { from: '24:00' })).status).toBe(422);
    expect((await quiet(user, { to: '22:00' })).status).toBe(422);
    expect((await quiet(user, { time_zone: 'Mars/Olympus' })).status).toBe(422);
    expect((await quiet(user, { from: undefined })).status).toBe(400);
    expect((await quiet(user)).body).toEqual({
      quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', afterwards: 'push' },
    });
    expect((await user.call('GET', '/push-tokens/preferences/quiet-hours')).body).toEqual((await quiet(user)).body);
  });
});

describe('the weekly digest', () => {
  it('comes on Monday at nine, on the user’s clock, and only when there is something to tell', async () => {
    at('2037-11-24T12:00:00Z');
    const user = await userWithDevice();
    const next = async () => (await ctx.schedules.find(db, weeklyDigest, user.userId))?.next_run_at?.toISOString();
    expect(await next()).toBeUndefined();
    await notify(ctx, occasion(user.userId));
    await notify(ctx, occasion(user.userId, { preference: 'signal_alert' }));
    expect(await next()).toBe('2037-11-30T09:00:00.000Z');
    await quiet(user, { time_zone: 'America/New_York' });
    expect(await next()).toBe('2037-11-30T14:00:00.000Z');

    at('2037-11-30T14:00:00Z');
    const due = { userId: user.userId, key: user.userId, at: clock.now() };
    await Promise.all([sendDigest(ctx, due), sendDigest(ctx, due)]);
    await settled();
    expect(pushesTo(user.device).filter(({ title }) => title === 'Your week')).toMatchObject([{ body: '1 build plan ready and 1 signal.' }]);
    // The session from before the jump of the clock is over.
    const later = await app.userCalled(user.userId);
    expect((await later.call('GET', '/v1/toasts')).body['items']).toMatchObject([{ title: 'Your week' }]);
    expect(await next()).toBeDefined();
    await sendDigest(ctx, { ...due, at: new Date(due.at.getTime() + 1) });
    expect(await next()).toBeUndefined();
    expect((await later.call('GET', '/v1/toasts')).body['items']).toHaveLength(1);
  });

  it('does not come to who does without', async () => {
    const user = await userWithDevice();
    await notify(ctx, occasion(user.userId));
    await user.call('POST', '/push-tokens/preferences', { id: 'weekly_digest', enabled: false });
    await sendDigest(ctx, { userId: user.userId, key: user.userId, at: clock.now() });
    await settled();
    expect(pushesTo(user.device).map(({ title }) => title)).toEqual(['Build plan ready']);
  });

  it('counts in words', () => {
    const kinds = ['research_complete', 'research_complete', 'build_complete', 'signal_alert', null] as const;
    expect(digestText(kinds.map((preference) => ({ preference })))).toBe('2 researches completed, 1 build plan ready, 1 signal and 1 message.');
  });
});

describe('a completed research', () => {
  it('is pushed once, with its build plan, and not when it was a clone [R1197]', async () => {
    const user = await userWithDevice();
    const idea = newIdea();
    const jobId = String((await user.call('POST', '/research', { idea })).body['job_id']);
    const typesOf = () => pushesTo(user.device).map(({ data }) => data['type']);
    await expect.poll(typesOf, { timeout: 30_000 }).toContain('research_complete');
    expect((await user.call('POST', '/research', { idea })).body).toMatchObject({ cache_action: 'clone' });
    await settled();
    expect(typesOf().filter((type) => type === 'research_complete')).toHaveLength(1);
    expect(pushesTo(user.device).find(({ data }) => data['type'] === 'research_complete')).toMatchObject({
      title: 'Research completed',
      body: expect.stringContaining(idea),
      deeplink: `groundwork://research/${jobId}`,
      data: { research_id: jobId },
    });
  });

  it('of features is pushed with its type [R468]', async () => {
    const user = await userWithDevice();
    const body = { idea: newIdea(), features: [{ id: 'streaks', name: 'Streaks' }] };
    const jobId = String((await user.call('POST', '/feature-research', body)).body['job_id']);
    await expect
      .poll(() => pushesTo(user.device), { timeout: 30_000 })
      .toMatchObject([{ data: { type: 'feature_research_complete', feature_research_id: jobId } }]);
  });

  it('and a build plan that is ready are told to who is away', async () => {
    const user = await userWithDevice();
    const features = [{ id: 'streaks', label: 'Streaks', source: 'manual' }];
    const graphId = String((await user.call('POST', '/build-graphs', { idea: newIdea(), features })).body['graph_id']);
    await expect
      .poll(() => pushesTo(user.device), { timeout: 30_000 })
      .toMatchObject([{ title: 'Build plan ready', data: { type: 'build_complete', graph_id: graphId } }]);
  });
});

describe('a personal push URL', () => {
  const send = (slug: string, payload: string | Buffer, type = 'text/plain') =>
    app.server.fastify.inject({ method: 'POST', url: `/v1/${slug}`, headers: { 'content-type': type }, payload });
  const slugOf = async (user: TestUser): Promise<string> => String((await user.call('GET', '/v1/notify/me')).body['slug']);

  it('pushes a text to its owner, and shows it where they look [R1206 R1207 R1209]', async () => {
    const user = await userWithDevice();
    const slug = await slugOf(user);
    const answer = await send(slug, 'The backup is done. ✓', 'text/plain; charset=utf-8');
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    const socket = await connect(user.userId, true);
    await send(slug, 'Seen');
    await settled();
    expect(pushesTo(user.device)).toMatchObject([{ body: 'The backup is done. ✓', data: { type: 'message' } }]);
    expect(socket.messages).toMatchObject([{ toast: { body: 'Seen' } }]);
  });

  it('is another with each call, and the earlier one is void at once [R1204 R1205]', async () => {
    const user = await app.user();
    const { body, headers } = await user.call('GET', '/v1/notify/me');
    expect(headers['cache-control']).toBe('no-store');
    expect(body['url']).toMatch(new RegExp(`/v1/${body['slug']}$`));
    const second = await slugOf(user);
    expect(second).not.toBe(body['slug']);
    expect((await send(String(body['slug']), 'x')).statusCode).toBe(404);
    expect((await send(second, 'x')).statusCode).toBe(200);
    const many = await Promise.all([1, 2, 3, 4].map(() => slugOf(user)));
    expect((await Promise.all(many.map((slug) => send(slug, 'x')))).filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('takes short texts, three a minute, and leaves other routes alone [R1208 R1210]', async () => {
    const user = await app.user();
    const slug = await slugOf(user);
    expect((await send(slug, 'x'.repeat(1025))).statusCode).toBe(413);
    expect((await send(slug, '{}', 'application/json')).statusCode).toBe(400);
    expect((await send(slug, '')).statusCode).toBe(400);
    expect((await send('unknown', 'x')).statusCode).toBe(404);
    expect((await user.call('POST', '/v1/ideas', {})).status).toBe(400);
    const fresh = await slugOf(user);
    expect((await send(fresh, 'x'.repeat(1024))).statusCode).toBe(200);
    expect((await send(fresh, '   ')).statusCode).toBe(400);
    expect((await send(fresh, Buffer.of(0xff, 0xfe))).statusCode).toBe(400);
    const limited = await send(fresh, 'x');
    expect([limited.statusCode, Number(limited.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await send(await slugOf(user), 'x')).statusCode).toBe(200);
  });

  it('becomes the user’s that its anonymous owner turned out to be', async () => {
    const [anonymous, user] = [await app.anonymous(), await userWithDevice()];
    const slug = await slugOf(anonymous);
    await anonymous.call('PUT', '/push-tokens/preferences/quiet-hours', { from: '01:00', to: '02:00', time_zone: 'UTC' });
    await user.call('POST', '/auth/rebind', { device_id: anonymous.deviceId });
    await send(slug, 'moved');
    expect((await user.call('GET', '/push-tokens/preferences/quiet-hours')).body).toMatchObject({ quiet_hours: { from: '01:00' } });
    await settled();
    await expect.poll(() => pushesTo(user.device).map(({ body }) => body)).toEqual(['moved']);
  });
});
