import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from './database.ts';
import { openPglite } from './pglite.ts';
import { upkeep } from './upkeep.ts';

const MEGABYTE = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'groundwork-log-'));
let database: Database;
beforeAll(async () => {
  database = await openPglite({ dir: join(folder, 'data') });
  await database.query('create table filled (line text)');
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const logSize = (): number => {
  const path = join(folder, 'data/pg_wal');
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
};

/** Writes some 10 MB of changes, none of which last. */
const change = async (): Promise<void> => {
  await database.query(`insert into filled select repeat(md5(line::text), 3) from generate_series(1, 60000) line`);
  await database.query('truncate filled');
};

describe('upkeep of an embedded database', () => {
  it('keeps its log short however much is written', async () => {
    let asked = 0;
    const look = upkeep(database.query, () => asked);
    for (let times = 0; times < 16; times += 1) {
      await change();
      asked += MEGABYTE;
      await look();
    }
    expect(logSize()).toBeLessThanOrEqual(80 * MEGABYTE);
  });

  it('lets the room of rows that are gone be used again', async () => {
    await database.query('create table changing (id int primary key, line text)');
    await database.query(`insert into changing select id, repeat('x', 500) from generate_series(1, 2000) id`);
    let asked = 0;
    const look = upkeep(database.query, () => asked);
    for (let times = 0; times < 60; times += 1) {
      await database.query('update changing set line = repeat(md5(line), 15)');
      asked += MEGABYTE;
      await look();
    }
    const { rows } = await database.query(`select pg_relation_size('changing') as size`);
    expect(Number((rows[0] as { size: string }).size)).toBeLessThan(40 * MEGABYTE);
  });

  it('asks nothing while next to nothing is written', async () => {
    const queries: string[] = [];
    const look = upkeep(
      async (text) => {
        queries.push(text);
        return { rows: [{ due: false }], rowCount: 1 };
      },
      () => 1000,
    );
    await look();
    expect(queries).toEqual([]);
  });
});
