import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { migrate } from './migrate.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { database, db } = app.ctx;
afterAll(() => app.dispose());

const folder = join(import.meta.dirname, '../../../migrations');
const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));

describe('migrations', () => {
  it('have each run once, in the order of their numbers', async () => {
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual([...files].sort());
  });

  it('do nothing the second time, also when several processes start at once', async () => {
    expect(await migrate(database)).toEqual([]);
    expect(await Promise.all([migrate(database), migrate(database), migrate(database)])).toEqual([[], [], []]);
  });

  it('run what is new, whole or not at all', async () => {
    // One that makes a table cannot be run twice.
    const last = [...files].sort().findLast((name) => readFileSync(join(folder, name), 'utf8').includes('create table')) ?? '';
    await sql`delete from migrations where name = ${last}`.execute(db);
    await expect(migrate(database)).rejects.toThrow();
    const { rows } = await sql`select name from migrations where name = ${last}`.execute(db);
    expect(rows).toEqual([]);
    await sql`insert into migrations (name) values (${last})`.execute(db);
  });

  it('have numbers of their own', () => {
    const numbers = files.map((name) => name.slice(0, 4));
    expect(numbers.every((number) => /^\d{4}$/.test(number))).toBe(true);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
