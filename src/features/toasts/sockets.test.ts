import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { socketTo } from '#testing/socket-client.ts';
import { connectAs, framesOf } from '#testing/toast-socket.ts';
import { sha256 } from '#lib/ids.ts';
import { realtimeRoutes } from './routes.ts';

const MINUTE = 60_000;
const QUICK = '/quickly-idle';
let ahead = 0;
const quick = realtimeRoutes(async () => ({
  userId: 'quick',
  anonymous: false,
  name: null,
  email: null,
  credential: { kind: 'identity', expiresAt: new Date(8.64e15) },
  topics: [],
})).map((route, place) => ({ ...route, path: `${QUICK}/${place}`, ...('idleSeconds' in route ? { idleSeconds: 0.05 } : {}) }));

const start = () =>
  startTestApp({
    env: { ROLES: 'api' },
    overrides: { clock: { now: () => new Date(Date.now() + ahead) }, families: [{ family: 'test', routes: quick }] },
  });
const app = await start();
afterAll(() => app.dispose());

const bootstrap = (user: Awaited<ReturnType<typeof app.user>>, body?: unknown) => user.call('POST', '/v1/sessions/toast-bootstrap', body);
const socketWith = (token: unknown, path = '/api/v1/realtime') => socketTo(`${app.url}${path}?token=${String(token)}`);

describe('the token of a socket', () => {
  it('is given for 15 minutes, with the topics that its user may follow [R1109 R1110 R1111 R1112 R1116 R1159]', async () => {
    const user = await app.user();
    const own = `user:${user.userId}`;
    const asked = ['news', 'user:somebody', own, `${own}:builds`, `${own}x`, 'user:', 'news'];
    const before = Date.now();
    const { status, body } = await bootstrap(user, { default_topics: asked, identity_jwt: 'not looked at', device_id: 'd', bundle_id: 'b' });
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      ws_url: expect.stringMatching(/^ws:\/\/.*\/api\/v1\/realtime$/),
      expires_at: expect.any(String),
      default_topics: ['news', own, `${own}:builds`],
    });
    const lifetime = Date.parse(String(body['expires_at'])) - before;
    expect(lifetime).toBeGreaterThanOrEqual(15 * MINUTE);
    expect(lifetime).toBeLessThan(16 * MINUTE);
  });

  it.each([[undefined], [{}], [{ default_topics: [] }], [{ default_topics: null }], [{ default_topics: ['user:somebody'] }]])(
    'asked for with %j follows its own user alone [R1113]',
    async (asked) => {
      const user = await app.user();
      expect((await bootstrap(user, asked)).body['default_topics']).toEqual([`user:${user.userId}`]);
    },
  );

  it('is kept as a hash, with the device that it is for [R1107 R1108]', async () => {
    const user = await app.user();
    const token = String((await bootstrap(user, {})).body['token']);
    const { rows } = await sql<Record<string, unknown>>`select * from toast_sessions where user_id = ${user.userId}`.execute(app.ctx.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      token_hash: sha256(token),
      device_id: `service:${user.userId}`,
      bundle_id: null,
      session_id: sha256(user.token),
    });
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it.each([
    [{ device_id: 5 }, 400],
    [{ default_topics: 'news' }, 400],
    [{ device_id: '' }, 422],
    [{ device_id: 'x'.repeat(201) }, 422],
    [{ default_topics: [''] }, 422],
    [{ default_topics: ['x'.repeat(201)] }, 422],
    [{ default_topics: Array.from({ length: 101 }, (_, n) => `t${n}`) }, 422],
  ])('is refused to %j with %i', async (asked, status) => {
    expect((await bootstrap(await app.user(), asked)).status).toBe(status);
  });
});

