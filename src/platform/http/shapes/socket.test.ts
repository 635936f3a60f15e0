import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket as Connection } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { notFound } from '../../../lib/errors.ts';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { askRaw } from '#testing/raw-http.ts';
import { socketTo } from '#testing/socket-client.ts';
import { queryToken } from '../guards/query-token.ts';
import { forAll } from '../route-limits.ts';
import { socketRoute } from './socket.ts';

const asking = newGate();
const hearing = newGate();
const signals: AbortSignal[] = [];
const guard = queryToken(async (token) => {
  await asking.pass();
  return token === 'good' ? { userId: 'u1' } : null;
});
const echo = socketRoute({
  path: '/echo',
  summary: 'Says back what it hears',
  guard,
  maxMessageBytes: 1024,
  connect({ socket, signal }) {
    signals.push(signal);
    return async (message) => {
      await hearing.pass();
      if (message === 'fail') throw new Error('a secret of ours');
      if (message === 'gone') throw notFound('Topic');
      if (message === 'flood') for (let count = 0; count < 300; count += 1) socket.send('x'.repeat(60_000));
      socket.send(message);
    };
  },
});
const routes = [
  echo,
  socketRoute({ path: '/quiet', summary: 'Ends soon', guard, idleSeconds: 0.05, connect: () => () => {} }),
  socketRoute({ path: '/rare', summary: 'Once a minute', guard, limit: forAll(1), connect: () => () => {} }),
  socketRoute({
    path: '/frames/{id}',
    summary: 'Sends a frame that was made elsewhere',
    guard,
    connect({ socket }) {
      socket.writeFrames(Buffer.from([0x81, 2, 0x68, 0x69]));
      return () => {};
    },
  }),
  socketRoute({
    path: '/joined',
    summary: 'Hears what is published for its user',
    guard,
    connect({ ctx, principal, socket, signal }) {
      signals.push(signal);
      ctx.hub.connect(socket, { userId: principal.userId, topics: ['news'], signal });
      return () => {};
    },
  }),
];
const start = () => startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes }] } });
const app = await start();
afterAll(() => app.dispose());

const open = (path: string, token = 'good') => socketTo(`${app.url}${path}?token=${token}`);

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
];

/** A connection that was upgraded and does nothing by itself: no answer to a close, no reading but what is asked for. */
async function upgraded(url: string, path: string): Promise<{ connection: Connection; head: string }> {
  const connection = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  connection.write([`GET ${path} HTTP/1.1`, 'Host: localhost', ...UPGRADE, '', ''].join('\r\n'));
  const [head] = (await once(connection, 'data')) as [Buffer];
  return { connection, head: head.toString('latin1') };
}

/** A text message as a client sends it: masked (RFC 6455, section 5.3), with a mask of zeros. */
const frameOf = (text: string) => Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);

describe('a socket', () => {
  it('says with its code why nobody was let in', async () => {
    expect(await (await open('/echo', '')).closed).toEqual({ code: 4002, reason: 'Missing token' });
    expect(await (await open('/echo', 'bad')).closed).toEqual({ code: 4001, reason: 'Invalid token' });
    expect(await (await socketTo(`${app.url}/echo`)).closed).toMatchObject({ code: 4002 });
  });

  it('hears what was said before its caller was let in, in order', async () => {
    const release = asking.close();
    const socket = await open('/echo');
    for (const text of ['one', 'two', 'three']) socket.send(text);
    release();
    expect([await socket.next(), await socket.next(), await socket.next()]).toEqual(['one', 'two', 'three']);
    socket.close();
  });

  it('hears one message after the other, and makes a client wait that says too much at once', async () => {
    const release = hearing.close();
    const socket = await open('/echo');
    const texts = Array.from({ length: 3000 }, (_each, index) => `${index} ${'x'.repeat(900)}`);
    for (const text of texts) socket.send(text);
    await expect.poll(() => hearing.entered()).toBe(1);
    release();
    for (const text of texts) expect(await socket.next()).toBe(text);
    socket.close();
  });

  it('closes on a message that is too long, and on bytes, and the others live on', async () => {
    const other = await open('/echo');
    for (const [message, code] of [
      ['x'.repeat(1025), 1009],
      ['x'.repeat(200_000), 1009],
      [new Uint8Array(3), 1003],
    ] as const) {
      const socket = await open('/echo');
      socket.send(message);
      expect(await socket.closed).toMatchObject({ code });
    }
    other.send('x'.repeat(1024));
    expect(await other.next()).toHaveLength(1024);
    other.close();
  });

  it('closes when its code fails, and tells nobody why unless it was meant to', async () => {
    const failing = await open('/echo');
    failing.send('fail');
    expect(await failing.closed).toEqual({ code: 1011, reason: 'internal error' });
    const refused = await open('/echo');
    refused.send('gone');
    expect(await refused.closed).toEqual({ code: 1008, reason: 'Topic not found' });
  });

  it('closes when its client is silent, and when too many ask', async () => {
    expect(await (await open('/quiet')).closed).toMatchObject({ code: 1001 });
    const sockets = [await open('/rare'), await open('/rare')];
    expect(await Promise.race(sockets.map(({ closed }) => closed))).toMatchObject({ code: 1013 });
    for (const socket of sockets) socket.close();
  });

  it('passes on frames that were made elsewhere', async () => {
    const socket = await open('/frames/7');
    expect(await socket.next()).toBe('hi');
    socket.close();
  });

  it('tells its code when the client is gone without a word', async () => {
    const { connection } = await upgraded(app.url, '/echo?token=good');
    await expect.poll(() => signals.at(-1)?.aborted).toBe(false);
    connection.resetAndDestroy();
    await expect.poll(() => signals.at(-1)?.aborted).toBe(true);
  });

  it('is cut when its client takes nothing of what it is told', async () => {
    const { connection } = await upgraded(app.url, '/echo?token=good');
    connection.pause();
    await expect.poll(() => signals.at(-1)?.aborted).toBe(false);
    connection.write(frameOf('flood'));
    await expect.poll(() => signals.at(-1)?.aborted, { timeout: 20_000 }).toBe(true);
    connection.destroy();
  });
});

