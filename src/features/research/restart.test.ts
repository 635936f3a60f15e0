import { afterAll, describe, expect, it } from 'vitest';
import { openLog } from '#platform/observability/log.ts';
import { startTestApp } from '#testing/app.ts';
import { gatedSearch, newGate, newIdea } from '#testing/factories.ts';
import { followNdjson } from '#testing/read-ndjson.ts';
import { startService, type Service } from '../../app/service.ts';
import { STAGES } from './states.ts';

const gate = newGate();
const app = await startTestApp({ overrides: { search: gatedSearch(gate) } });
let heir: Service | undefined;
afterAll(async () => {
  await heir?.stop(0);
  await app.dispose();
});

describe('a service that is stopped while a research runs', () => {
  it('ends the streams without done, gives the job back, and the next one goes on from there [R139 R242]', async () => {
    const user = await app.user();
    const release = gate.close();
    const jobId = String((await user.call('POST', '/research', { idea: newIdea() })).body['job_id']);
    const lines = followNdjson(`${app.url}/research/${jobId}/events`, user.token);
    for (let count = 0; count < 5; count += 1) expect((await lines.next()).done).toBe(false);
    await expect.poll(() => gate.entered(), { timeout: 10_000 }).toBeGreaterThan(0);
    await app.stop(0);
    expect(await lines.next()).toEqual({ done: true, value: undefined });

    release();
    heir = await startService(app.ctx.config, openLog('silent'), { database: app.ctx.database, search: gatedSearch(gate) });
    const { fastify } = heir.server;
    const headers = { authorization: `Bearer ${user.token}` };
    const whole = await fastify.inject({ method: 'GET', url: `/research/${jobId}/events`, headers });
    const events = whole.payload
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> });
    const stages = events.filter(({ event }) => event === 'stage').map(({ data }) => `${String(data['name'])} ${String(data['status'])}`);
    expect(stages).toEqual(STAGES.flatMap((stage) => [`${stage} started`, `${stage} completed`]));
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['result', 'done']);
  });
});
