import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import pg from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { readEnv } from '../config/env.ts';
import { namedStatements } from './named-statements.ts';

const url = readEnv()['TEST_DATABASE_URL'];
const lite = url ? null : await PGlite.create();
let opened: pg.Pool | undefined;
afterEach(async () => {
  await opened?.end();
  opened = undefined;
  await lite?.exec('deallocate all');
});
afterAll(() => lite?.close());

/** A pool of one connection that names at most so many texts. */
function openPool(most?: number, more: pg.PoolConfig = {}): pg.Pool {
  const settings = lite ? (createPgConfig(lite) as unknown as pg.PoolConfig) : { connectionString: url };
  opened = new pg.Pool({ ...settings, max: 1, Client: namedStatements(most === undefined ? {} : { most }), ...more });
  return opened;
}

/** What the connection has prepared under a name, of the given texts. */
async function preparedOf(pool: pg.Pool, ...texts: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; statement: string }>('select name, statement from pg_prepared_statements');
  return rows.filter(({ statement }) => texts.includes(statement)).map(({ name }) => name);
}

describe('a statement with parameters', () => {
  it('is prepared once under one name, however often and in whichever way it is asked', async () => {
    const pool = openPool();
    const text = 'select $1::int + 1 as once';
    for (const n of [1, 2, 3]) expect((await pool.query(text, [n])).rows).toEqual([{ once: n + 1 }]);
    const client = await pool.connect();
    expect((await client.query(text, [4])).rows).toEqual([{ once: 5 }]);
    client.release();
    expect(await preparedOf(pool, text)).toHaveLength(1);
  });

  it('has no name without parameters, nor beyond the most', async () => {
    const pool = openPool(2);
    const texts = [1, 2, 3, 4].map((n) => `select $1::text as most${n}`);
    for (const text of [...texts, ...texts]) expect((await pool.query(text, ['a'])).rowCount).toBe(1);
    await pool.query('select 1 as bare', []);
    expect(await preparedOf(pool, ...texts, 'select 1 as bare')).toHaveLength(2);
  });

  it('fails as itself, and can be asked again', async () => {
    const pool = openPool();
    const text = 'select 10 / $1::int as failing';
    const client = await pool.connect();
    await expect(client.query(text, [0])).rejects.toMatchObject({ code: '22012' });
    expect((await client.query(text, [2])).rows).toEqual([{ failing: 5 }]);
    for (const _again of [1, 2]) await expect(client.query('select nothing_like_it($1)', [1])).rejects.toMatchObject({ code: '42883' });
    client.release();
  });

  it('is still known after the connection was idle so long that the pool let it go', async () => {
    const pool = openPool(undefined, { idleTimeoutMillis: 1 });
    const text = 'select $1::int as idle';
    await pool.query(text, [1]);
    await expect.poll(() => pool.totalCount).toBe(0);
    expect((await pool.query(text, [2])).rows).toEqual([{ idle: 2 }]);
    expect(await preparedOf(pool, text)).toHaveLength(1);
  });
});

describe('a name that no longer holds', () => {
  const SELECT = 'select * from named_shape where a >= $1';

  it('is left out when the result changed its shape', async () => {
    const pool = openPool();
    await pool.query('create temp table named_shape as select 1 as a');
    await pool.query(SELECT, [0]);
    await pool.query('alter table named_shape add column b text');
    for (const _again of [1, 2]) expect((await pool.query(SELECT, [0])).rows).toEqual([{ a: 1, b: null }]);
    const client = await pool.connect();
    expect((await client.query(SELECT, [0])).rows).toEqual([{ a: 1, b: null }]);
    client.release();
    await pool.query('drop table named_shape');
  });

  it('fails the transaction it is used in, and not the next one', async () => {
    const pool = openPool();
    await pool.query('create temp table named_shape as select 1 as a');
    await pool.query(SELECT, [0]);
    await pool.query('alter table named_shape add column b text');
    const client = await pool.connect();
    await client.query('begin');
    await expect(client.query(SELECT, [0])).rejects.toMatchObject({ code: '0A000' });
    await client.query('rollback');
    await client.query('begin');
    expect((await client.query(SELECT, [0])).rows).toEqual([{ a: 1, b: null }]);
    await client.query('commit');
    client.release();
    await pool.query('drop table named_shape');
  });

  it('is given anew when the server has lost it', async () => {
    const pool = openPool();
    const text = 'select $1::int as lost';
    await pool.query(text, [1]);
    await pool.query('deallocate all');
    expect((await pool.query(text, [2])).rows).toEqual([{ lost: 2 }]);
    expect((await pool.query(text, [3])).rows).toEqual([{ lost: 3 }]);
    expect(await preparedOf(pool, text)).toHaveLength(1);
  });

  it('is used when the server had it before', async () => {
    const pool = openPool();
    const text = 'select $1::int as present';
    await pool.query(text, [1]);
    const [name] = await preparedOf(pool, text);
    await pool.query('deallocate all');
    await pool.query(`prepare ${name} as ${text}`);
    for (const n of [1, 2, 3]) expect((await pool.query(text, [n])).rows).toEqual([{ present: n }]);
  });

  it('runs a statement that changes something once', async () => {
    const pool = openPool();
    await pool.query('create temp table named_once (n int)');
    const insert = 'insert into named_once values ($1) returning n';
    await pool.query(insert, [1]);
    await pool.query('deallocate all');
    await pool.query(insert, [2]);
    expect((await pool.query('select n from named_once order by n')).rows).toEqual([{ n: 1 }, { n: 2 }]);
    await pool.query('drop table named_once');
  });
});

describe('DATABASE_PREPARED_STATEMENTS', () => {
  const databaseOf = (env: Record<string, string>) => loadConfig({ DATABASE_URL: 'postgres://localhost/a', ...env }).database;

  it('is on, and off where a proxy shares connections', () => {
    expect(databaseOf({})).toMatchObject({ preparedStatements: true });
    expect(databaseOf({ DATABASE_PREPARED_STATEMENTS: 'false' })).toMatchObject({ preparedStatements: false });
    expect(() => databaseOf({ DATABASE_PREPARED_STATEMENTS: 'sometimes' })).toThrow('DATABASE_PREPARED_STATEMENTS');
  });
});
