import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { openBrowser } from '#testing/browser.ts';
import { isIdle } from '#testing/factories.ts';
import { openPushServer } from '#testing/push-server.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { PushFailed, PushLater, type PushGateway, type PushMessage, type PushOutcome, type PushTarget } from '#platform/ports/push-gateway/port.ts';
import { deliverPush, failPush } from './deliver-push.ts';
import { findDevice, listDevices } from './device-store.ts';
import type { PushJob } from './events.ts';
import { sendPush, type Push } from './send-push.ts';

const sent: { target: PushTarget; message: PushMessage; id: string }[] = [];
/** What pushes to a token or endpoint meet. */
const meets = new Map<string, () => PushOutcome>();
const gateway: PushGateway = {
  via: () => 'apns',
  webPushKey: async () => 'key',
  send: async (target, message, { id }) => {
    sent.push({ target, message, id });
    return meets.get(target.kind === 'apns' ? target.token : target.endpoint)?.() ?? { outcome: 'accepted' };
  },
  close: async () => {},
};
const app = await startTestApp({ env: { FETCH_ALLOW: '127.0.0.1' }, overrides: { push: gateway } });
const { ctx } = app;
const { db } = ctx;
afterAll(() => app.dispose());

const newToken = (): string => `token-${randomUUID()}`;
const register = async (user: TestUser, body: object) => (await user.call('POST', '/push-tokens', body)).status;
const pushesTo = (token: string) => sent.filter(({ target }) => target.kind === 'apns' && target.token === token);
const push = (userId: string, more: Partial<Push> = {}): Promise<{ devices: number }> =>
  sendPush(ctx, { userId, preference: null, title: 'Hello', body: 'there', ...more });
const settled = () => expect.poll(() => isIdle(ctx), { timeout: 20_000 }).toBe(true);
const never = new AbortController().signal;
const forgotten: unknown[] = [];
const given: string[] = [];
const waiting: string[] = [];
const followUp = {
  forget: async (device: unknown) => void forgotten.push(device),
  giveBack: async (_tx: unknown, _user: string, id: string) => void given.push(id),
  waitsAgain: async (userId: string) => void waiting.push(userId),
};

const jobFor = (userId: string, device: PushJob['device'], more: Partial<PushJob> = {}): PushJob => ({
  id: randomUUID(),
  pushId: randomUUID(),
  userId,
  device,
  message: { title: 'Hello', body: '', deeplink: null, data: {}, collapseKey: null, expiresAt: null, silent: false },
  devices: 1,
  toastId: null,
  ...more,
});

