import { Agent, get } from 'node:http';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { newGate, newIdea } from '#testing/factories.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

describe('a server that closes', () => {
  it('does not wait for the connection of a stream that ends after the idle ones were closed [R139]', async () => {
    const user = await app.user();
    const jobId = String((await user.call('POST', '/research', { idea: newIdea() })).body['job_id']);
    const gate = newGate();
    const read = app.ctx.streams.read;
    const agent = new Agent({ keepAlive: true });
    const request = get(`${app.url}/research/${jobId}/events`, { agent, headers: { authorization: `Bearer ${user.token}` } });
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
    await once(response, 'data');
    const release = gate.close();
    app.ctx.streams.read = async (...range) => {
      await gate.pass();
      return read(...range);
    };
    await app.ctx.wakeups.notify(`s:research:${jobId}`);
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBe(1);
    const ended = once(response.resume(), 'end');
    const closed = app.server.close();
    await expect.poll(() => app.server.fastify.server.listening).toBe(false);
    release();
    await ended;
    await closed;
  });
});