describe('a socket that joins the hub', () => {
  const joined = () => expect.poll(() => app.ctx.hub.counts('u1').sockets);

  it('is sent what is published, as text, and is forgotten when its client leaves', async () => {
    const socket = await open('/joined');
    await joined().toBe(1);
    app.ctx.hub.publish({ topic: 'news' }, { text: 'x'.repeat(70_000) });
    await app.ctx.relay.publish({ userId: 'u1' }, 'ä€😀');
    expect(JSON.parse(await socket.next())).toEqual({ text: 'x'.repeat(70_000) });
    expect(JSON.parse(await socket.next())).toBe('ä€😀');
    socket.close();
    await joined().toBe(0);
  });

  it('is cut when its client reads too slowly, and the others get everything', async () => {
    const quick = await open('/joined');
    const { connection } = await upgraded(app.url, '/joined?token=good');
    connection.pause();
    await joined().toBe(2);
    const slow = signals.at(-1);
    const text = 'x'.repeat(100_000);
    let sent = 0;
    // What the system takes for a client that does not read differs, so it is told more until the hub has had enough.
    while (app.ctx.hub.counts('u1').sockets === 2 && sent < 500) {
      app.ctx.hub.publish({ userId: 'u1' }, `${sent} ${text}`);
      expect(await quick.next()).toBe(JSON.stringify(`${sent} ${text}`));
      sent += 1;
    }
    expect(app.ctx.hub.counts('u1').sockets).toBe(1);
    // It does not even read the goodbye: its connection is cut all the same.
    await expect.poll(() => slow?.aborted, { timeout: 20_000 }).toBe(true);
    connection.destroy();
    quick.close();
    await joined().toBe(0);
  });
});

describe('an upgrade', () => {
  it('is answered with a request id', async () => {
    const { connection, head } = await upgraded(app.url, '/echo?token=good');
    expect(head).toMatch(/^HTTP\/1\.1 101 /);
    expect(head).toMatch(/x-request-id: [0-9a-f]{16}\r\n/i);
    connection.destroy();
  });

  it.each([
    ['without being asked for', []],
    ['in another version', UPGRADE.map((header) => header.replace(': 13', ': 8'))],
    ['without a key', UPGRADE.slice(0, 3)],
    ['to something else', UPGRADE.map((header) => header.replace('websocket', 'h2c'))],
  ])('%s is answered 426, saying what is expected', async (_how, headers) => {
    const answer = await askRaw(
      app.url,
      'GET /echo?token=good',
      headers.map((header) => header.replace('Connection: Upgrade', 'Connection: Upgrade, close')),
    );
    expect([answer.status, answer.headers['upgrade'], answer.headers['sec-websocket-version']]).toEqual([426, 'websocket', '13']);
    expect(JSON.parse(answer.body)).toEqual({ detail: expect.stringContaining('WebSocket') });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
  });

  it('with an odd protocol is refused as what cannot be read', async () => {
    const answer = await askRaw(app.url, 'GET /echo?token=good', [...UPGRADE, 'Sec-WebSocket-Protocol: ,']);
    expect(answer.status).toBe(400);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each(['websocket', 'h2c'])('to %s of a route that is no socket is overlooked', async (to) => {
    const answer = await askRaw(app.url, 'GET /version', [...UPGRADE.slice(2), 'Connection: Upgrade, close', `Upgrade: ${to}`]);
    expect(answer.status).toBe(200);
  });

  it('behind a request that still waits for its answer is none', async () => {
    const connection = connect(Number(new URL(app.url).port), '127.0.0.1');
    const requestOf = (path: string, headers: readonly string[]) => [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
    connection.write(requestOf('/health', []) + requestOf('/echo?token=good', UPGRADE.with(0, 'Connection: Upgrade, close')));
    let text = '';
    for await (const chunk of connection) text += String(chunk);
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 426']);
  });
});

describe('a service that closes', () => {
  it('says so to every socket, and does not wait for those who do not listen', async () => {
    const closing = await start();
    const polite = await socketTo(`${closing.url}/echo?token=good`);
    const { connection } = await upgraded(closing.url, '/echo?token=good');
    const [{ code }] = await Promise.all([polite.closed, closing.server.close()]);
    expect(code).toBe(1012);
    connection.destroy();
    await closing.dispose();
  });

  it('does not wait for who asks for a socket meanwhile', async () => {
    const closing = await start();
    const polite = await socketTo(`${closing.url}/echo?token=good`);
    // Does not listen, so that the service is not closed at once.
    const { connection } = await upgraded(closing.url, '/echo?token=good');
    const closed = closing.server.close();
    await polite.closed;
    const late = await upgraded(closing.url, '/echo?token=good');
    expect(late.head).toMatch(/^HTTP\/1\.1 503/);
    await closed;
    connection.destroy();
    await closing.dispose();
  });
});
