import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Env } from './env.ts';

type Role = 'api' | 'worker' | 'scheduler';
export type ModelConfig = { name: 'llm_a' | 'llm_b'; apiKey: string | undefined; baseUrl: string | undefined; model: string };
export type SearchConfig =
  | { provider: 'none' }
  | { provider: 'searxng'; baseUrl: string }
  | { provider: 'brave' | 'tavily'; baseUrl: string; apiKey: string };
export type IdentityConfig =
  | { kind: 'embedded'; issuer: string }
  | { kind: 'provider'; jwksUrl: string; issuer: string | undefined; authorizedParties: readonly string[] };
type EmbeddingsConfig = { kind: 'built_in' } | { kind: 'endpoint'; baseUrl: string; apiKey: string | undefined; model: string };

export type Config = {
  version: string;
  gitSha: string;
  startedAt: string;
  logLevel: string;
  roles: ReadonlySet<Role>;
  http: { host: string; port: number; baseUrl: string; bodyLimit: number; trustProxy: boolean };
  database: { kind: 'pglite'; dir: string } | { kind: 'memory' } | { kind: 'postgres'; url: string; poolSize: number; preparedStatements: boolean };
  dataDir: string;
  redisUrl: string | undefined;
  identity: IdentityConfig;
  models: readonly ModelConfig[];
  /** Seconds one model call may take before it counts as timed out. */
  modelTimeoutSeconds: number;
  search: SearchConfig;
  fetch: { allow: readonly string[]; deny: readonly string[] };
  embeddings: EmbeddingsConfig;
  /** 32 bytes that encrypt stored provider keys; undefined means a key file in the data folder. */
  secretsKey: Buffer | undefined;
  otlpEndpoint: string | undefined;
  workerConcurrency: number;
  /** Whether `POST /projects/research` shares the limit of `POST /research`; the interface states none for it. */
  limitProjectResearch: boolean;
};

export class ConfigError extends Error {
  override name = 'ConfigError';
}

