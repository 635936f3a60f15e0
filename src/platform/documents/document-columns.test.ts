import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { defineDocument, DocumentError } from './define-document.ts';
import { documentColumns } from './document-columns.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

const names = defineDocument('names', z.array(z.string()), { version: 1 });
const size = defineDocument('size', z.object({ metres: z.number() }), { version: 2, upcasts: { 1: ({ feet }) => ({ metres: Number(feet) / 4 }) } });
const reading = documentColumns({ names, size });
const row = (namesJson: string | null, sizeJson: string | null) =>
  sql`select ${namesJson}::json as names, ${sizeJson}::jsonb as size, ${'{"v":1}'}::json as other`;

describe('columns that hold documents', () => {
  it('are read in whatever version they were written; others are left alone', async () => {
    const { rows } = await row('["a"]', '{"feet":8}').execute(reading(app.ctx.db));
    expect(rows).toEqual([{ names: ['a'], size: { metres: 2 }, other: { v: 1 } }]);
    const written = await row(names.write(['b']), size.write({ metres: 3 })).execute(reading(app.ctx.db));
    expect(written.rows).toEqual([{ names: ['b'], size: { metres: 3 }, other: { v: 1 } }]);
  });

  it('may be empty, and are read within a transaction', async () => {
    const { rows } = await app.ctx.db.transaction().execute((tx) => row(null, '{"v":2,"metres":1}').execute(reading(tx)));
    expect(rows).toEqual([{ names: null, size: { metres: 1 }, other: { v: 1 } }]);
  });

  it('are refused when they are not of their shape', async () => {
    await expect(row(null, '{"v":9}').execute(reading(app.ctx.db))).rejects.toThrow(DocumentError);
  });
});
