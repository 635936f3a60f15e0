import { httpMetrics } from '../http-metrics.ts';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { conflict, notFound } from '../../../lib/errors.ts';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { everyone } from '../guards/everyone.ts';
import { postStreamRoute } from './stream.ts';

const gate = newGate();
const seen: { signal: AbortSignal; over: boolean }[] = [];
const Body = z.object({ how: z.string() });
const talk = postStreamRoute({
  path: '/talk',
  summary: 'Talks in the way it is asked to',
  body: Body,
  async *events({ body, signal }) {
    const one = { signal, over: false };
    seen.push(one);
    try {
      if (body.how === 'missing') throw notFound('Session');
      yield { event: 'begun', data: {} };
      if (body.how === 'known') throw conflict('It is busy');
      if (body.how === 'unknown') throw new Error('a secret of ours');
      if (body.how === 'waits') await gate.pass(signal);
      // Deaf to its signal.
      if (body.how === 'deaf') await gate.pass();
      if (body.how === 'endless') while (!signal.aborted) yield { event: 'more', data: { text: 'x'.repeat(10_000) } };
      yield { event: 'more', data: {} };
    } finally {
      one.over = true;
    }
  },
});
const served = postStreamRoute({
  path: '/served',
  summary: 'The same as server-sent events',
  guard: everyone,
  body: Body,
  format: 'sse',
  async *events({ body }) {
    yield { event: 'said', data: { text: body.how } };
  },
});
const start = () => startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes: [talk, served] }] } });
const app = await start();
afterAll(() => app.dispose());

const ask = async (how: string, of = app) => {
  const { token } = await of.user();
  const asked = request(`${of.url}/talk`, { method: 'POST', headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } });
  asked.on('error', () => {}).end(JSON.stringify({ how }));
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { asked, response, token };
};
const textOf = async (chunks: AsyncIterable<Buffer>): Promise<string> => {
  let text = '';
  for await (const chunk of chunks) text += String(chunk);
  return text;
};
const eventsOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: string }).event);
const openStreams = async () => (await httpMetrics(app.ctx.metrics).openStreams.get()).values[0]?.value;

describe('a stream that answers a body', () => {
  it('is an error while nothing was said, and says it afterwards, in the words that are meant for clients', async () => {
    const missing = await ask('missing');
    expect([missing.response.statusCode, await textOf(missing.response)]).toEqual([404, '{"detail":"Session not found"}']);
    for (const [how, message] of [
      ['known', 'It is busy'],
      ['unknown', 'Internal error'],
    ] as const) {
      const { response } = await ask(how);
      const lines = (await textOf(response)).trim().split('\n');
      expect(response.statusCode).toBe(200);
      expect(lines.slice(1)).toEqual([`{"v":1,"event":"error","data":{"message":"${message}"}}`, '{"v":1,"event":"done","data":{}}']);
    }
    expect(seen.every(({ over }) => over)).toBe(true);
  });

  it('tells its code that the reader has left, and lets go of it', async () => {
    for (const how of ['waits', 'endless', 'deaf']) {
      const release = gate.close();
      const { asked, response } = await ask(how);
      await once(response, 'data');
      expect(await openStreams()).toBe(1);
      asked.destroy();
      await expect.poll(() => seen.at(-1)?.signal.aborted, { message: how }).toBe(true);
      await expect.poll(openStreams).toBe(0);
      release();
      await expect.poll(() => seen.at(-1)?.over, { message: how }).toBe(true);
    }
  });

  it('ends without its last event when its session is revoked', async () => {
    const release = gate.close();
    const { response, token } = await ask('waits');
    const text = textOf(response);
    await expect.poll(() => gate.entered()).toBe(1);
    await app.server.fastify.inject({ method: 'DELETE', url: '/auth/session', headers: { authorization: `Bearer ${token}` } });
    expect(eventsOf(await text)).toEqual(['begun']);
    expect(seen.at(-1)?.signal.aborted).toBe(true);
    release();
  });

  it('does not hold a service that closes, whatever its code still waits for', async () => {
    const closing = await start();
    const release = gate.close();
    const { response } = await ask('deaf', closing);
    const text = textOf(response);
    await expect.poll(() => gate.entered()).toBe(1);
    await closing.server.close();
    expect(eventsOf(await text)).toEqual(['begun']);
    release();
    await closing.dispose();
  });

  it('checks its body and its caller as every route does', async () => {
    const user = await app.user();
    expect(await user.call('POST', '/talk', {})).toMatchObject({ status: 400 });
    const nobody = await app.server.fastify.inject({ method: 'POST', url: '/talk', payload: { how: 'well' } });
    expect(nobody.statusCode).toBe(401);
  });

  it('is written as server-sent events where it is declared so', async () => {
    const answer = await app.server.fastify.inject({ method: 'POST', url: '/served', payload: { how: 'a\nb' } });
    expect(answer.headers['content-type']).toBe('text/event-stream');
    expect(answer.payload).toBe('event: said\ndata: {"text":"a\\nb"}\n\nevent: done\ndata: {}\n\n');
  });
});