describe('a device', () => {
  it('is registered once, however often it comes, with its last environment', async () => {
    const user = await app.user();
    const token = newToken();
    for (const environment of ['production', 'sandbox', 'development']) expect(await register(user, { device_token: token, environment })).toBe(200);
    expect(await listDevices(db, user.userId)).toMatchObject([{ kind: 'apns', address: token, environment: 'sandbox' }]);
    await register(user, { device_token: token });
    expect((await listDevices(db, user.userId))[0]?.environment).toBe('production');
  });

  it('is its last owner’s, and nothing that was meant for the one before reaches it', async () => {
    const [before, after] = [await app.user(), await app.user()];
    const token = newToken();
    await register(before, { device_token: token });
    const [device] = await listDevices(db, before.userId);
    await register(after, { device_token: token });
    expect([await listDevices(db, before.userId), (await listDevices(db, after.userId)).length]).toEqual([[], 1]);
    await deliverPush(ctx, jobFor(before.userId, { id: device?.id ?? '' }), never, followUp);
    await before.call('DELETE', '/push-tokens', { device_token: token });
    expect([pushesTo(token), (await listDevices(db, after.userId)).length]).toEqual([[], 1]);
    await after.call('DELETE', '/push-tokens', { device_token: token });
    expect(await listDevices(db, after.userId)).toEqual([]);
  });

  it('makes room for newer ones when a user has very many', async () => {
    const user = await app.user();
    const tokens = Array.from({ length: 52 }, newToken);
    for (const device_token of tokens) await register(user, { device_token });
    expect((await listDevices(db, user.userId)).map(({ address }) => address)).toEqual(tokens.slice(2));
  });

  it('may be a browser, whose keys are stored encrypted and open for its subscription alone', async () => {
    const user = await app.user();
    const { keys } = openBrowser();
    const web_push = { endpoint: `http://127.0.0.1:9/${randomUUID()}`, keys };
    expect(await register(user, { web_push })).toBe(200);
    const [device] = await listDevices(db, user.userId);
    expect(JSON.stringify(device)).not.toContain(keys.auth);
    await push(user.userId);
    await settled();
    expect(sent.at(-1)?.target).toEqual({ kind: 'web_push', endpoint: web_push.endpoint, ...keys });
    await user.call('DELETE', '/push-tokens', { web_push: { endpoint: web_push.endpoint } });
    expect(await listDevices(db, user.userId)).toEqual([]);
  });

  it('is refused where nothing can be sent to it', async () => {
    const user = await app.user();
    const { keys } = openBrowser();
    expect(await register(user, {})).toBe(400);
    expect(await register(user, { web_push: { endpoint: 'https://push.example/1', keys: { ...keys, auth: 'AAAA' } } })).toBe(422);
    expect(await register(user, { web_push: { endpoint: 'http://10.0.0.1/1', keys } })).toBe(422);
    expect(await register(user, { web_push: { endpoint: 'ftp://push.example/1', keys } })).toBe(422);
    expect(await listDevices(db, user.userId)).toEqual([]);
  });

  it('becomes the user’s that its anonymous owner turned out to be, with what they said and were pushed', async () => {
    const [anonymous, user] = [await app.anonymous(), await app.user()];
    const token = newToken();
    await register(anonymous, { device_token: token });
    await anonymous.call('POST', '/push-tokens/preferences', { id: 'signal_alert', enabled: false });
    await anonymous.call('POST', '/push-tokens/preferences', { id: 'build_complete', enabled: false });
    await user.call('POST', '/push-tokens/preferences', { id: 'build_complete', enabled: true });
    const { rows } = await sql<{ owner_id: string }>`select owner_id from push_devices where address = ${token}`.execute(db);
    await push(rows[0]?.owner_id ?? '');
    await settled();
    expect((await user.call('POST', '/auth/rebind', { device_id: anonymous.deviceId })).body).toMatchObject({ rebound: true, rows_updated: 1 });
    expect(await push(user.userId)).toEqual({ devices: 1 });
    const { preferences } = (await user.call('GET', '/push-tokens/preferences')).body as unknown as {
      preferences: { id: string; enabled: boolean }[];
    };
    expect(preferences.filter(({ enabled }) => !enabled).map(({ id }) => id)).toEqual(['signal_alert']);
    await settled();
    expect((await user.call('GET', '/push-tokens/sent')).body['items']).toHaveLength(2);
  });
});

