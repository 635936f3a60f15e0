import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { askRaw } from '#testing/raw-http.ts';
import { databaseLimiter } from './limits.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const limiter = databaseLimiter(app.ctx.db);
afterAll(() => app.dispose());

const passTime = (key: string, seconds: number) =>
  sql`update rate_windows set started_at = started_at - make_interval(secs => ${seconds}) where key = ${key}`.execute(app.ctx.db);

describe('a limit per address', () => {
  it('is no failure of the service whatever a client writes into the header that proxies add to', async () => {
    const proxied = await startTestApp({ env: { ROLES: 'api', TRUST_PROXY: '1' } });
    const random = Array.from({ length: 170 }, () => randomUUID());
    for (const text of [random.join(''), random.join(', '), ', '.repeat(3000), '::ffff:'.repeat(900), '\u00ff'.repeat(6000), '-1', '1.2.3.4, ', '']) {
      const { status } = await askRaw(proxied.url, 'GET /share/nowhere', [`X-Forwarded-For: ${text}`]);
      expect(status, text.slice(0, 40)).toBe(404);
    }
    await proxied.dispose();
  });
});

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

  it('counts keys of any length and content', async () => {
    const random = Array.from({ length: 300 }, () => randomUUID()).join('');
    for (const [key, other] of [
      [`${random}a`, `${random}b`],
      [`${random}\0`, `${random}\ud800`],
      [`${randomUUID()}\0`, `${randomUUID()}\ud800`],
    ] as const) {
      await limiter.hit(key, 1, 60);
      expect(await limiter.hit(key, 1, 60)).toMatchObject({ allowed: false });
      expect(await limiter.hit(other, 1, 60)).toMatchObject({ allowed: true });
    }
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
