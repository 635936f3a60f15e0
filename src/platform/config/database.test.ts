import { describe, expect, it } from 'vitest';
import { readStorage } from './database.ts';

describe('storage', () => {
  it('is embedded in the data folder without a setting', () => {
    const { database, dataDir, redisUrl } = readStorage({ DATA_DIR: '/srv/data' });
    expect([database, dataDir, redisUrl]).toEqual([{ kind: 'pglite', dir: '/srv/data/postgres' }, '/srv/data', undefined]);
  });

  it('may be PostgreSQL, or in memory alone', () => {
    const env = { DATABASE_URL: 'postgresql://h/db', DATABASE_POOL_SIZE: '5', DATABASE_PREPARED_STATEMENTS: 'false', REDIS_URL: 'rediss://h' };
    expect(readStorage(env)).toMatchObject({
      database: { kind: 'postgres', url: 'postgresql://h/db', poolSize: 5, preparedStatements: false },
      redisUrl: 'rediss://h',
    });
    expect(readStorage({ DATABASE_URL: 'memory:' }).database).toEqual({ kind: 'memory' });
  });

  it.each([
    [{ DATABASE_URL: 'mysql://h' }, /^DATABASE_URL must start/],
    [{ DATABASE_URL: 'postgres://h', DATABASE_POOL_SIZE: '1' }, /^DATABASE_POOL_SIZE must be a whole number from 2/],
    [{ REDIS_URL: 'http://h' }, /^REDIS_URL must start/],
  ])('is refused: %o', (env, message) => {
    expect(() => readStorage(env)).toThrow(message);
  });
});
