import { randomUUID } from 'node:crypto';
import pg from 'pg';

export type FreshDatabase = AsyncDisposable & { url: string };

/** An empty database of its own on the server that `serverUrl` names; dropped when disposed, whoever is still connected. */
export async function freshDatabase(serverUrl: string): Promise<FreshDatabase> {
  const name = `groundwork_bench_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  await asAdmin(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, [Symbol.asyncDispose]: () => asAdmin(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export type Place = { name: string; env: Record<string, string> };

/** The databases to measure on: the embedded one, and a fresh one on `BENCH_DATABASE_URL` where that is set. */
export async function places(kept: AsyncDisposableStack): Promise<Place[]> {
  const serverUrl = process.env['BENCH_DATABASE_URL'];
  const embedded: Place = { name: 'PGlite', env: {} };
  if (!serverUrl) return [embedded];
  const database = kept.use(await freshDatabase(serverUrl));
  return [embedded, { name: 'PostgreSQL', env: { DATABASE_URL: database.url } }];
}
