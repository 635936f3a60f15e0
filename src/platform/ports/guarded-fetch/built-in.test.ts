import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openSearchServer } from '#testing/search-server.ts';
import { openGuardedFetch } from './built-in.ts';
import type { Lookup } from './guarded-connect.ts';
import { FetchFailed, FetchRefused } from './port.ts';

const signal = new AbortController().signal;
const LOCAL = { allow: ['127.0.0.1'], deny: [] };

type Seen = { method: string | undefined; url: string | undefined; headers: IncomingMessage['headers']; body: string };
type Answering = (request: Seen, response: ServerResponse) => void;

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

/** A server that says what it was asked. */
async function open(answering: Answering) {
  const seen: Seen[] = [];
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    const asked = { method, url, headers, body: Buffer.concat(chunks).toString() };
    seen.push(asked);
    answering(asked, response);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  opened.push({
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  });
  const { port } = http.address() as AddressInfo;
  return { seen, port, url: (path = '/') => new URL(path, `http://127.0.0.1:${port}`) };
}

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('a request', () => {
  it('carries method, headers and body, and gives status, headers and bytes', async () => {
    const server = await open((_, response) => response.writeHead(201, { 'content-type': 'application/json', 'x-id': '7' }).end('{"ok":true}'));
    const headers = { 'content-type': 'application/json', authorization: 'Bearer secret' };
    const answer = await openGuardedFetch(LOCAL).fetch(server.url('/hooks?a=1'), { signal, method: 'POST', headers, body: '{"n":1}' });
    expect([answer.status, answer.header('x-id'), answer.body.toString(), answer.notModified]).toEqual([201, '7', '{"ok":true}', false]);
    expect(server.seen).toMatchObject([{ method: 'POST', url: '/hooks?a=1', headers, body: '{"n":1}' }]);
    expect(server.seen[0]?.headers['user-agent']).toBe('GroundworkBot/1.0');
  });

  it('gives an error status as an answer', async () => {
    const server = await open((_, response) => response.writeHead(503, { 'retry-after': '9' }).end('later'));
    const answer = await openGuardedFetch(LOCAL).fetch(server.url(), { signal });
    expect([answer.status, answer.header('retry-after'), answer.body.toString()]).toEqual([503, '9', 'later']);
  });

  it('asks for a head alone, or for no body that is not wanted', async () => {
    const server = await open((_, response) => response.writeHead(200, { 'content-length': '5' }).end('hello'));
    const { fetch } = openGuardedFetch(LOCAL);
    const head = await fetch(server.url(), { signal, method: 'HEAD' });
    expect([head.header('content-length'), head.body.length, server.seen[0]?.method]).toEqual(['5', 0, 'HEAD']);
    expect((await fetch(server.url(), { signal, wantsBody: () => false })).body).toHaveLength(0);
    const refusing = () => {
      throw new RangeError('not this one');
    };
    await expect(fetch(server.url(), { signal, wantsBody: refusing })).rejects.toThrow(RangeError);
  });

  it('asks only for what has changed', async () => {
    const validators = { etag: '"v1"', lastModified: 'Mon, 23 Nov 2026 10:00:00 GMT' };
    const server = await open(({ headers }, response) => {
      const isSame = headers['if-none-match'] === validators.etag && headers['if-modified-since'] === validators.lastModified;
      response.writeHead(isSame ? 304 : 200, { etag: validators.etag, 'last-modified': validators.lastModified }).end(isSame ? undefined : 'news');
    });
    const { fetch } = openGuardedFetch(LOCAL);
    const first = await fetch(server.url(), { signal });
    expect(first).toMatchObject({ status: 200, notModified: false, validators });
    const again = await fetch(server.url(), { signal, unless: first.validators });
    expect(again).toMatchObject({ status: 304, notModified: true, validators });
    expect(again.body).toHaveLength(0);
  });

  it('is cut or refused at its limit in bytes', async () => {
    const server = await open((_, response) => response.end('x'.repeat(5000)));
    const { fetch } = openGuardedFetch(LOCAL);
    await expect(fetch(server.url(), { signal, maxBytes: 1000 })).rejects.toMatchObject({ name: 'FetchFailed', reason: 'size' });
    expect((await fetch(server.url(), { signal, maxBytes: 1000, cutAtLimit: true })).body.toString()).toBe('x'.repeat(1000));
  });

  it('ends at its limit in time', async () => {
    await using server = await openSearchServer();
    const { fetch } = openGuardedFetch(LOCAL);
    const error = await failure(fetch(new URL(`${server.baseUrl}/fault/stall`), { signal, milliseconds: 100 }));
    expect(error).toMatchObject({ reason: 'timeout', message: `127.0.0.1:${server.port} did not answer within 0.1 s.` });
  });

  it('neither waits for nor opens a connection once it was called off', { timeout: 3000 }, async () => {
    await using server = await openSearchServer();
    const found = Promise.withResolvers<{ address: string; family: number }[]>();
    const asked = Promise.withResolvers<void>();
    const lookup: Lookup = () => {
      asked.resolve();
      return found.promise;
    };
    const { fetch: guarded } = openGuardedFetch({ allow: ['site.test'], deny: [], lookup });
    const control = new AbortController();
    const getting = failure(guarded(new URL(`http://site.test:${server.port}/`), { signal: control.signal }));
    await asked.promise;
    control.abort(new Error('enough'));
    expect((await getting).message).toBe('enough');
    found.resolve([{ address: '127.0.0.1', family: 4 }]);
    await fetch(server.baseUrl);
    expect(server.connections.accepted).toBe(1);
  });
});

