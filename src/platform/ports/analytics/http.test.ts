import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { openAnalytics } from './open-analytics.ts';
import { AnalyticsFailed, type Alias } from './port.ts';
import { tableAnalytics } from './table.ts';

const requests: { method: string | undefined; url: string | undefined; authorization: string | undefined; body: unknown }[] = [];
let answer: (response: ServerResponse) => void = (response) => response.writeHead(200).end('{"success":true}');
const server = createServer((request: IncomingMessage, response) => {
  void json(request).then((body) => {
    requests.push({ method: request.method, url: request.url, authorization: request.headers.authorization, body });
    answer(response);
  });
});
await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
afterAll(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const alias: Alias = { id: 'a-stable-id', anonId: 'anon:1', userId: 'user-1', at: new Date('2026-11-24T10:00:00Z') };
const to = (analytics: { url: string; writeKey: string | undefined } | undefined) => openAnalytics({ analytics, fetch: { allow: [], deny: [] } });
const tell = (signal = new AbortController().signal) => to({ url: `${url}/`, writeKey: 'the-key' }).alias(alias, signal);

describe('an alias', () => {
  it('is told as Segment’s tracking API takes it', async () => {
    await tell();
    expect(requests.at(-1)).toEqual({
      method: 'POST',
      url: '/v1/alias',
      authorization: `Basic ${Buffer.from('the-key:').toString('base64')}`,
      body: { type: 'alias', messageId: 'a-stable-id', previousId: 'anon:1', userId: 'user-1', timestamp: '2026-11-24T10:00:00.000Z' },
    });
    await to({ url: `${url}/behind`, writeKey: undefined }).alias(alias, new AbortController().signal);
    expect(requests.at(-1)).toMatchObject({ url: '/behind/v1/alias', authorization: undefined });
  });

  it.each([
    [429, '7', 7000],
    [503, undefined, undefined],
    [400, undefined, undefined],
    [302, 'soon', undefined],
  ])('is not delivered with status %s, and may be told when to come back (%s)', async (status, retryAfter, milliseconds) => {
    answer = (response) => response.writeHead(status, retryAfter ? { 'retry-after': retryAfter } : {}).end();
    const before = Date.now();
    const failure = await tell().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(AnalyticsFailed);
    const { retryAt, message } = failure as AnalyticsFailed;
    expect(message).toBe(`The analytics service answered with status ${status}.`);
    if (milliseconds === undefined) expect(retryAt).toBeUndefined();
    else expect(retryAt?.getTime()).toBeGreaterThanOrEqual(before + milliseconds);
  });

  it('is not delivered when the connection breaks off', async () => {
    answer = (response) => void response.socket?.resetAndDestroy();
    await expect(tell()).rejects.toThrow('The analytics service could not be reached');
  });

  it('is given up when nobody waits any more', async () => {
    const waiting = new AbortController();
    answer = () => waiting.abort(new Error('stopped'));
    await expect(tell(waiting.signal)).rejects.toThrow('stopped');
  });

  it('goes nowhere where no service is configured', () => {
    expect(to(undefined)).toBe(tableAnalytics);
  });
});
