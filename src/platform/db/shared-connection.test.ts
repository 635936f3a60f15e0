import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPglite } from './pglite.ts';

let database: Awaited<ReturnType<typeof openPglite>>;
beforeAll(async () => {
  database = await openPglite();
  await database.query('create table notes (text text primary key)');
});
afterAll(() => database.close());

const written = async (prefix: string): Promise<unknown[]> =>
  (await database.query('select text from notes where text like $1 order by text', [`${prefix}%`])).rows;

const rolledBack = (prefix: string, between: () => Promise<void>): Promise<void> =>
  database.kysely.transaction().execute(async (tx) => {
    await sql`insert into notes values (${`${prefix} lost`})`.execute(tx);
    await between();
    throw new Error('given up');
  });

describe('a connection that everybody shares', () => {
  it("keeps other callers' statements out of an open transaction, and answers them once it has ended", async () => {
    const others: Promise<unknown>[] = [];
    const lost = rolledBack('a', async () => {
      for (let n = 0; n < 60; n += 1) others.push(database.query('insert into notes values ($1)', [`a kept ${String(n).padStart(2, '0')}`]));
      others.push(rolledBack('a', async () => {}).catch(() => {}));
    });
    await expect(lost).rejects.toThrow('given up');
    await Promise.all(others);
    expect(await written('a')).toHaveLength(60);
    expect(await written('a lost')).toEqual([]);
  });

  it('answers each of many statements that go out together with what is its own, a failure too', async () => {
    const answers = await Promise.allSettled([1, 0, 2, 0, 3].map((divisor) => database.query('select 6 / $1::int as sixth', [divisor])));
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : (answer.reason as { code: string }).code))).toEqual([
      [{ sixth: 6 }],
      '22012',
      [{ sixth: 3 }],
      '22012',
      [{ sixth: 2 }],
    ]);
  });

  it('undoes a text that begins a transaction and fails in it, and leaves nothing open', async () => {
    const failing = database.query("begin; insert into notes values ('b lost'); select 1 / 0; commit;");
    const beside = database.query("insert into notes values ('b kept')");
    await expect(failing).rejects.toThrow('division by zero');
    await beside;
    expect(await written('b')).toEqual([{ text: 'b kept' }]);
  });

  it('lets a transaction see its own statements alone, in the order of their beginnings', async () => {
    const seen = await Promise.all(
      [1, 2, 3].map((turn) =>
        database.kysely.transaction().execute(async (tx) => {
          await sql`insert into notes values (${`c ${turn}`})`.execute(tx);
          return (await sql`select text from notes where text like 'c %'`.execute(tx)).rows.length;
        }),
      ),
    );
    expect(seen).toEqual([1, 2, 3]);
  });

  it('fails the statements of a transaction that has failed, and commits nothing of it', async () => {
    const failed = database.kysely.transaction().execute(async (tx) => {
      await sql`insert into notes values ('d lost')`.execute(tx);
      await expect(sql`select 1 / 0`.execute(tx)).rejects.toThrow('division by zero');
    });
    await expect(failed).rejects.toThrow();
    expect(await written('d')).toEqual([]);
  });
});
