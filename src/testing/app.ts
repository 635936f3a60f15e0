import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { InjectOptions } from 'fastify';
import { startService, type Overrides, type Service } from '../app/service.ts';
import { loadConfig } from '#platform/config/config.ts';
import type { Database } from '#platform/db/database.ts';
import { openPglite } from '#platform/db/pglite.ts';
import { openPostgres } from '#platform/db/postgres.ts';
import { signIdentityToken } from '#features/auth';
import { openLog } from '#platform/observability/log.ts';

export type TestApp = Service & {
  /** Address it listens on; for what needs a real connection. */
  url: string;
  /** A fresh user with a session token. */
  user(options?: { name?: string; email?: string }): Promise<TestUser>;
  /** The user of this id, whoever it was made by. */
  userCalled(userId: string): Promise<TestUser>;
  /** A fresh anonymous principal. */
  anonymous(): Promise<TestUser & { deviceId: string }>;
  identityToken(userId: string, claims?: { name?: string; email?: string }, lifetimeSeconds?: number): Promise<string>;
  dispose(): Promise<void>;
};

export type Called = { status: number; body: Record<string, never> & Record<string, unknown>; headers: Record<string, unknown>; text: string };

export type TestUser = {
  userId: string;
  token: string;
  call(method: InjectOptions['method'], url: string, body?: unknown, headers?: Record<string, string>): Promise<Called>;
};

/**
 * The real service on a database of its own: in memory, or in a schema of its own of the PostgreSQL that
 * `TEST_DATABASE_URL` names.
 */
export async function startTestApp(
  options: { env?: Record<string, string>; overrides?: Overrides; logTo?: NodeJS.WritableStream } = {},
): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'groundwork-app-'));
  const keyFile = join(dataDir, 'identity-key.json');
  const config = loadConfig({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...options.env });
  const brought = options.overrides?.database;
  const { database, drop } = brought ? { database: brought, drop: async () => {} } : await testDatabase();
  const log = openLog(config.logLevel, options.logTo);
  const service = await startService(config, log, { database, ...options.overrides });
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 });

  const identityToken: TestApp['identityToken'] = (userId, claims = {}, lifetimeSeconds = 600) =>
    signIdentityToken(keyFile, { userId, ...claims, issuer: config.http.baseUrl }, lifetimeSeconds);
  const asUser = (userId: string, token: string): TestUser => ({
    userId,
    token,
    call: (method, path, body, headers) => call(service, method, path, token, body, headers),
  });
  const signedIn = async (userId: string, claims: { name?: string; email?: string } = {}): Promise<TestUser> => {
    const jwt = await identityToken(userId, claims);
    const session = await call(service, 'POST', '/auth/session', jwt);
    return asUser(userId, String(session.body['token']));
  };
  return {
    ...service,
    url,
    identityToken,
    user: (claims = {}) => signedIn(`user-${randomUUID()}`, claims),
    userCalled: (userId) => signedIn(userId),
    anonymous: async () => {
      const deviceId = `device-${randomUUID()}`;
      const session = await call(service, 'POST', '/auth/anonymous', undefined, { device_id: deviceId });
      return { ...asUser('', String(session.body['token'])), deviceId };
    },
    dispose: async () => {
      await service.stop(0);
      await database.close();
      await drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function call(
  service: Service,
  method: InjectOptions['method'],
  url: string,
  token?: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const answer = await service.server.fastify.inject({
    ...(method ? { method } : {}),
    url,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
  return { status: answer.statusCode, body: isJson ? answer.json() : {}, headers: answer.headers, text: answer.payload };
}

type TestDatabase = { database: Database; drop: () => Promise<void> };

/** A database with nothing in it, of the kind that the tests run on; the caller closes and drops it. */
export async function emptyTestDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  return url ? freshPostgres(url) : { database: await openPglite(), drop: async () => {} };
}

async function testDatabase(): Promise<TestDatabase> {
  const url = process.env['TEST_DATABASE_URL'];
  if (!url) {
    const snapshot = new Blob([readFileSync(inject('databaseSnapshot'))]);
    return { database: await openPglite({ snapshot }), drop: async () => {} };
  }
  return freshPostgres(url);
}

/** A database of its own on the server, so that files may run side by side. */
async function freshPostgres(url: string): Promise<TestDatabase> {
  const name = `groundwork_test_${randomUUID().replaceAll('-', '')}`;
  const admin = await openPostgres({ url, poolSize: 2 });
  await admin.query(`create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = await openPostgres({ url: own.href, poolSize: 6 });
  return {
    database,
    drop: async () => {
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.close();
    },
  };
}
