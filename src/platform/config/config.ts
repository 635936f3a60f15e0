import { readFileSync } from 'node:fs';
import { readStorage, type StorageConfig } from './database.ts';
import type { Env } from './env.ts';
import { readFetch, type FetchConfig } from './fetch.ts';
import { readIdentity, type IdentityConfig } from './identity.ts';
import { readLimits, type LimitsConfig } from './limits.ts';
import { readModels, type ModelsConfig } from './models.ts';
import { readObservability, type ObservabilityConfig } from './observability.ts';
import { readPush, type PushConfig } from './push.ts';
import { readSearch, type SearchConfig } from './search.ts';
import { readSecretsKey } from './secrets.ts';
import { readServer, type ServerConfig } from './server.ts';

export { ConfigError } from './read-values.ts';

export type Config = {
  version: string;
  gitSha: string;
  startedAt: string;
  identity: IdentityConfig;
  search: SearchConfig;
  fetch: FetchConfig;
  push: PushConfig;
  secretsKey: Buffer | undefined;
} & ServerConfig &
  StorageConfig &
  ModelsConfig &
  LimitsConfig &
  ObservabilityConfig;

const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/**
 * Groups and checks the environment; each group has a file of its own.
 * @throws ConfigError one sentence naming the variable, when a value is wrong or a group is half set
 */
export function loadConfig(env: Env): Config {
  const server = readServer(env);
  return {
    version: packageVersion(),
    gitSha: env['GIT_SHA'] ?? 'unknown',
    startedAt: new Date().toISOString(),
    ...server,
    ...readStorage(env),
    ...readModels(env),
    ...readLimits(env),
    ...readObservability(env),
    identity: readIdentity(env, server.http.baseUrl),
    search: readSearch(env),
    fetch: readFetch(env),
    push: readPush(env, server.http.baseUrl),
    secretsKey: readSecretsKey(env),
  };
}