describe('a push', () => {
  it('goes to every device of its user, unless they do without', async () => {
    const user = await app.user();
    const tokens = [newToken(), newToken()];
    for (const device_token of tokens) await register(user, { device_token });
    expect(await push(user.userId, { preference: 'build_complete', also: [{ token: tokens[0] ?? '', environment: 'sandbox' }] })).toEqual({
      devices: 2,
    });
    await user.call('POST', '/push-tokens/preferences', { id: 'build_complete', enabled: false });
    expect(await push(user.userId, { preference: 'build_complete' })).toEqual({ devices: 0 });
    expect(await push(user.userId, { preference: 'research_complete' })).toEqual({ devices: 2 });
    await settled();
    expect(tokens.map((token) => pushesTo(token).length)).toEqual([2, 2]);
  });

  it('is queued with the transaction of its caller', async () => {
    const user = await app.user();
    const token = newToken();
    await register(user, { device_token: token });
    const cut = db.transaction().execute(async (tx) => {
      await sendPush(ctx, { userId: user.userId, preference: null, title: 'Hello' }, tx);
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    await settled();
    expect(pushesTo(token)).toEqual([]);
  });

  it('is sent once, although its job comes again', async () => {
    const user = await app.user();
    const token = newToken();
    const job = jobFor(user.userId, { token, environment: 'production' });
    await deliverPush(ctx, job, never, followUp);
    await deliverPush(ctx, job, never, followUp);
    expect(pushesTo(token).map(({ id }) => id)).toEqual([job.id]);
  });

  it('that is of no use any more is not sent', async () => {
    const user = await app.user();
    const token = newToken();
    const job = jobFor(user.userId, { token, environment: 'production' });
    await deliverPush(ctx, { ...job, message: { ...job.message, expiresAt: new Date(Date.now() - 1) } }, never, followUp);
    expect(pushesTo(token)).toEqual([]);
    expect((await user.call('GET', '/push-tokens/sent')).body['items']).toMatchObject([{ outcome: 'expired' }]);
  });

  it('comes back at the moment that the vendor names, and loses no try by it', async () => {
    const user = await app.user();
    const token = newToken();
    const at = new Date(Date.now() + 90_000);
    meets.set(token, () => {
      throw new PushLater(at, 'TooManyRequests');
    });
    const delivering = deliverPush(ctx, jobFor(user.userId, { token, environment: 'production' }), never, followUp);
    const error = await delivering.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RetryLater);
    expect((error as RetryLater).at).toEqual(at);
  });

  it('removes a device that is gone, unless it has registered again since', async () => {
    const user = await app.user();
    const [unregistered, again, bad] = [newToken(), newToken(), newToken()];
    for (const device_token of [unregistered, again, bad]) await register(user, { device_token });
    meets.set(unregistered, () => ({ outcome: 'gone', since: new Date(Date.now() + 1000), reason: 'Unregistered' }));
    meets.set(again, () => ({ outcome: 'gone', since: new Date(Date.now() - 60_000), reason: 'Unregistered' }));
    meets.set(bad, () => ({ outcome: 'gone', since: null, reason: 'BadDeviceToken' }));
    await push(user.userId);
    await settled();
    expect((await listDevices(db, user.userId)).map(({ address }) => address)).toEqual([again]);
  });

  it('keeps a device that registers while it is called bad', async () => {
    const user = await app.user();
    const token = newToken();
    await register(user, { device_token: token });
    const [device] = await listDevices(db, user.userId);
    const id = device?.id ?? '';
    const slow: PushGateway = {
      ...gateway,
      send: async () => {
        await register(user, { device_token: token });
        return { outcome: 'gone', since: null, reason: 'BadDeviceToken' };
      },
    };
    await deliverPush({ ...ctx, push: slow }, jobFor(user.userId, { id }), never, followUp);
    expect(await findDevice(db, id)).not.toBeNull();
  });

  it('tells whoever knows the phone otherwise that it is gone', async () => {
    const user = await app.user();
    const token = newToken();
    const since = new Date(5000);
    meets.set(token, () => ({ outcome: 'gone', since, reason: 'Unregistered' }));
    await deliverPush(ctx, jobFor(user.userId, { token, environment: 'sandbox' }), never, followUp);
    expect(forgotten).toEqual([{ token, environment: 'sandbox', since }]);
  });

  it('that reached none of its devices gives its toast back, one that reached any does not', async () => {
    const user = await app.user();
    const [lost, kept] = [randomUUID(), randomUUID()];
    const [gone, other] = [newToken(), newToken()];
    meets.set(gone, () => ({ outcome: 'gone', since: null, reason: 'BadDeviceToken' }));
    const pair = (toastId: string) => {
      const same = { pushId: randomUUID(), devices: 2, toastId };
      const to = (token: string) => jobFor(user.userId, { token, environment: 'production' }, same);
      return [to(gone), to(other)] as const;
    };
    const [first, second] = pair(lost);
    await deliverPush(ctx, first, never, followUp);
    expect(given).toEqual([]);
    await failPush(ctx, second, new PushFailed('no way'), followUp);
    expect(given).toEqual([lost]);
    for (const job of pair(kept)) await deliverPush(ctx, job, never, followUp);
    expect(given).toEqual([lost]);
    const items = (await user.call('GET', '/push-tokens/sent')).body['items'] as unknown as { outcome: string; reason: string }[];
    expect(items.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['accepted', null],
      ['gone', 'BadDeviceToken'],
      ['failed', 'no way'],
      ['gone', 'BadDeviceToken'],
    ]);
  });

  it('gives its toast back although the process goes between the two', async () => {
    const user = await app.user();
    const [token, toastId] = [newToken(), randomUUID()];
    meets.set(token, () => ({ outcome: 'refused', reason: 'BadTopic' }));
    const job = jobFor(user.userId, { token, environment: 'production' }, { toastId });
    const killed = { ...followUp, giveBack: () => Promise.reject(new Error('killed')) };
    await expect(deliverPush(ctx, job, never, killed)).rejects.toThrow('killed');
    await deliverPush(ctx, job, never, followUp);
    await deliverPush(ctx, job, never, followUp);
    expect(given.filter((id) => id === toastId)).toEqual([toastId]);
    expect(waiting.filter((id) => id === user.userId)).toEqual([user.userId]);
  });

  it('gives its toast back once, although all its devices end at once', async () => {
    const user = await app.user();
    const [pushId, toastId] = [randomUUID(), randomUUID()];
    const jobs = Array.from({ length: 8 }, () =>
      jobFor(user.userId, { token: newToken(), environment: 'production' }, { pushId, devices: 8, toastId }),
    );
    await Promise.all(jobs.map((job) => failPush(ctx, job, new PushFailed('no way'), followUp)));
    expect(given.filter((id) => id === toastId)).toEqual([toastId]);
  });
});

