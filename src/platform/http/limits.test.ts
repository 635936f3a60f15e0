import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { databaseLimiter } from './limits.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const limiter = databaseLimiter(app.ctx.db);
afterAll(() => app.dispose());

const passTime = (key: string, seconds: number) =>
  sql`update rate_windows set started_at = started_at - make_interval(secs => ${seconds}) where key = ${key}`.execute(app.ctx.db);

describe('a limit', () => {
  it('allows so many hits in the window that the first one begins, and says how long it lasts [R038 R039]', async () => {
    const key = randomUUID();
    for (let count = 0; count < 3; count += 1) expect(await limiter.hit(key, 3, 60)).toMatchObject({ allowed: true });
    const over = await limiter.hit(key, 3, 60);
    expect(over.allowed).toBe(false);
    expect(over.retryAfter).toBeGreaterThanOrEqual(59);
    expect(over.retryAfter).toBeLessThanOrEqual(60);
    await passTime(key, 50);
    expect((await limiter.hit(key, 3, 60)).retryAfter).toBeLessThanOrEqual(10);
  });

  it('begins a new window once the old one is over, however often it was hit meanwhile', async () => {
    const key = randomUUID();
    for (let count = 0; count < 10; count += 1) await limiter.hit(key, 3, 60);
    await passTime(key, 61);
    for (let count = 0; count < 3; count += 1) expect(await limiter.hit(key, 3, 60)).toMatchObject({ allowed: true });
    expect(await limiter.hit(key, 3, 60)).toMatchObject({ allowed: false });
  });

  it('never tells to come back at once', async () => {
    const key = randomUUID();
    await limiter.hit(key, 0, 60);
    await passTime(key, 59.9);
    expect((await limiter.hit(key, 0, 60)).retryAfter).toBe(1);
  });

  it('counts each key alone', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    await limiter.hit(first, 1, 60);
    expect(await limiter.hit(first, 1, 60)).toMatchObject({ allowed: false });
    expect(await limiter.hit(second, 1, 60)).toMatchObject({ allowed: true });
  });

  it('allows exactly so many of hits that come at once', async () => {
    const key = randomUUID();
    const hits = await Promise.all(Array.from({ length: 25 }, () => limiter.hit(key, 10, 60)));
    expect(hits.filter(({ allowed }) => allowed)).toHaveLength(10);
  });
});
