import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newRequestId } from '../../lib/ids.ts';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import type { Authenticator } from './mount.ts';
import { route } from './route.ts';
import { createServer } from './server.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const gate = newGate();
const signals: AbortSignal[] = [];
const waiting = route({
  method: 'GET',
  path: '/waiting',
  summary: 'Answers when the gate is open',
  auth: 'public',
  responses: { 200: z.object({ ok: z.boolean() }) },
  async handle({ signal }, reply) {
    signals.push(signal);
    await gate.pass(signal);
    return reply(200, { ok: true });
  },
});
const server = createServer(app.ctx, {} as Authenticator, [{ family: 'test', routes: [waiting] }]);
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

describe('request ids', () => {
  it('are sixteen hex characters, each its own', () => {
    const ids = Array.from({ length: 2000 }, newRequestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^[0-9a-f]{16}$/.test(id))).toBe(true);
  });
});
