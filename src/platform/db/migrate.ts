import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { messageOf } from '#lib/errors.ts';
import { ConfigError } from '../config/config.ts';
import type { Database } from './database.ts';

const FOLDER = join(import.meta.dirname, '../../../migrations');
const LOCK = 7_146_203;
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Runs the SQL files of `migrations/` that this database has not had, in their order, all in one transaction.
 * Several processes may call it at once. Gives the names of those that ran.
 * @throws ConfigError when the user may not create tables
 */
export async function migrate(database: Database): Promise<string[]> {
  const files = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const running = database.kysely.transaction().execute(async (tx) => {
    if (database.kind === 'postgres') await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    await sql`create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())`.execute(tx);
    const { rows } = await sql<{ name: string }>`select name from migrations`.execute(tx);
    const done = new Set(rows.map((row) => row.name));
    const ran: string[] = [];
    for (const name of files) {
      if (done.has(name)) continue;
      await sql.raw(readFileSync(join(FOLDER, name), 'utf8')).execute(tx);
      await sql`insert into migrations (name) values (${name})`.execute(tx);
      ran.push(name);
    }
    return ran;
  });
  return running.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new ConfigError(`The user in DATABASE_URL may not create tables there: ${messageOf(error)}.`, { cause: error });
  });
}
