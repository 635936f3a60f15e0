import { once } from 'node:events';
import { Agent, get, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { newRequestId } from '../../lib/ids.ts';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { everyone } from './guards/everyone.ts';
import type { Authenticator } from './guards/guard.ts';
import { route } from './shapes/json.ts';
import { createServer } from './server.ts';
import { streamRoute } from './shapes/stream.ts';
import { httpMetrics } from './http-metrics.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const gate = newGate();
const signals: AbortSignal[] = [];
const waiting = route({
  method: 'GET',
  path: '/waiting',
  summary: 'Answers when the gate is open',
  guard: everyone,
  responses: { 200: z.object({ ok: z.boolean() }) },
  async handle({ signal }, reply) {
    signals.push(signal);
    await gate.pass(signal);
    return reply(200, { ok: true });
  },
});
const opening = newGate();
const slow = streamRoute({
  path: '/slow/{id}',
  summary: 'Opens when the gate is open',
  params: z.object({ id: z.string() }),
  async open({ params }) {
    await opening.pass();
    return { key: `test:${params.id}` };
  },
});
const unwatched = vi.fn();
const auth = { authenticate: async () => ({ userId: 'u1' }), watch: async () => unwatched } as unknown as Authenticator;
const server = createServer(app.ctx, auth, [{ family: 'test', routes: [waiting, slow] }]);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await server.close();
  await app.dispose();
});

describe('the signal of a request', () => {
  it('does not abort when the answer went out, also when its connection ends with it', async () => {
    const agent = new Agent({ keepAlive: false });
    const request = get(`${url}/waiting`, { agent });
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    await once(response.resume(), 'close');
    expect(signals.at(-1)?.aborted).toBe(false);
  });

  it('aborts when the client leaves before the answer', async () => {
    const release = gate.close();
    const request = get(`${url}/waiting`).on('error', () => {});
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    request.destroy();
    await expect.poll(() => signals.at(-1)?.aborted).toBe(true);
    release();
  });
});

describe('a stream', () => {
  const openStreams = async () => (await httpMetrics(app.ctx.metrics).openStreams.get()).values[0]?.value;

  it('whose reader left before it opened leaves nothing behind, also when it waits behind another answer', async () => {
    const release = opening.close();
    await app.ctx.streams.open(app.ctx.db, 'test:1');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /slow/1 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await expect.poll(() => opening.entered(), { timeout: 10_000 }).toBe(3);
    socket.resetAndDestroy();
    await expect.poll(() => connectionsOf(server.fastify.server)).toBe(0);
    release();
    await expect.poll(() => unwatched.mock.calls.length).toBe(3);
    expect(await openStreams()).toBe(0);
  });

  it('that waits behind another one ends with its connection', async () => {
    unwatched.mockClear();
    await app.ctx.streams.open(app.ctx.db, 'test:2');
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /slow/2 HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await expect.poll(openStreams).toBe(3);
    socket.resetAndDestroy();
    await expect.poll(openStreams).toBe(0);
    expect(unwatched).toHaveBeenCalledTimes(3);
  });
});

const connectionsOf = (of: Server) => new Promise<number>((resolve) => of.getConnections((_error, count) => resolve(count)));

describe('request ids', () => {
  it('are sixteen hex characters, each its own', () => {
    const ids = Array.from({ length: 2000 }, newRequestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });
});
