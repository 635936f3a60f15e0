import { resolve } from 'node:path';
import type { Env } from './env.ts';
import { ConfigError, whole, yesNo } from './read-values.ts';

type DatabaseConfig =
  | { kind: 'pglite'; dir: string }
  | { kind: 'memory' }
  | { kind: 'postgres'; url: string; poolSize: number; preparedStatements: boolean };

/** Where everything is kept, and how processes tell each other. */
export type StorageConfig = { database: DatabaseConfig; dataDir: string; redisUrl: string | undefined };

export function readStorage(env: Env): StorageConfig {
  const dataDir = resolve(env['DATA_DIR'] ?? './data');
  return { database: readDatabase(env, dataDir), dataDir, redisUrl: readRedis(env) };
}

function readDatabase(env: Env, dataDir: string): DatabaseConfig {
  const url = env['DATABASE_URL'];
  if (!url) return { kind: 'pglite', dir: resolve(dataDir, 'postgres') };
  if (url === 'memory:') return { kind: 'memory' };
  if (!/^postgres(ql)?:\/\//.test(url)) throw new ConfigError('DATABASE_URL must start with postgres:// or postgresql://.');
  return {
    kind: 'postgres',
    url,
    poolSize: whole(env, 'DATABASE_POOL_SIZE', 10, 2, 200),
    preparedStatements: yesNo(env, 'DATABASE_PREPARED_STATEMENTS', true),
  };
}

function readRedis(env: Env): string | undefined {
  const url = env['REDIS_URL'];
  if (url && !/^rediss?:\/\//.test(url)) throw new ConfigError('REDIS_URL must start with redis:// or rediss://.');
  return url;
}
