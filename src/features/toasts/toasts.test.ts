import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { connectAs, type FrameClient } from '#testing/toast-socket.ts';
import { deliverToast, foregroundAnywhere, giveBack, takeForPush, type ToastOrder } from './deliver-toast.ts';
import { deleteOldDevices, forgetDeviceToken, listFallbackDevices } from './device-store.ts';
import { registerDevice } from './register-device.ts';
import { Toast } from './schema.ts';
import { sendWaiting } from './send-waiting.ts';
import { deleteOldToasts } from './toast-store.ts';

const HOUR = 3_600_000;
let ahead = 0;
const clock = { now: () => new Date(Date.now() + ahead) };
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { clock } });
/** Another node on the same database. */
const other = await startTestApp({ env: { ROLES: 'api' }, overrides: { clock, database: app.ctx.database } });
afterAll(async () => {
  await other.stop(0);
  await app.dispose();
});

const toast = (title: string) => Toast.parse({ title });
const order = (user: TestUser, title: string, more: Partial<ToastOrder> = {}): ToastOrder => ({
  userId: user.userId,
  topic: `user:${user.userId}`,
  toast: toast(title),
  ...more,
});
const publish = (user: TestUser, title: string, more: Partial<ToastOrder> = {}) => deliverToast(app.ctx, order(user, title, more));

async function open(user: TestUser, url = app.url, topics?: readonly string[]): Promise<FrameClient> {
  const socket = await connectAs(user, url, topics ? { topics } : {});
  expect((await socket.next()).type).toBe('connection_ack');
  return socket;
}

const titlesIn = (frames: readonly Record<string, unknown>[]) => frames.map((frame) => (frame['toast'] as { title: string } | undefined)?.title);
const nextTitle = async (socket: FrameClient) => titlesIn([await socket.next()])[0];
const listed = async (user: TestUser, query = '') =>
  (await user.call('GET', `/v1/toasts${query}`)).body['items'] as unknown as Record<string, unknown>[];

