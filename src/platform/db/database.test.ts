import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { database } = app.ctx;
afterAll(() => app.dispose());

describe('a raw statement', () => {
  it('that fails costs the next one nothing', async () => {
    for (const again of [1, 2, 3]) {
      await expect(database.query('select 1 / $1::int', [0])).rejects.toMatchObject({ code: '22012' });
      expect((await database.query('select $1::int as again', [again])).rows).toEqual([{ again }]);
    }
  });

  it('of several gives the rows of the last', async () => {
    expect(await database.query('select 1 as a; select 2 as b')).toEqual({ rows: [{ b: 2 }], rowCount: 1 });
  });
});