const packageVersion = (): string =>
  (JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/**
 * Groups and checks the environment.
 * @throws ConfigError one sentence naming the variable, when a value is wrong or a group is half set
 */
export function loadConfig(env: Env): Config {
  const port = whole(env, 'PORT', 8080, 0, 65_535);
  const host = env['HOST'] ?? '127.0.0.1';
  const dataDir = resolve(env['DATA_DIR'] ?? './data');
  const baseUrl = (env['BASE_URL'] ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`).replace(/\/+$/, '');
  checkUrl('BASE_URL', baseUrl);
  return {
    version: packageVersion(),
    gitSha: env['GIT_SHA'] ?? 'unknown',
    startedAt: new Date().toISOString(),
    logLevel: oneOf(env, 'LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
    roles: readRoles(env),
    http: {
      host,
      port,
      baseUrl,
      bodyLimit: whole(env, 'BODY_LIMIT_BYTES', 2 * 1024 * 1024, 1024 * 1024, 64 * 1024 * 1024),
      trustProxy: yesNo(env, 'TRUST_PROXY', false),
    },
    database: readDatabase(env, dataDir),
    dataDir,
    redisUrl: readRedis(env),
    identity: readIdentity(env, baseUrl),
    models: [...readModel(env, 'LLM_A', 'llm_a'), ...readModel(env, 'LLM_B', 'llm_b')],
    modelTimeoutSeconds: whole(env, 'LLM_TIMEOUT_SECONDS', 90, 1, 900),
    search: readSearch(env),
    fetch: { allow: listed(env, 'FETCH_ALLOW'), deny: listed(env, 'FETCH_DENY') },
    embeddings: readEmbeddings(env),
    secretsKey: readSecretsKey(env),
    otlpEndpoint: env['OTEL_EXPORTER_OTLP_ENDPOINT'],
    workerConcurrency: whole(env, 'WORKER_CONCURRENCY', 128, 1, 1000),
    limitProjectResearch: yesNo(env, 'LIMIT_PROJECT_RESEARCH', false),
  };
}

function readRoles(env: Env): ReadonlySet<Role> {
  const known: readonly string[] = ['api', 'worker', 'scheduler'];
  const names = env['ROLES'] ? listed(env, 'ROLES') : known;
  for (const name of names) {
    if (!known.includes(name)) throw new ConfigError(`ROLES holds "${name}"; it takes api, worker and scheduler.`);
  }
  return new Set(names as Role[]);
}

function readDatabase(env: Env, dataDir: string): Config['database'] {
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

function readIdentity(env: Env, baseUrl: string): IdentityConfig {
  const jwksUrl = env['IDENTITY_JWKS_URL'];
  const issuer = env['IDENTITY_ISSUER'];
  const authorizedParties = listed(env, 'IDENTITY_AUTHORIZED_PARTIES');
  if (!jwksUrl) {
    if (issuer || authorizedParties.length > 0) {
      throw new ConfigError('IDENTITY_ISSUER or IDENTITY_AUTHORIZED_PARTIES is set without IDENTITY_JWKS_URL.');
    }
    return { kind: 'embedded', issuer: baseUrl };
  }
  checkUrl('IDENTITY_JWKS_URL', jwksUrl);
  return { kind: 'provider', jwksUrl, issuer, authorizedParties };
}

/** What a provider is asked for where no model is named. */
export const DEFAULT_MODELS = { llm_a: 'claude-sonnet-4-5', llm_b: 'gpt-5-mini' } as const;

function readModel(env: Env, prefix: 'LLM_A' | 'LLM_B', name: 'llm_a' | 'llm_b'): ModelConfig[] {
  const apiKey = env[`${prefix}_API_KEY`];
  const baseUrl = env[`${prefix}_BASE_URL`];
  const model = env[`${prefix}_MODEL`];
  if (!apiKey && !baseUrl) {
    if (model) throw new ConfigError(`${prefix}_MODEL is set without ${prefix}_API_KEY or ${prefix}_BASE_URL.`);
    return [];
  }
  if (baseUrl) checkUrl(`${prefix}_BASE_URL`, baseUrl);
  if (baseUrl && !model) throw new ConfigError(`${prefix}_BASE_URL is set without ${prefix}_MODEL.`);
  return [{ name, apiKey, baseUrl, model: model ?? DEFAULT_MODELS[name] }];
}

function readSearch(env: Env): SearchConfig {
  const provider = oneOf(env, 'SEARCH_PROVIDER', ['none', 'searxng', 'brave', 'tavily'], 'none');
  const baseUrl = env['SEARCH_BASE_URL'];
  const apiKey = env['SEARCH_API_KEY'];
  if (baseUrl) checkUrl('SEARCH_BASE_URL', baseUrl);
  if (provider === 'none') {
    if (baseUrl || apiKey) throw new ConfigError('SEARCH_BASE_URL or SEARCH_API_KEY is set without SEARCH_PROVIDER.');
    return { provider };
  }
  if (provider === 'searxng') {
    if (!baseUrl) throw new ConfigError('SEARCH_PROVIDER=searxng needs SEARCH_BASE_URL.');
    return { provider, baseUrl };
  }
  if (!apiKey) throw new ConfigError(`SEARCH_PROVIDER=${provider} needs SEARCH_API_KEY.`);
  const standard = provider === 'brave' ? 'https://api.search.brave.com' : 'https://api.tavily.com';
  return { provider: provider as 'brave' | 'tavily', baseUrl: baseUrl ?? standard, apiKey };
}

function readEmbeddings(env: Env): EmbeddingsConfig {
  const baseUrl = env['EMBEDDINGS_BASE_URL'];
  const model = env['EMBEDDINGS_MODEL'];
  const apiKey = env['EMBEDDINGS_API_KEY'];
  if (!baseUrl) {
    if (model || apiKey) throw new ConfigError('EMBEDDINGS_MODEL or EMBEDDINGS_API_KEY is set without EMBEDDINGS_BASE_URL.');
    return { kind: 'built_in' };
  }
  checkUrl('EMBEDDINGS_BASE_URL', baseUrl);
  if (!model) throw new ConfigError('EMBEDDINGS_BASE_URL is set without EMBEDDINGS_MODEL.');
  return { kind: 'endpoint', baseUrl, apiKey, model };
}

function readSecretsKey(env: Env): Buffer | undefined {
  const text = env['SECRETS_KEY'];
  if (!text) return undefined;
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32) throw new ConfigError('SECRETS_KEY must be 32 bytes, in base64 or as 64 hex characters.');
  return key;
}

function whole(env: Env, name: string, standard: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined) return standard;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}; it is "${text}".`);
  }
  return value;
}

function yesNo(env: Env, name: string, standard: boolean): boolean {
  const text = env[name];
  if (text === undefined) return standard;
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw new ConfigError(`${name} must be true or false; it is "${text}".`);
}

function oneOf<const T extends string>(env: Env, name: string, values: readonly T[], standard: T): T {
  const text = env[name] ?? standard;
  const found = values.find((value) => value === text);
  if (found === undefined) throw new ConfigError(`${name} must be one of ${values.join(', ')}; it is "${text}".`);
  return found;
}

const listed = (env: Env, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item.length > 0);

function checkUrl(name: string, text: string): void {
  const url = URL.parse(text);
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new ConfigError(`${name} must be an http or https URL; it is "${text}".`);
}