describe('a toast', () => {
  it('arrives with all that it holds [R1118 R1160 R1161 R1162 R1164 R1166]', async () => {
    const user = await app.user();
    const socket = await open(user);
    const whole = {
      title: 'Ready',
      body: 'ä€😀',
      style: 'success',
      priority: 'high',
      duration_ms: 0,
      deeplink: 'app://x',
      metadata: { a: [1, { b: null }] },
    };
    const first = await publish(user, 'whole', { toast: Toast.parse(whole) });
    expect(first).toEqual({ outcome: 'delivered', sessionCount: 1, foreground: false, toastId: expect.any(String) });
    const topic = `user:${user.userId}`;
    const base = { topic, created_at: expect.any(String) };
    expect(await socket.next()).toEqual({ type: 'toast', toast: { id: first.toastId, ...base, ...whole } });
    const second = await publish(user, 'Bare');
    const bare = { title: 'Bare', body: null, style: 'info', priority: 'normal', duration_ms: 3000, deeplink: null, metadata: null };
    expect(await socket.next()).toEqual({ type: 'toast', toast: { id: second.toastId, ...base, ...bare } });
    socket.close();
  });

  it('reaches the sockets of its user that follow its topic, on every node, once', async () => {
    const [user, stranger] = [await app.user(), await app.user()];
    const here = await open(user, app.url, ['builds']);
    const there = await open(user, other.url, ['builds', 'news']);
    const elsewhere = await open(user, other.url, ['news']);
    const foreign = await open(stranger, other.url, ['builds', `user:${user.userId}`]);
    for (let n = 0; n < 10; n += 1) {
      const from = n % 2 === 0 ? app : other;
      expect(await deliverToast(from.ctx, order(user, `build ${n}`, { topic: 'builds' }))).toMatchObject({ outcome: 'delivered', sessionCount: 2 });
    }
    expect(await publish(user, 'last', { topic: 'news' })).toMatchObject({ outcome: 'delivered', sessionCount: 2 });
    await deliverToast(other.ctx, order(stranger, 'for strangers', { topic: 'builds' }));
    const builds = Array.from({ length: 10 }, (_, n) => `build ${n}`);
    for (const title of builds) expect(await nextTitle(here)).toBe(title);
    for (const title of [...builds, 'last']) expect(await nextTitle(there)).toBe(title);
    expect(await nextTitle(elsewhere)).toBe('last');
    expect(await nextTitle(foreign)).toBe('for strangers');
    for (const socket of [here, there, elsewhere, foreign]) {
      expect(await socket.soFar()).toEqual([]);
      socket.close();
    }
  });

  it('waits for whoever connects in time, and is sent once', async () => {
    const user = await app.user();
    expect(await publish(user, 'kept')).toMatchObject({ outcome: 'stored', sessionCount: 0 });
    expect(await publish(user, 'of news', { topic: 'news' })).toMatchObject({ outcome: 'stored' });
    const socket = await open(user, other.url);
    expect(await nextTitle(socket)).toBe('kept');
    socket.say({ type: 'subscribe', topics: ['news'] });
    expect(titlesIn(await socket.soFar())).toEqual([undefined, 'of news']);
    const late = await open(user, app.url, [`user:${user.userId}`, 'news']);
    expect(await late.soFar()).toEqual([]);
    for (const each of [socket, late]) each.close();
  });

  it('waits for the user that its anonymous owner turns out to be, under their topics', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    const { body } = await visitor.call('POST', '/v1/sessions/toast-bootstrap', {});
    const owner = String((body['default_topics'] as unknown as string[])[0]).replace('user:', '');
    const [own, below, shared] = [`user:${owner}`, `user:${owner}:orders`, 'news'];
    for (const topic of [own, below, shared]) await deliverToast(app.ctx, { userId: owner, topic, toast: toast(topic) });
    expect((await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId })).body).toMatchObject({ rebound: true });
    const socket = await open(user, app.url, [`user:${user.userId}`, `user:${user.userId}:orders`, shared]);
    expect([await nextTitle(socket), await nextTitle(socket), await nextTitle(socket)]).toEqual([own, below, shared]);
    socket.close();
  });

  it('is of no use when its time is over', async () => {
    const user = await app.user();
    const publishAt = async (hours: number, title: string, ttlMs?: number) => {
      ahead = hours * HOUR;
      await publish(user, title, ttlMs === undefined ? {} : { ttlMs });
    };
    try {
      await publishAt(-25, 'old');
      await publishAt(-25, 'long', 48 * HOUR);
      await publishAt(-23, 'standard');
      await publishAt(-23, 'short', 1000);
    } finally {
      ahead = 0;
    }
    const late = await open(user);
    expect(titlesIn(await late.soFar())).toEqual(['long', 'standard']);
    late.close();
    expect((await listed(user)).map(({ title }) => title)).toEqual(['short', 'standard', 'long', 'old']);
  });

  it('waits with the newest hundred of its user alone', async () => {
    const user = await app.user();
    for (let n = 0; n < 103; n += 1) await publish(user, `${n}`);
    const socket = await open(user);
    expect(titlesIn(await socket.soFar())).toEqual(Array.from({ length: 100 }, (_, n) => `${n + 3}`));
    socket.close();
  });
});

