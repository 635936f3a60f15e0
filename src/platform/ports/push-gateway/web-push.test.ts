import { createPublicKey, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '#testing/browser.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { areBrowserKeys, encryptPush } from './encrypt-push.ts';
import { PushFailed, PushLater, type PushMessage } from './port.ts';
import { newVapidSecret, vapidKeysOf } from './vapid.ts';
import { openWebPush } from './web-push.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');
const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('encryption for a browser', () => {
  /** RFC 8291, 5 and appendix A. */
  const EXAMPLE = {
    plain: 'When I grow up, I want to be a watermelon',
    sender: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
    receiver: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    salt: 'DGv6ra1nlYgDCS1FRnbzlw',
    body:
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT' +
      'pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  };

  it('gives the bytes of the standard’s example, and a browser reads them', () => {
    const keys = { p256dh: EXAMPLE.p256dh, auth: EXAMPLE.auth };
    const body = encryptPush(Buffer.from(EXAMPLE.plain), keys, { salt: bytes(EXAMPLE.salt), privateKey: bytes(EXAMPLE.sender) });
    expect(body.toString('base64url')).toBe(EXAMPLE.body);
    const browser = openBrowser({ privateKey: bytes(EXAMPLE.receiver), auth: bytes(EXAMPLE.auth) });
    expect(browser.keys).toEqual(keys);
    expect(browser.decrypt(body)).toBe(EXAMPLE.plain);
  });

  it('takes new keys for each message', () => {
    const { keys, decrypt } = openBrowser();
    const [first, second] = [encryptPush(Buffer.from('x'), keys), encryptPush(Buffer.from('x'), keys)];
    expect(first.equals(second)).toBe(false);
    expect([decrypt(first), decrypt(second)]).toEqual(['x', 'x']);
  });

  it('knows what are no keys of a browser', () => {
    const { keys } = openBrowser();
    const off = Buffer.alloc(65, 1);
    off[0] = 4;
    expect([
      areBrowserKeys(keys),
      areBrowserKeys({ ...keys, auth: 'short' }),
      areBrowserKeys({ ...keys, p256dh: 'AAAA' }),
      areBrowserKeys({ ...keys, p256dh: off.toString('base64url') }),
    ]).toEqual([true, false, false, false]);
  });
});

describe('the push service of a browser', () => {
  const seen: { url: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];
  const answers = new Map<string, { status: number; headers?: Record<string, string> }>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      seen.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(parts) });
      const { status, headers = {} } = answers.get(request.url ?? '') ?? { status: 201 };
      response.writeHead(status, headers).end();
    });
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const vapid = vapidKeysOf(newVapidSecret());
  const message: PushMessage = {
    title: 'Build plan ready',
    body: 'A planner for community gardens: 7 parts.',
    deeplink: 'groundwork://build-graphs/1',
    data: { type: 'build_complete' },
    collapseKey: 'a key',
    expiresAt: null,
    silent: false,
  };
  const sendTo = (path: string, { keys } = openBrowser(), { allow = ['127.0.0.1'], more = {} as Partial<PushMessage> } = {}) => {
    const gateway = openWebPush({ fetch: openGuardedFetch({ allow, deny: [] }), keys: async () => vapid, contact: 'mailto:ops@example.org' });
    const request = { id: randomUUID(), signal: new AbortController().signal };
    return gateway.send({ kind: 'web_push', endpoint: `${origin}${path}`, ...keys }, { ...message, ...more }, request);
  };

  const keyOf = (raw: string): KeyObject => {
    const part = (from: number, to?: number) => bytes(raw).subarray(from, to).toString('base64url');
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33) }, format: 'jwk' });
  };

  it('gets a message that the browser alone can read, signed with the key that it subscribed with', async () => {
    const browser = openBrowser();
    expect(await sendTo('/one', browser)).toEqual({ outcome: 'accepted' });
    const { headers, body } = seen.at(-1) ?? { headers: {}, body: Buffer.alloc(0) };
    const { title, body: text, deeplink, data } = message;
    expect(JSON.parse(browser.decrypt(body))).toEqual({ title, body: text, deeplink, data });
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '604800', urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) });
    const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
    expect([key, decodeProtectedHeader(token).alg]).toEqual([vapid.publicKey, 'ES256']);
    const { payload } = await jwtVerify(token, keyOf(key), { audience: origin });
    expect(payload).toMatchObject({ sub: 'mailto:ops@example.org' });
    expect(Number(payload.exp) - Date.now() / 1000).toBeLessThan(24 * 3600);
  });

  it('gets no more than it takes', async () => {
    const browser = openBrowser();
    await sendTo('/one', browser, { more: { body: 'ä'.repeat(9000), expiresAt: new Date(0) } });
    expect(seen.at(-1)?.body.length).toBeLessThanOrEqual(4096);
    expect(seen.at(-1)?.headers['ttl']).toBe('0');
    expect(JSON.parse(browser.decrypt(seen.at(-1)?.body ?? Buffer.alloc(0)))).toMatchObject({ body: expect.stringMatching(/^ä{1800,}$/) });
  });

  it('says which browsers are gone, what it refuses, and when to come again', async () => {
    for (const status of [404, 410]) {
      answers.set('/gone', { status });
      expect(await sendTo('/gone')).toEqual({ outcome: 'gone', since: null, reason: `status ${status}` });
    }
    answers.set('/refused', { status: 413 });
    expect(await sendTo('/refused')).toEqual({ outcome: 'refused', reason: 'status 413' });
    answers.set('/busy', { status: 429, headers: { 'retry-after': '300' } });
    const later = await failure(sendTo('/busy'));
    expect(later).toBeInstanceOf(PushLater);
    expect((later as PushLater).at.getTime() - Date.now()).toBeGreaterThan(290_000);
    answers.set('/broken', { status: 500 });
    expect(await failure(sendTo('/broken'))).toBeInstanceOf(PushFailed);
  });

  it('is not asked where the address is not public, and is not followed elsewhere', async () => {
    const before = seen.length;
    expect(await sendTo('/one', openBrowser(), { allow: [] })).toMatchObject({ outcome: 'refused' });
    expect(seen).toHaveLength(before);
    answers.set('/moved', { status: 307, headers: { location: '/one' } });
    expect(await sendTo('/moved')).toEqual({ outcome: 'refused', reason: 'status 307' });
    expect(seen).toHaveLength(before + 1);
  });
});