describe('a socket of toasts', () => {
  it.each(['/api/v1/realtime', '/ws'])(
    '%s closes with 4002 without a token and with 4001 with one that does not hold [R1130 R1131]',
    async (path) => {
      expect(await (await socketTo(`${app.url}${path}`)).closed).toMatchObject({ code: 4002 });
      expect(await (await socketWith('', path)).closed).toMatchObject({ code: 4002 });
      expect(await (await socketWith('unknown', path)).closed).toMatchObject({ code: 4001 });
      const user = await app.user();
      expect(await (await socketWith(user.token, path)).closed).toMatchObject({ code: 4001 });
    },
  );

  it('greets with its id and topics [R1114 R1115 R1117]', async () => {
    const user = await app.user();
    const socket = await connectAs(user, app.url, { topics: ['news', 'more'] });
    expect(await socket.next()).toEqual({ type: 'connection_ack', session_id: expect.stringMatching(/^[0-9a-f-]{36}$/), topics: ['news', 'more'] });
    socket.close();
  });

  it('subscribes to what its user may follow, unsubscribes, and answers pings [R1120 R1121 R1122 R1123 R1127]', async () => {
    const user = await app.user();
    const own = `user:${user.userId}`;
    const socket = await connectAs(user, app.url);
    expect(await socket.next()).toMatchObject({ topics: [own] });
    socket.say({ type: 'subscribe', topics: ['news', 'user:somebody', `${own}:builds`] });
    expect(await socket.next()).toEqual({ type: 'error', code: 'topic_not_allowed', message: expect.any(String), topic: 'user:somebody' });
    expect(await socket.next()).toEqual({ type: 'subscribed', topics: [own, 'news', `${own}:builds`] });
    socket.say({ type: 'unsubscribe', topics: [own, 'unknown', 'control'] });
    expect(await socket.next()).toEqual({ type: 'unsubscribed', topics: ['news', `${own}:builds`] });
    socket.say({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
    socket.close();
  });

  it('says what it did not understand and lives on [R1121]', async () => {
    const socket = await connectAs(await app.user(), app.url);
    await socket.next();
    const answers: unknown[] = [];
    for (const message of ['no JSON', '5', '{}', '{"type":"sing"}', '{"type":"subscribe"}', '{"type":"subscribe","topics":[5]}']) {
      socket.say(message);
      answers.push((await socket.next())['code']);
    }
    expect(answers).toEqual(['invalid_message', 'invalid_message', 'unknown_type', 'unknown_type', 'invalid_message', 'invalid_message']);
    socket.say({ type: 'client_state', foreground_state: 'asleep' });
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'invalid_message' });
    expect(await socket.soFar()).toEqual([]);
    socket.close();
  });

  it('says when it follows too many topics', async () => {
    const socket = await connectAs(await app.user(), app.url);
    await socket.next();
    socket.say({ type: 'subscribe', topics: Array.from({ length: 100 }, (_, n) => `topic ${n}`) });
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'too_many_topics', topic: 'topic 98' });
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'too_many_topics', topic: 'topic 99' });
    expect((await socket.next())['topics']).toHaveLength(99);
    socket.close();
  });

  it('says whether somebody looks at it, to every node [R1124 R1125 R1126]', async () => {
    const user = await app.user();
    const socket = await connectAs(user, app.url);
    await socket.next();
    const seen: number[] = [];
    for (const state of ['foreground', 'background', 'foreground', 'unknown']) {
      socket.say({ type: 'client_state', foreground_state: state, overlay_mounted: true });
      await socket.soFar();
      seen.push((await app.ctx.presence.of(user.userId)).foreground);
    }
    expect(seen).toEqual([1, 0, 1, 0]);
    socket.close();
  });

  it('is closed with 1001 when its client is silent [R1128 R1129]', async () => {
    for (const place of [1, 2]) expect(await (await socketWith('any', `${QUICK}/${place}`)).closed).toMatchObject({ code: 1001 });
    const { body } = await (await app.user()).call('GET', '/openapi.json');
    const paths = body['paths'] as unknown as Record<string, { get: { 'x-websocket': { idleSeconds: number } } }>;
    for (const path of ['/api/v1/realtime', '/ws']) expect(paths[path]?.get['x-websocket'].idleSeconds).toBe(60);
  });

  it('is refused beyond twenty of one user', async () => {
    const user = await app.user();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => connectAs(user, app.url)));
    await Promise.all(sockets.map((socket) => socket.next()));
    expect(await (await connectAs(user, app.url)).closed).toMatchObject({ code: 1008 });
    for (const socket of sockets) socket.close();
  });

  it('is closed with 1012 when the service stops', async () => {
    const stopping = await start();
    const sockets = await Promise.all([
      connectAs(await stopping.user(), stopping.url),
      connectAs(await stopping.user(), stopping.url, { path: '/ws' }),
    ]);
    await sockets[0]?.next();
    const codes = Promise.all(sockets.map(async ({ closed }) => (await closed).code));
    await stopping.dispose();
    expect(await codes).toEqual([1012, 1012]);
  });
});

