import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { readEnv } from '../config/env.ts';
import { openPglite } from './pglite.ts';
import { openPostgres } from './postgres.ts';

const url = readEnv()['TEST_DATABASE_URL'];
const database = url ? await openPostgres({ url, poolSize: 1 }) : await openPglite();
afterAll(() => database.close());

const UNSTORABLE = 'nul \u0000 first \ud83d second \udc1d';
const STORED = 'nul \ufffd first \ufffd second \ufffd';
/** Six letters each, as somebody types them who writes about JSON. */
const TYPED = String.raw`{ not json: \u0000 \ud83d "`;

async function stored(value: unknown, type: string): Promise<unknown> {
  const { rows } = await sql<{ value: unknown }>`select ${value}::${sql.raw(type)} as value`.execute(database.kysely);
  return rows[0]?.value;
}

describe('a parameter', () => {
  it('is a text without NUL and halves of characters', async () => {
    expect(await stored(UNSTORABLE, 'text')).toBe(STORED);
    expect(await stored('🐝', 'text')).toBe('🐝');
    expect(await stored(TYPED, 'text')).toBe(TYPED);
  });

  it.each(['json', 'jsonb'])('is %s without them, as text and as an object', async (type) => {
    const value = { [UNSTORABLE]: [UNSTORABLE, { deep: UNSTORABLE }], typed: TYPED, n: 1 };
    const clean = { [STORED]: [STORED, { deep: STORED }], typed: TYPED, n: 1 };
    expect(await stored(JSON.stringify(value), type)).toEqual(clean);
    expect(await stored(value, type)).toEqual(clean);
    // What reads a text out of it fails on what was stored with them.
    const { rows } = await sql<{ read: string }>`select (${JSON.stringify({ a: UNSTORABLE })}::json)->>'a' as read`.execute(database.kysely);
    expect(rows[0]?.read).toBe(STORED);
  });

  it('is a list without them', async () => {
    expect(await stored([UNSTORABLE, 'b'], 'text[]')).toEqual([STORED, 'b']);
  });

  it('is as it was otherwise', async () => {
    const at = new Date('2026-01-02T03:04:05Z');
    expect(await stored(at, 'timestamptz')).toEqual(at);
    expect(await stored(null, 'text')).toBeNull();
    expect(await stored(Buffer.from([0, 1]), 'bytea')).toEqual(Buffer.from([0, 1]));
    expect((await database.query('select $1::text as value', [UNSTORABLE])).rows).toEqual([{ value: STORED }]);
  });
});
