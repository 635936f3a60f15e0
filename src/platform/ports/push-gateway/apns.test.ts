import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openPushServer, type PushServer } from '#testing/push-server.ts';
import { readPush } from '../../config/push.ts';
import { openApns } from './apns.ts';
import { PushFailed, PushLater, type PushMessage, type PushTarget } from './port.ts';

const MESSAGE: PushMessage = {
  title: 'Research completed',
  body: 'A planner for community gardens: 71 of 100.',
  deeplink: 'groundwork://research/1',
  data: { type: 'research_complete', research_id: '1' },
  collapseKey: 'research-1',
  expiresAt: new Date('2027-01-01T00:00:00.900Z'),
  silent: false,
};
const never = new AbortController().signal;

const device = (token: string): Extract<PushTarget, { kind: 'apns' }> => ({ kind: 'apns', token, environment: 'production' });

function gatewayTo(server: PushServer) {
  const { apns } = readPush(server.env, 'http://localhost');
  if (!apns) throw new Error('not configured');
  const gateway = openApns(apns);
  const send = (token: string, message: Partial<PushMessage> = {}, id = randomUUID() as string) =>
    gateway.send(device(token), { ...MESSAGE, ...message }, { id, signal: never });
  return { gateway, send };
}

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('Apple’s push service', () => {
  it('gets what a push says, with a token that it can verify', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    const id = randomUUID();
    expect(await send('device-1', {}, id)).toEqual({ outcome: 'accepted' });
    const [push] = server.pushes;
    expect(push?.headers).toMatchObject({
      ':method': 'POST',
      ':path': '/3/device/device-1',
      'apns-id': id,
      'apns-topic': 'com.example.groundwork',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-expiration': '1798761600',
      'apns-collapse-id': 'research-1',
    });
    expect(push?.body).toEqual({
      aps: { alert: { title: MESSAGE.title, body: MESSAGE.body }, sound: 'default' },
      type: 'research_complete',
      research_id: '1',
      deeplink: MESSAGE.deeplink,
    });
    await send('device-1', { silent: true, collapseKey: null, expiresAt: null, data: { aps: 'mine' }, deeplink: null });
    expect(server.pushes[1]?.headers).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    expect(server.pushes[1]?.headers).not.toHaveProperty('apns-expiration');
    expect(server.pushes[1]?.body).toEqual({ aps: { 'content-available': 1 } });
    await gateway.close();
  });

  it('gets collapse keys and texts in the size that it takes', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    await send('device-1', { collapseKey: 'ä key '.repeat(50), body: '"😀"'.repeat(3000) });
    const [push] = server.pushes;
    expect(push?.headers['apns-collapse-id']).toMatch(/^[0-9a-f]{64}$/);
    const bytes = Buffer.byteLength(JSON.stringify(push?.body));
    expect(bytes).toBeLessThanOrEqual(4096);
    expect(bytes).toBeGreaterThan(4080);
    expect(push?.body).toMatchObject({ research_id: '1' });
    await send('device-1', { data: { type: 'huge', more: 'x'.repeat(5000) } });
    expect(server.pushes[1]?.body).toEqual({ type: 'huge', aps: { alert: { title: MESSAGE.title, body: MESSAGE.body }, sound: 'default' } });
    await gateway.close();
  });

  it('says which devices are gone, and since when', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    server.answer('gone', { status: 410, reason: 'Unregistered', timestamp: 1_700_000_000_000 });
    server.answer('bad', { status: 400, reason: 'BadDeviceToken' });
    server.answer('other', { status: 400, reason: 'DeviceTokenNotForTopic' });
    expect(await send('gone')).toEqual({ outcome: 'gone', since: new Date(1_700_000_000_000), reason: 'Unregistered' });
    expect(await send('bad')).toEqual({ outcome: 'gone', since: null, reason: 'BadDeviceToken' });
    expect(await send('other')).toEqual({ outcome: 'refused', reason: 'DeviceTokenNotForTopic' });
    await gateway.close();
  });

  it.each([
    ['120', 120_000],
    [undefined, 60_000],
    ['Fri, 01 Jan 2100 00:00:00 GMT', null],
  ] as const)('names the moment for another try with 429 and Retry-After %s', async (retryAfter, milliseconds) => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    server.answer('busy', { status: 429, reason: 'TooManyRequests', ...(retryAfter ? { retryAfter } : {}) });
    const before = Date.now();
    const error = await failure(send('busy'));
    expect(error).toBeInstanceOf(PushLater);
    const at = (error as PushLater).at.getTime();
    if (milliseconds === null) expect(Math.abs(at - Date.UTC(2100, 0))).toBeLessThan(1000);
    else expect([at >= before + milliseconds, at <= Date.now() + milliseconds]).toEqual([true, true]);
    await gateway.close();
  });

  it('is asked over another connection after 503', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    server.answer('late', { status: 503, reason: 'Shutdown' });
    expect(await failure(send('late'))).toBeInstanceOf(PushLater);
    expect(await send('late')).toEqual({ outcome: 'accepted' });
    expect(server.sessions()).toBe(2);
    await gateway.close();
  });

  it.each(['drop', 'destroy'] as const)('is asked once more, for the same push, after %s', async (how) => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    server.answer('device-1', how);
    expect(await send('device-1')).toEqual({ outcome: 'accepted' });
    expect(server.pushes).toHaveLength(2);
    expect(server.pushes[0]?.headers['apns-id']).toBe(server.pushes[1]?.headers['apns-id']);
    server.answer('device-2', how, how);
    const error = await failure(send('device-2'));
    expect(error).toBeInstanceOf(PushFailed);
    expect(error.message).toBe('The push service could not be reached: the connection broke off.');
    expect(server.pushes).toHaveLength(4);
    await gateway.close();
  });

  it('is asked over exactly one new connection after GOAWAY, and what was under way is answered', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    server.answer('device-1', 'goaway');
    expect(await send('device-1')).toEqual({ outcome: 'accepted' });
    expect(await Promise.all(['a', 'b', 'c'].map((token) => send(token)))).toHaveLength(3);
    expect(server.sessions()).toBe(2);
    await gateway.close();
  });

  it('gets one new provider token when many pushes meet an expired one', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    await send('device-0');
    server.expireTokens();
    const sent = await Promise.all(Array.from({ length: 50 }, (_, n) => send(`device-${n}`)));
    expect(sent.every(({ outcome }) => outcome === 'accepted')).toBe(true);
    expect(new Set(server.pushes.map(({ bearer }) => bearer)).size).toBe(2);
    await gateway.close();
  });

  it('fails when whoever signs is not accepted', async () => {
    await using server = await openPushServer();
    await using other = await openPushServer();
    const { gateway, send } = gatewayTo({ ...server, env: { ...server.env, PUSH_KEY: String(other.env['PUSH_KEY']) } });
    expect((await failure(send('device-1'))).message).toBe('The push service answered 403: InvalidProviderToken.');
    await gateway.close();
  });

  it('fails when nobody is there, and when the caller gives up', async () => {
    const server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    await server.close();
    expect(await failure(send('device-1'))).toBeInstanceOf(PushFailed);
    const control = new AbortController();
    control.abort(new Error('no longer wanted'));
    const sending = gateway.send(device('device-1'), MESSAGE, { id: randomUUID(), signal: control.signal });
    expect((await failure(sending)).message).toBe('no longer wanted');
    await gateway.close();
  });

  it('takes 1,000 pushes at once over one connection', async () => {
    await using server = await openPushServer();
    const { gateway, send } = gatewayTo(server);
    const sent = await Promise.all(Array.from({ length: 1000 }, (_, n) => send(`device-${n}`)));
    expect(sent.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1000);
    expect(new Set(server.pushes.map(({ token }) => token)).size).toBe(1000);
    expect(server.sessions()).toBe(1);
    await gateway.close();
  });
});