describe('a key against repetition', () => {
  it('lets one of fifty through that come at once, to two nodes, to one row and one frame [R1179]', async () => {
    const user = await app.user();
    const socket = await open(user, other.url);
    const orders = Array.from({ length: 50 }, (_, n) => deliverToast((n % 2 === 0 ? app : other).ctx, order(user, `${n}`, { dedupeKey: 'one' })));
    const outcomes = await Promise.all(orders);
    expect(outcomes.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(49);
    expect(new Set(outcomes.map(({ toastId }) => toastId)).size).toBe(1);
    await publish(user, 'last');
    expect(await nextTitle(socket)).toMatch(/^\d+$/);
    expect(await nextTitle(socket)).toBe('last');
    expect(await listed(user)).toHaveLength(2);
    socket.close();
  });

  it('holds for a day, and for its user alone', async () => {
    const [user, neighbour] = [await app.user(), await app.user()];
    const keyed = (who: TestUser) => publish(who, 'again', { dedupeKey: 'key' });
    const first = await keyed(user);
    expect(await keyed(neighbour)).toMatchObject({ outcome: 'stored' });
    try {
      ahead = 23 * HOUR;
      expect(await keyed(user)).toEqual({ outcome: 'repeated', sessionCount: 0, foreground: false, toastId: first.toastId });
      ahead = 25 * HOUR;
      expect(await keyed(user)).toMatchObject({ outcome: 'stored' });
    } finally {
      ahead = 0;
    }
    expect(await listed(user)).toHaveLength(2);
  });
});

describe('a key to collapse under', () => {
  it('keeps one of fifty that wait, whichever came last [R1179]', async () => {
    const user = await app.user();
    await Promise.all(Array.from({ length: 50 }, (_, n) => publish(user, `${n}`, { collapseKey: 'progress' })));
    await publish(user, 'the last one', { collapseKey: 'progress' });
    await publish(user, 'another', { collapseKey: 'other' });
    expect((await listed(user)).map(({ title }) => title)).toEqual(['another', 'the last one']);
    const socket = await open(user);
    expect(titlesIn(await socket.soFar())).toEqual(['the last one', 'another']);
    socket.close();
  });

  it('forgets nothing of the key against repetition of what it replaced', async () => {
    const user = await app.user();
    const first = () => publish(user, 'first', { collapseKey: 'progress', dedupeKey: 'step 1' });
    const { toastId } = await first();
    await publish(user, 'second', { collapseKey: 'progress', dedupeKey: 'step 2' });
    expect(await first()).toMatchObject({ outcome: 'repeated', toastId });
    expect(await takeForPush(app.ctx, user.userId, toastId)).toBe(false);
    expect((await listed(user)).map(({ title }) => title)).toEqual(['second']);
  });

  it('takes back nothing that was sent', async () => {
    const user = await app.user();
    const socket = await open(user);
    for (const title of ['first', 'second']) await publish(user, title, { collapseKey: 'progress' });
    expect(titlesIn(await socket.soFar())).toEqual(['first', 'second']);
    expect(await listed(user)).toHaveLength(2);
    socket.close();
  });
});

describe('a stored toast', () => {
  it('becomes a push once, and then reaches no socket', async () => {
    const user = await app.user();
    const { toastId } = await publish(user, 'pushed');
    const taken = await Promise.all(Array.from({ length: 5 }, () => takeForPush(app.ctx, user.userId, toastId)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await takeForPush(app.ctx, 'somebody', toastId)).toBe(false);
    const socket = await open(user);
    expect(await socket.soFar()).toEqual([]);
    await app.ctx.db.transaction().execute((tx) => giveBack(tx, user.userId, toastId));
    await sendWaiting(app.ctx, user.userId);
    expect(await nextTitle(socket)).toBe('pushed');
    expect(await takeForPush(app.ctx, user.userId, toastId)).toBe(false);
    socket.close();
  });

  it('becomes no push when its time is over', async () => {
    const user = await app.user();
    const { toastId } = await publish(user, 'late', { ttlMs: 1000 });
    try {
      ahead = HOUR;
      expect(await takeForPush(app.ctx, user.userId, toastId)).toBe(false);
    } finally {
      ahead = 0;
    }
  });
});

describe('who looks', () => {
  it('is known on every node', async () => {
    const user = await app.user();
    const socket = await open(user, other.url);
    expect(await foregroundAnywhere(app.ctx, user.userId)).toBe(false);
    socket.say({ type: 'client_state', foreground_state: 'foreground' });
    await socket.soFar();
    expect(await foregroundAnywhere(app.ctx, user.userId)).toBe(true);
    expect(await publish(user, 'seen')).toMatchObject({ outcome: 'delivered', foreground: true });
    socket.close();
    await expect.poll(() => foregroundAnywhere(app.ctx, user.userId)).toBe(false);
  });
});

describe('the list of toasts', () => {
  it('is the newest first, the user’s own, and as long as asked [R1167 R1185 R1186 R1187]', async () => {
    const [user, neighbour] = [await app.user(), await app.user()];
    await publish(neighbour, 'foreign');
    for (let n = 0; n < 60; n += 1) await publish(user, `${n}`);
    const all = await listed(user);
    expect(all).toHaveLength(50);
    expect(all[0]).toEqual({
      id: expect.any(String),
      topic: `user:${user.userId}`,
      title: '59',
      body: null,
      style: 'info',
      priority: 'normal',
      deeplink: null,
      created_at: expect.any(String),
    });
    expect((await listed(user, '?limit=200')).map(({ title }) => title)).toEqual(Array.from({ length: 60 }, (_, n) => `${59 - n}`));
    for (const limit of ['0', '201', 'x']) expect((await user.call('GET', `/v1/toasts?limit=${limit}`)).status).toBe(422);
  });

  it('forgets what is old', async () => {
    const user = await app.user();
    await publish(user, 'old');
    await deleteOldToasts(app.ctx.db, new Date(Date.now() - HOUR));
    expect(await listed(user)).toHaveLength(1);
    await sql`update toasts set created_at = created_at - interval '2 hours' where user_id = ${user.userId}`.execute(app.ctx.db);
    await deleteOldToasts(app.ctx.db, new Date(Date.now() - HOUR));
    expect(await listed(user)).toEqual([]);
  });
});

describe('a device', () => {
  const register = (user: TestUser, body: unknown) => user.call('POST', '/v1/devices/register-toast', body);

  it('is registered, and again, with pushes off unless they are asked for [R1168 R1169 R1170 R1171 R1172 R1173 R1174 R1175]', async () => {
    const user = await app.user();
    expect((await register(user, { device_id: 'd1' })).body).toEqual({ registered: true, device_id: 'd1', apns_fallback_enabled: false });
    expect(await listFallbackDevices(app.ctx.db, user.userId)).toEqual([]);
    const apns = { device_token: 'ab12', fallback_enabled: true };
    expect((await register(user, { device_id: 'd1', bundle_id: 'b', apns })).body).toMatchObject({ apns_fallback_enabled: true });
    expect(await listFallbackDevices(app.ctx.db, user.userId)).toEqual([
      { device_id: 'd1', bundle_id: 'b', apns_environment: 'sandbox', apns_device_token: 'ab12' },
    ]);
    await register(user, { device_id: 'd1', apns: { device_token: null, environment: 'production', fallback_enabled: true } });
    expect(await listFallbackDevices(app.ctx.db, user.userId)).toEqual([]);
  });

  it('makes room for newer ones when a user has very many', async () => {
    const user = await app.user();
    const { db, clock } = app.ctx;
    const ids = Array.from({ length: 52 }, (_, n) => `phone-${n}`);
    for (const device_id of ids) {
      ahead += 1000;
      await registerDevice({ db, clock }, user.userId, {
        device_id,
        apns: { device_token: randomUUID(), environment: 'sandbox', fallback_enabled: true },
      });
    }
    const kept = (await listFallbackDevices(db, user.userId)).map(({ device_id }) => device_id);
    expect(kept.toSorted()).toEqual(ids.slice(2).toSorted());
  });

  it('is forgotten when it has not registered for very long', async () => {
    const user = await app.user();
    await register(user, { device_id: 'd', apns: { device_token: randomUUID(), fallback_enabled: true } });
    await deleteOldDevices(app.ctx.db, new Date(Date.now() - HOUR));
    expect(await listFallbackDevices(app.ctx.db, user.userId)).toHaveLength(1);
    await deleteOldDevices(app.ctx.db, new Date(Date.now() + 24 * HOUR));
    expect(await listFallbackDevices(app.ctx.db, user.userId)).toEqual([]);
  });

  it('has its push token to itself, whoever had it before', async () => {
    const [first, second] = [await app.user(), await app.user()];
    const apns = { device_token: randomUUID(), environment: 'production', fallback_enabled: true };
    for (const user of [first, second]) await register(user, { device_id: 'phone', apns });
    expect(await listFallbackDevices(app.ctx.db, first.userId)).toEqual([]);
    expect(await listFallbackDevices(app.ctx.db, second.userId)).toHaveLength(1);
    const gone = { token: apns.device_token, environment: 'production' as const };
    await forgetDeviceToken(app.ctx.db, { ...gone, since: new Date(Date.now() - HOUR) });
    expect(await listFallbackDevices(app.ctx.db, second.userId)).toHaveLength(1);
    await forgetDeviceToken(app.ctx.db, { ...gone, since: new Date(Date.now() + HOUR) });
    expect(await listFallbackDevices(app.ctx.db, second.userId)).toEqual([]);
  });

  it.each([
    [{}, 400],
    [{ device_id: 5 }, 400],
    [{ device_id: 'd', apns: { fallback_enabled: 'yes' } }, 400],
    [{ device_id: '' }, 422],
    [{ device_id: 'x'.repeat(201) }, 422],
    [{ device_id: 'd', apns: { environment: 'development' } }, 422],
  ])('%j is refused with %i', async (body, status) => {
    expect((await register(await app.user(), body)).status).toBe(status);
  });
});