describe('a redirect', () => {
  const redirecting = (status: number, to: (port: number) => string) => {
    let port = 0;
    return open(({ url }, response) => {
      if (url === '/from') response.writeHead(status, { location: to(port) }).end();
      else response.end('there');
    }).then((server) => {
      ({ port } = server);
      return server;
    });
  };
  // A second name of the same server is another origin.
  const other = { allow: ['127.0.0.1', 'other.test'], deny: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] };
  const secret = { authorization: 'Bearer secret', 'x-api-key': 'secret', accept: 'text/plain' };

  it('keeps headers within an origin and takes none of them elsewhere', async () => {
    const within = await redirecting(302, () => '/to');
    await openGuardedFetch(other).fetch(within.url('/from'), { signal, headers: secret });
    expect(within.seen[1]?.headers).toMatchObject(secret);
    const away = await redirecting(302, (port) => `http://other.test:${port}/to`);
    const answer = await openGuardedFetch(other).fetch(away.url('/from'), { signal, headers: secret });
    expect(answer.url.href).toBe(`http://other.test:${away.port}/to`);
    expect(away.seen[1]?.headers).toMatchObject({ accept: 'text/plain', host: `other.test:${away.port}` });
    expect(JSON.stringify(away.seen[1]?.headers)).not.toContain('secret');
  });

  it('of what was sent is given as it is', async () => {
    const server = await redirecting(307, () => '/to');
    const answer = await openGuardedFetch(LOCAL).fetch(server.url('/from'), { signal, method: 'POST', body: 'x' });
    expect([answer.status, answer.header('location'), server.seen.length]).toEqual([307, '/to', 1]);
  });

  it.each([
    [303, 'GET', ''],
    [307, 'POST', 'x'],
  ])('%i of what was sent is followed as %s where that is wished for', async (status, method, body) => {
    const server = await redirecting(status, () => '/to');
    const headers = { 'content-type': 'text/plain' };
    await openGuardedFetch(LOCAL).fetch(server.url('/from'), { signal, method: 'POST', body: 'x', headers, redirects: 2 });
    expect(server.seen[1]).toMatchObject({ method, body });
    expect(server.seen[1]?.headers['content-type']).toBe(method === 'GET' ? undefined : 'text/plain');
  });

  it('does not take a body to another origin', async () => {
    const server = await redirecting(308, (port) => `http://other.test:${port}/to`);
    const request = { signal, method: 'POST' as const, body: 'x', redirects: 2 };
    await expect(openGuardedFetch(other).fetch(server.url('/from'), request)).rejects.toMatchObject({ reason: 'redirects' });
    expect(server.seen).toHaveLength(1);
  });

  it('to a private address is refused', async () => {
    const server = await redirecting(302, () => 'http://169.254.169.254/latest');
    const error = await failure(openGuardedFetch(LOCAL).fetch(server.url('/from'), { signal }));
    expect(error).toBeInstanceOf(FetchRefused);
  });

  it('that goes round ends', async () => {
    const server = await redirecting(302, () => '/from');
    const error = await failure(openGuardedFetch(LOCAL).fetch(server.url('/from'), { signal, redirects: 3 }));
    expect(error).toBeInstanceOf(FetchFailed);
    expect(server.seen).toHaveLength(4);
  });
});

describe('an address', () => {
  const lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }];

  it('that is not public is refused, whatever method', async () => {
    const server = await open((_, response) => response.end());
    const { fetch, check } = openGuardedFetch({ allow: [], deny: [], lookup });
    await expect(fetch(server.url(), { signal, method: 'POST', body: 'x' })).rejects.toThrow(FetchRefused);
    await expect(fetch(new URL(`http://internal.test:8080/`), { signal })).rejects.toThrow('not public');
    expect(() => check(server.url())).toThrow(FetchRefused);
    expect(server.seen).toEqual([]);
  });

  it('of the configuration need not be public, and opens nothing beside its host', async () => {
    const server = await open((_, response) => response.end('inside'));
    const { fetch } = openGuardedFetch({ allow: [], deny: [], allowPrivate: [`http://storage.test:${server.port}/bucket`], lookup });
    const url = (host: string) => new URL(`http://${host}:${server.port}/`);
    expect((await fetch(url('storage.test'), { signal })).body.toString()).toBe('inside');
    await expect(fetch(url('other.test'), { signal })).rejects.toThrow(FetchRefused);
    await expect(fetch(url('127.0.0.1'), { signal })).rejects.toThrow(FetchRefused);
  });

  it('that is denied stays so', async () => {
    const { fetch } = openGuardedFetch({ allow: [], deny: ['storage.test'], allowPrivate: ['http://storage.test/'], lookup });
    await expect(fetch(new URL('http://storage.test/'), { signal })).rejects.toThrow('denied');
  });
});