describe('the session behind a socket', () => {
  it('is renewed when it connects, and so outlives one that did not [R137]', async () => {
    const [renewed, left] = [await app.user(), await app.user()];
    const openAt = async (minutes: number) => {
      ahead = minutes * MINUTE;
      return { there: (await renewed.call('GET', '/v1/toasts')).status, left: (await left.call('GET', '/v1/toasts')).status };
    };
    try {
      ahead = 20 * MINUTE;
      const { token } = (await bootstrap(renewed)).body;
      ahead = 28 * MINUTE;
      const socket = framesOf(await socketWith(token));
      await socket.next();
      expect(await openAt(29)).toEqual({ there: 200, left: 200 });
      expect(await openAt(40)).toEqual({ there: 200, left: 401 });
      socket.close();
      expect(await (await socketWith(token)).closed).toMatchObject({ code: 4001 });
    } finally {
      ahead = 0;
    }
  });

  it.each(['/api/v1/realtime', '/ws'])('ends %s with 4001 when it is revoked, and lets nobody in afterwards [R1130]', async (path) => {
    const user = await app.user();
    const { token } = (await bootstrap(user)).body;
    const socket = framesOf(await socketWith(token, path));
    await socket.soFar();
    await user.call('DELETE', '/auth/session');
    expect(await socket.closed).toMatchObject({ code: 4001 });
    expect(await (await socketWith(token, path)).closed).toMatchObject({ code: 4001 });
  });

  it('may be an identity token, whose end ends what it opened', async () => {
    const jwt = await app.identityToken('somebody-else', {}, 600);
    const token = async () => {
      const answer = await fetch(`${app.url}/v1/sessions/toast-bootstrap`, { method: 'POST', headers: { authorization: `Bearer ${jwt}` } });
      return ((await answer.json()) as { token: string }).token;
    };
    const first = await token();
    const socket = framesOf(await socketWith(first));
    expect(await socket.next()).toMatchObject({ type: 'connection_ack', topics: ['user:somebody-else'] });
    socket.close();
    try {
      ahead = 11 * MINUTE;
      expect(await (await socketWith(first)).closed).toMatchObject({ code: 4001 });
    } finally {
      ahead = 0;
    }
  });
});

describe('signing in on a device', () => {
  it('ends the tokens of its anonymous owner and moves its sockets, toasts and devices', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    const { token, default_topics: topics } = (await bootstrap(visitor)).body;
    const owner = String((topics as unknown as string[])[0]).replace('user:', '');
    await visitor.call('POST', '/v1/devices/register-toast', { device_id: 'phone' });
    const socket = framesOf(await socketWith(token));
    await socket.next();
    expect((await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId })).body).toMatchObject({ rebound: true });
    expect(await (await socketWith(token)).closed).toMatchObject({ code: 4001 });
    await expect.poll(() => app.ctx.hub.counts(user.userId).sockets).toBe(1);
    socket.say({ type: 'subscribe', topics: [`user:${user.userId}`, `user:${owner}`] });
    expect(await socket.next()).toMatchObject({ code: 'topic_not_allowed', topic: `user:${owner}` });
    expect(await socket.next()).toMatchObject({ type: 'subscribed' });
    const { rows } = await sql`select device_id from toast_devices where user_id = ${user.userId}`.execute(app.ctx.db);
    expect(rows).toEqual([{ device_id: 'phone' }]);
    socket.close();
  });
});
