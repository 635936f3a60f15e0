import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { askRaw, parseAnswer, sendRaw, type RawAnswer } from '#testing/raw-http.ts';
import { createHttpServer, MOST_IN_FLIGHT, refuseUnreadable } from './connections.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

const isExplained = ({ headers, body }: RawAnswer): void => {
  expect(headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(body)).toEqual({ detail: expect.stringMatching(/./) });
};

describe('what is no request for any route', () => {
  it.each([
    ['QUERY /research', [], 405],
    ['QUERY /research', ['content-type: application/json', 'content-length: 0'], 405],
    ['PROPFIND /', [], 405],
    ['CONNECT example.org:443', [], 405],
    ['OPTIONS *', [], 405],
    ['GET /health', ['expect: magic'], 417],
    ['GET /health', [`x-large: ${'x'.repeat(20_000)}`], 431],
    ['GET /nowhere', [], 404],
    ['GET /docs/nothing', [], 404],
    ['GET /docs/%2e%2e/%2e%2e/package.json', [], 404],
    ['GET /docs/static/..%2f..%2fpackage.json', [], 404],
    ['GET /docs/static/__proto__', [], 404],
    ['GET /docs/%zz', [], 400],
    ['GET /share/%zz', [], 400],
    ['BREW /pot', [], 400],
    ['POST /auth/anonymous', ['transfer-encoding: gzip'], 400],
  ])('%s %j is answered %s, with a request id and a detail [R006]', async (line, headers, status) => {
    const answer = await askRaw(app.url, line, headers);
    expect(answer.status).toBe(status);
    isExplained(answer);
  });

  it('that names no host is told so', async () => {
    const answer = parseAnswer(await sendRaw(app.url, 'GET /health HTTP/1.1\r\nconnection: close\r\n\r\n'));
    expect(answer.status).toBe(400);
    isExplained(answer);
    expect(parseAnswer(await sendRaw(app.url, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
  });

  it('is no failure of the service: every route with a parameter answers 404 to a segment that no id is as long as', async () => {
    const routes = app.families.flatMap((family) => family.routes).filter(({ path }) => path.includes('{'));
    expect(routes.length).toBeGreaterThan(30);
    for (const { method, path } of routes) {
      const answer = await askRaw(app.url, `${method} ${path.replaceAll(/\{\w+\}/g, 'x'.repeat(501))}`, ['content-length: 0']);
      expect(answer.status, `${method} ${path}`).toBe(404);
      isExplained(answer);
    }
  });
});

describe('an answer that is ready before the request is whole', () => {
  const head = 'POST /auth/anonymous HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
  const close = 'GET /version HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n';

  it.each([
    ['with its length', `content-length: 8000000\r\n\r\n${'x'.repeat(8_000_000)}`],
    ['in chunks', `transfer-encoding: chunked\r\n\r\n${(8_000_000).toString(16)}\r\n${'x'.repeat(8_000_000)}\r\n0\r\n\r\n`],
  ])('reaches the client who still sends, %s [R036]', async (_how, rest) => {
    for (let count = 0; count < 5; count += 1) {
      const text = await sendRaw(app.url, `${head}${rest}${close}`);
      expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
    }
  });

  it('does not cost the requests behind it their answers', async () => {
    const text = await sendRaw(app.url, `${head}content-length: 1\r\n\r\n{PROPFIND / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc${close}`);
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 400', 'HTTP/1.1 405', 'HTTP/1.1 200']);
  });
});

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const QUICK = { headMs: 50, requestMs: 100, idleMs: 60_000, stalledMs: 50, lookEveryMs: 10 };

async function listening(handle: RequestListener, patience?: typeof QUICK): Promise<string> {
  const server = createHttpServer(handle, patience).on('clientError', refuseUnreadable);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function connected(url: string): Promise<Socket> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' });
  await once(socket, 'connect');
  return socket;
}

const request = (path = '/') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

describe('a connection', () => {
  it('gets as many answers at once as may be in flight', async () => {
    const text = await sendRaw(
      app.url,
      `${request('/version').repeat(MOST_IN_FLIGHT - 1)}GET /version HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`,
    );
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(MOST_IN_FLIGHT);
  });

  it('is cut when more are in flight, and what had arrived with them is not worked', async () => {
    let worked = 0;
    const url = await listening(() => void (worked += 1));
    expect(await sendRaw(url, request().repeat(1000))).toBe('');
    expect(worked).toBe(MOST_IN_FLIGHT);
  });

  it('may ask more than that one after the other', async () => {
    const url = await listening((_request, response) => void response.end('x'));
    const socket = await connected(url);
    for (let count = 0; count < 3 * MOST_IN_FLIGHT; count += 1) {
      socket.write(request());
      expect(String(((await once(socket, 'data')) as [Buffer])[0])).toContain('200 OK');
    }
    socket.destroy();
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'GET / HTTP/1.1\r\nhost: x\r\n'],
    ['half a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n123'],
  ])('that sends %s is told that it took too long, and closed', async (_what, bytes) => {
    const url = await listening((message) => void message.resume(), QUICK);
    const answer = parseAnswer(await sendRaw(url, bytes));
    expect(answer.status).toBe(408);
    isExplained(answer);
  });

  it('that is told so and stays is cut', async () => {
    const url = await listening(() => {}, QUICK);
    const closed = new Promise((resolve) => servers.at(-1)?.on('connection', (socket) => socket.on('close', resolve)));
    const client = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => {});
    await closed;
    client.destroy();
  });

  it('that does not take its answer is cut; one whose answer is still coming is not', async () => {
    const cut: string[] = [];
    const url = await listening((message, response) => {
      message.socket.on('close', () => cut.push(message.url ?? ''));
      if (message.url === '/large') response.end(Buffer.alloc(50_000_000));
      else if (message.url === '/quick') response.end('quick');
      else response.write('first');
    }, QUICK);
    const stream = await connected(url);
    stream.write(`${request('/quick')}${request('/stream')}`);
    const deaf = (await connected(url)).pause();
    deaf.write(request('/large'));
    await expect.poll(() => cut, { timeout: 10_000 }).toEqual(['/large']);
    const later = (await connected(url)).pause();
    later.write(request('/large'));
    // By the time that this one is cut, the stream has been silent as long.
    await expect.poll(() => cut, { timeout: 10_000 }).toEqual(['/large', '/large']);
    expect(stream.destroyed).toBe(false);
    for (const socket of [stream, deaf, later]) socket.destroy();
  });

  it('is told of what cannot be read after the answers to what could', async () => {
    const answering: ServerResponse[] = [];
    const url = await listening((_request, response) => void answering.push(response));
    for (const unreadable of [
      'NOT HTTP\r\n\r\n',
      'CONNECT example.org:443 HTTP/1.1\r\nhost: x\r\n\r\n',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n',
    ]) {
      const told = sendRaw(url, `${request()}${request()}${unreadable}more`);
      await expect.poll(() => answering.length).toBe(2);
      const [first, second] = answering.splice(0);
      second?.end('second');
      first?.write('fir');
      first?.end('st');
      const text = await told;
      expect(text.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => Math.floor(Number(line.slice(9)) / 100))).toEqual([2, 2, 4]);
      expect(text).toMatch(/first[\s\S]*second[\s\S]*"detail"/);
    }
  });
});
