import type { Env } from './env.ts';
import { checkUrl, ConfigError, listed, whole } from './read-values.ts';
import { trustedProxies, type TrustedProxies } from './trusted-proxies.ts';

type Role = 'api' | 'worker' | 'scheduler';

/** What this process does, and where it listens. */
export type ServerConfig = {
  roles: ReadonlySet<Role>;
  http: { host: string; port: number; baseUrl: string; bodyLimit: number; trustProxy: TrustedProxies };
  /** What operators present as a bearer; undefined: nobody may use what asks for it. */
  adminSecret: string | undefined;
  /** What publishers of toasts present as a bearer; undefined: nobody publishes over HTTP. */
  toastPublishSecret: string | undefined;
};

export function readServer(env: Env): ServerConfig {
  const port = whole(env, 'PORT', 8080, 0, 65_535);
  const host = env['HOST'] ?? '127.0.0.1';
  const baseUrl = (env['BASE_URL'] ?? `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${port}`).replace(/\/+$/, '');
  checkUrl('BASE_URL', baseUrl);
  const bodyLimit = whole(env, 'BODY_LIMIT_BYTES', 2 * 1024 * 1024, 1024 * 1024, 64 * 1024 * 1024);
  return {
    roles: readRoles(env),
    http: { host, port, baseUrl, bodyLimit, trustProxy: readTrustProxy(env) },
    adminSecret: readSecret(env, 'ADMIN_SECRET'),
    toastPublishSecret: readSecret(env, 'TOAST_PUBLISH_SECRET'),
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

function readTrustProxy(env: Env): TrustedProxies {
  const trusted = trustedProxies(listed(env, 'TRUST_PROXY'));
  if (trusted !== null) return trusted;
  throw new ConfigError(
    `TRUST_PROXY must be false, the number of proxies in front of the service (1 to 10), or their addresses or CIDRs; it is "${env['TRUST_PROXY']}".`,
  );
}

function readSecret(env: Env, name: string): string | undefined {
  const secret = env[name];
  if (secret !== undefined && !/^\S{16,}$/.test(secret)) throw new ConfigError(`${name} must be at least 16 characters without spaces.`);
  return secret;
}
