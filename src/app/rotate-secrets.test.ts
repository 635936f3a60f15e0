import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { readModelKeys } from '#features/profile';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { listOutbox } from '#platform/ports/text-messages/outbox.ts';
import { secretBox, type SecretBox } from '#platform/secret-box.ts';
import { givenKeys, keyFile, type SecretKeys } from '#platform/secret-keys.ts';
import { sealedColumns } from './sealed.ts';

const ADMIN_SECRET = randomUUID();
const folder = mkdtempSync(join(tmpdir(), 'groundwork-rotation-'));
const file = join(folder, 'secrets-key');
/** What the service uses now; a test may put other keys in its place, as another start would. */
let keys: SecretKeys = keyFile(file);
const secrets: SecretBox = {
  ...secretBox({ all: () => keys.all() }),
  get renew() {
    return keys.renew;
  },
};
const app: TestApp = await startTestApp({ env: { ROLES: 'api', ADMIN_SECRET }, overrides: { secrets } });
const { db } = app.ctx;
afterAll(async () => {
  await app.dispose();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await sql`delete from profiles`.execute(db);
  await sql`delete from text_outbox`.execute(db);
});

type Step = { new_key: boolean; columns: { column: string; resealed: number; unreadable: number }[]; next: string | null };

async function step(cursor?: string) {
  const answer = await app.server.fastify.inject({
    method: 'POST',
    url: '/admin/secrets/rotate',
    headers: { authorization: `Bearer ${ADMIN_SECRET}` },
    payload: cursor === undefined ? {} : { cursor },
  });
  return { status: answer.statusCode, body: answer.json<Step>() };
}

async function rotate() {
  const counts: Record<string, number> = {};
  let [newKey, unreadable, steps] = [false, 0, 0];
  for (let cursor: string | null | undefined; cursor !== null; steps += 1) {
    const { body } = await step(cursor);
    newKey ||= body.new_key;
    for (const column of body.columns) {
      counts[column.column] = (counts[column.column] ?? 0) + column.resealed;
      unreadable += column.unreadable;
    }
    cursor = body.next;
  }
  return { newKey, counts, unreadable, steps };
}

const NOTHING = Object.fromEntries(sealedColumns.map(({ name }) => [name, 0]));

/** Profiles with a key each, in one statement. */
async function newProfiles(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_each, n) => {
    const id = `u${String(n).padStart(6, '0')}`;
    return { user_id: id, llm_a_key_sealed: secrets.seal(`sk-${n}`, `profile ${id} llm_a`) };
  });
  await sql`
    insert into profiles (user_id, llm_a_key_sealed)
    select user_id, llm_a_key_sealed from json_to_recordset(${JSON.stringify(rows)}::json) as t (user_id text, llm_a_key_sealed text)`.execute(db);
}

const underFirst = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from profiles where starts_with(llm_a_key_sealed, ${secrets.keys().prefix})`.execute(db);
  return rows[0]?.count ?? 0;
};
const openAll = async (count: number): Promise<void> => {
  for (const n of [0, Math.floor(count / 2), count - 1])
    expect(await readModelKeys(db, secrets, `u${String(n).padStart(6, '0')}`)).toEqual({ llm_a: `sk-${n}`, llm_b: null });
};

describe('the rotation of keys', () => {
  it('makes a new key and seals every value under it, in steps', async () => {
    await newProfiles(2500);
    await app.ctx.texts.send({ to: '+14155550123', body: 'Your code', key: randomUUID() });
    const before = keys.all()[0];
    expect(await rotate()).toEqual({
      newKey: true,
      counts: { ...NOTHING, 'profiles.llm_a_key_sealed': 2500, 'text_outbox.body_sealed': 1 },
      unreadable: 0,
      steps: 6,
    });
    expect(keys.all()[0].id).not.toBe(before.id);
    expect(await underFirst()).toBe(2500);
    await openAll(2500);
    expect((await listOutbox(app.ctx, 1))[0]?.body).toBe('Your code');
    for (let n = 0; n < 2; n += 1) {
      expect(readFileSync(file, 'utf8')).toContain(before.bytes.toString('hex'));
      expect((await rotate()).newKey).toBe(true);
    }
    expect(readFileSync(file, 'utf8')).not.toContain(before.bytes.toString('hex'));
    await openAll(2500);
  });

  it('goes on with the same key when it was cut off after a step, also in another process', async () => {
    await newProfiles(1500);
    const first = await step();
    expect(first.body).toMatchObject({ new_key: true, next: expect.stringContaining('profiles.llm_a_key_sealed ') });
    expect(await underFirst()).toBe(500);
    await openAll(1500);
    // The process is gone, and so is the cursor.
    const lines = readFileSync(file, 'utf8');
    keys = keyFile(file);
    expect(await rotate()).toMatchObject({ newKey: false, counts: { 'profiles.llm_a_key_sealed': 1000 } });
    expect(readFileSync(file, 'utf8')).toBe(lines);
    expect(await underFirst()).toBe(1500);
    await openAll(1500);
  });

  it('leaves what is written meanwhile as it is', async () => {
    await newProfiles(50);
    const user = await app.user();
    const writing = (async () => {
      for (let n = 0; n < 20; n += 1) expect((await user.call('PATCH', '/profile', { llm_a_key: `sk-new-${n}` })).status).toBe(200);
    })();
    for (let n = 0; n < 5; n += 1) await rotate();
    await writing;
    await rotate();
    expect(await readModelKeys(db, secrets, user.userId)).toEqual({ llm_a: 'sk-new-19', llm_b: null });
    await openAll(50);
  });

  it('makes one key when it is begun twice at once', async () => {
    await newProfiles(30);
    const before = keys.all()[0].id;
    const begun = await Promise.all([step(), step(), step()]);
    expect(begun.filter(({ body }) => body.new_key)).toHaveLength(1);
    expect(keys.all()[1]?.id).toBe(before);
    await openAll(30);
  });

  it('counts what no key opens, leaves it alone and makes a new key nevertheless', async () => {
    await newProfiles(3);
    await sql`update profiles set llm_a_key_sealed = ${secrets.seal('sk', 'elsewhere')} where user_id = 'u000001'`.execute(db);
    for (let n = 0; n < 2; n += 1) {
      expect(await rotate()).toMatchObject({ newKey: true, counts: { 'profiles.llm_a_key_sealed': 2 }, unreadable: 1 });
    }
  });

  it('makes no key where keys are settings, and seals what an earlier one sealed', async () => {
    await newProfiles(10);
    const fresh = randomBytes(32);
    keys = givenKeys(fresh, [keys.all()[0].bytes]);
    try {
      expect(await rotate()).toMatchObject({ newKey: false, counts: { 'profiles.llm_a_key_sealed': 10 } });
      expect(await rotate()).toEqual({ newKey: false, counts: NOTHING, unreadable: 0, steps: 1 });
      keys = givenKeys(fresh);
      await openAll(10);
    } finally {
      keys = keyFile(file);
    }
  });

  it('answers 422 to a cursor that it did not give', async () => {
    for (const cursor of ['', 'profiles.name x', 'profiles.llm_a_key_sealed']) expect((await step(cursor)).status, cursor).toBe(422);
  });
});

describe('sealed columns', () => {
  it('are all listed', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = current_schema() and column_name ~ '(^|_)sealed$'`.execute(db);
    expect(sealedColumns.map(({ name }) => name).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });
});
