import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { isIdle } from '#testing/factories.ts';
import { runFuzz } from '../../bench/fuzz/run-fuzz.ts';
import { jobMetrics } from '#platform/jobs/job-metrics.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

const COUNT = 2000;
const SEED = 20_240_601;

describe('the service', () => {
  it('answers malformed, boundary and random requests with nothing but what is stated, and no job fails of them', { timeout: 600_000 }, async () => {
    const keyFile = join(app.ctx.config.dataDir, 'identity-key.json');
    const { statuses, violations } = await runFuzz({ url: app.url, keyFile, count: COUNT, seed: SEED, lanes: 4 });
    expect(violations).toEqual([]);
    const counts = [...statuses.values()].flatMap((own) => [...own]);
    expect(counts.reduce((sum, [, times]) => sum + times, 0)).toBeGreaterThan(COUNT * 0.9);
    // It reaches behind the doors, too.
    const seen = new Set(counts.map(([status]) => status));
    expect(['200', '201', '202', '400', '401', '404', '405', '413', '422', '431'].filter((status) => !seen.has(status))).toEqual([]);
    await expect.poll(() => isIdle(app.ctx), { timeout: 300_000 }).toBe(true);
    const { values } = await jobMetrics(app.ctx.metrics).durations.get();
    expect(values.filter(({ labels }) => labels.outcome === 'failed').map(({ labels }) => labels.job)).toEqual([]);
  });
});
