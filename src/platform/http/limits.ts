import { sql } from 'kysely';
import { sha256 } from '../../lib/ids.ts';
import type { Db } from '../db/database.ts';

type Hit = { allowed: boolean; retryAfter: number };

/** Counts hits per key in windows that begin with the first hit; the same count in every process. */
export type Limiter = { hit(key: string, max: number, windowSeconds: number): Promise<Hit> };

/** Longer than any key of a route with a user's id or an address; an index takes no more than about 2,700 bytes. */
const LONGEST_KEY = 400;

/** The key as it is stored: what a client had a hand in may be of any length. */
const stored = (key: string): string => (key.length <= LONGEST_KEY && key.isWellFormed() && !key.includes('\0') ? key : sha256(key));

/** In the database, which processes share anyhow. */
export function databaseLimiter(db: Db): Limiter {
  return {
    hit: async (key, max, windowSeconds) => {
      const { rows } = await sql<{ hits: number; left: number }>`
        insert into rate_windows as w (key, started_at, hits) values (${stored(key)}, now(), 1)
        on conflict (key) do update set
          hits = case when w.started_at <= now() - make_interval(secs => ${windowSeconds}) then 1 else w.hits + 1 end,
          started_at = case when w.started_at <= now() - make_interval(secs => ${windowSeconds}) then now() else w.started_at end
        returning hits, extract(epoch from started_at + make_interval(secs => ${windowSeconds}) - now())::float8 as left`.execute(db);
      const row = rows[0] ?? { hits: 1, left: windowSeconds };
      return { allowed: row.hits <= max, retryAfter: Math.max(1, Math.ceil(row.left)) };
    },
  };
}

const LONGEST_WINDOW_SECONDS = 3600;

/** Removes windows that are over. */
export async function deleteOldWindows(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_windows where started_at < now() - make_interval(secs => ${LONGEST_WINDOW_SECONDS})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** In Redis, where one is configured: counting then costs the database nothing. */
export async function redisLimiter(url: string): Promise<Limiter & { close(): void }> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, { maxRetriesPerRequest: 2 });
  redis.on('error', () => {});
  const script = `local n = redis.call('INCR', KEYS[1])
    if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
    return {n, redis.call('PTTL', KEYS[1])}`;
  return {
    hit: async (key, max, windowSeconds) => {
      const [hits, left] = (await redis.eval(script, 1, `limit:${stored(key)}`, windowSeconds * 1000)) as [number, number];
      return { allowed: hits <= max, retryAfter: Math.max(1, Math.ceil(left / 1000)) };
    },
    close: () => redis.disconnect(),
  };
}