describe('the gateways of a service', () => {
  it('send to phones over Apple’s protocol where it is configured', async () => {
    await using server = await openPushServer();
    const own = await startTestApp({ env: server.env });
    const user = await own.user();
    server.answer('device-2', { status: 410, reason: 'Unregistered', timestamp: Date.now() + 60_000 });
    for (const device_token of ['device-1', 'device-2']) await user.call('POST', '/push-tokens', { device_token, environment: 'sandbox' });
    await sendPush(own.ctx, { userId: user.userId, preference: null, title: 'Hello', data: { type: 'repair_stalled', run_id: '1' } });
    await expect.poll(() => isIdle(own.ctx), { timeout: 20_000 }).toBe(true);
    expect(server.pushes.map(({ token }) => token).toSorted()).toEqual(['device-1', 'device-2']);
    expect(server.pushes[0]?.body).toMatchObject({ type: 'repair_stalled', run_id: '1' });
    expect((await listDevices(own.ctx.db, user.userId)).map(({ address }) => address)).toEqual(['device-1']);
    await own.dispose();
  });

  it('wait as long as a vendor asks, and push then', async () => {
    await using server = await openPushServer();
    const own = await startTestApp({ env: server.env });
    const user = await own.user();
    server.answer('device-1', { status: 429, reason: 'TooManyRequests', retryAfter: '1' }, 'drop', { status: 200 });
    await user.call('POST', '/push-tokens', { device_token: 'device-1' });
    await sendPush(own.ctx, { userId: user.userId, preference: null, title: 'Hello' });
    const items = async () => (await user.call('GET', '/push-tokens/sent')).body['items'];
    await expect.poll(items, { timeout: 30_000 }).toMatchObject([{ via: 'apns', outcome: 'accepted' }]);
    expect(new Set(server.pushes.map(({ headers }) => headers['apns-id'])).size).toBe(1);
    expect(server.pushes).toHaveLength(3);
    const { rows } = await sql<{ times: number }>`select times from job_deferrals`.execute(own.ctx.db);
    expect(rows).toEqual([{ times: 1 }]);
    await own.dispose();
  });

  it('send to browsers what they alone can read, with no more than what the service makes itself', async () => {
    const bodies: Buffer[] = [];
    const service = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        bodies.push(Buffer.concat(parts));
        response.writeHead(bodies.length === 1 ? 201 : 410).end();
      });
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const own = await startTestApp({ env: { FETCH_ALLOW: '127.0.0.1' } });
    const user = await own.user();
    const { keys, decrypt } = openBrowser();
    const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}/subscription`;
    expect((await user.call('POST', '/push-tokens', { web_push: { endpoint, keys } })).status).toBe(200);
    for (const [length, devices] of [
      [1, 1],
      [2, 0],
    ] as const) {
      await sendPush(own.ctx, { userId: user.userId, preference: null, title: 'Hello', body: 'there', data: { type: 'test' } });
      await expect.poll(() => bodies.length, { timeout: 30_000 }).toBe(length);
      await expect.poll(() => isIdle(own.ctx), { timeout: 30_000 }).toBe(true);
      expect(await listDevices(own.ctx.db, user.userId)).toHaveLength(devices);
    }
    expect(JSON.parse(decrypt(bodies[0] ?? Buffer.alloc(0)))).toEqual({ title: 'Hello', body: 'there', deeplink: null, data: { type: 'test' } });
    await own.dispose();
    await new Promise((resolve) => service.close(resolve));
  });

  it('keep what phones would get where nothing is configured, and sign for browsers with a key of their own', async () => {
    const own = await startTestApp();
    const user = await own.user();
    await user.call('POST', '/push-tokens', { device_token: 'device-1' });
    await sendPush(own.ctx, { userId: user.userId, preference: null, title: 'Hello', body: 'there', deeplink: 'groundwork://x' });
    await expect.poll(() => isIdle(own.ctx), { timeout: 20_000 }).toBe(true);
    expect((await user.call('GET', '/push-tokens/sent')).body['items']).toMatchObject([
      { title: 'Hello', body: 'there', deeplink: 'groundwork://x', via: 'built_in', outcome: 'recorded', reason: null },
    ]);
    expect((await (await own.user()).call('GET', '/push-tokens/sent')).body['items']).toEqual([]);
    expect(await own.ctx.metrics.registry.metrics()).toContain('pushes_total{via="built_in",outcome="recorded"} 1');
    const key = async () => (await user.call('GET', '/push-tokens/web-push-key')).body['public_key'];
    expect([await key(), await key()]).toEqual([await own.ctx.push.webPushKey(), expect.stringMatching(/^B[\w-]{86}$/)]);
    const { rows } = await sql<{ sealed: string }>`select sealed from push_keys`.execute(own.ctx.db);
    expect(rows).toHaveLength(1);
    await own.dispose();
  });
});
