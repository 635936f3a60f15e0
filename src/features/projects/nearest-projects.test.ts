import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { createProject } from './create-project.ts';
import { nearestProjects } from './nearest-projects.ts';
import { normaliseProject } from './normalise-project.ts';
import { MOST_PROJECTS } from './states.ts';
import { transferProjects } from './project-store.ts';
import { saveVector } from './vector-store.ts';

// Without a worker: no background job writes a vector beside the test.
const app = await startTestApp({ env: { ROLES: 'api' } });
const { db } = app.ctx;
afterAll(() => app.dispose());

const DIMENSIONS = 512;

function unitVector(): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Creates projects with the given vectors; gives their ids. */
async function addProjects(userId: string, vectors: readonly number[][], description = ''): Promise<string[]> {
  const silent = { streams: app.ctx.streams, events: { publish: async () => {} } };
  return db.transaction().execute(async (tx) => {
    const ids: string[] = [];
    for (const embedding of vectors) {
      const project = normaliseProject(`Project ${randomUUID()}`, description);
      ids.push((await createProject(silent, tx, userId, { project, embedding })).row.id);
    }
    return ids;
  });
}

const dot = (left: readonly number[], right: readonly number[]): number => left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0);

/** Bytes of vectors and texts that the statements of some work read. */
async function bytesReadBy(work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const original = db.getExecutor().executeQuery;
  const executor = db.getExecutor();
  executor.executeQuery = (async (...given: Parameters<typeof original>) => {
    const result = await original.apply(executor, given);
    for (const row of result.rows as Record<string, unknown>[]) {
      for (const value of Object.values(row)) bytes += Buffer.isBuffer(value) ? value.length : Buffer.byteLength(JSON.stringify(value) ?? '');
    }
    return result;
  }) as typeof original;
  await work();
  executor.executeQuery = original;
  return bytes;
}

describe('the projects nearest to a vector', () => {
  it('are those with the largest dot product, best first, of this owner only', async () => {
    const [user, other] = [await app.user(), await app.user()];
    const vectors = Array.from({ length: 600 }, unitVector);
    const ids = await addProjects(user.userId, vectors);
    const question = unitVector();
    await addProjects(other.userId, [question]);
    const expected = vectors
      .map((vector, at) => ({ id: ids[at], similarity: Math.max(0, dot(vector, question)) }))
      .sort((left, right) => right.similarity - left.similarity)
      .slice(0, 10);
    const found = await nearestProjects(db, user.userId, question, { limit: 10 });
    expect(found.map(({ row }) => row.id)).toEqual(expected.map(({ id }) => id));
    for (const [at, { similarity }] of found.entries()) expect(similarity).toBeCloseTo(expected[at]?.similarity ?? -1, 5);
    const rest = await nearestProjects(db, user.userId, question, { limit: 9, except: expected[0]?.id ?? '' });
    expect(rest.map(({ row }) => row.id)).toEqual(expected.slice(1).map(({ id }) => id));
  });

  it('are found at once after a project was added, changed or deleted, or has another owner', async () => {
    const [user, heir] = [await app.user(), await app.user()];
    const [one, two, three] = [unitVector(), unitVector(), unitVector()];
    const [first = ''] = await addProjects(user.userId, [one]);
    const best = async (owner: TestUser, vector: number[]) => (await nearestProjects(db, owner.userId, vector, { limit: 1 }))[0];
    expect((await best(user, one))?.row.id).toBe(first);
    const [second = ''] = await addProjects(user.userId, [two]);
    expect(await best(user, two)).toMatchObject({ row: { id: second }, similarity: expect.closeTo(1, 5) });
    await saveVector(db, first, three);
    expect(await best(user, three)).toMatchObject({ row: { id: first }, similarity: expect.closeTo(1, 5) });
    expect((await best(heir, two))?.row.id).toBeUndefined();
    await user.call('DELETE', `/projects/${second}`);
    expect((await best(user, two))?.row.id).toBe(first);
    const [own = ''] = await addProjects(heir.userId, [one]);
    expect((await best(heir, one))?.row.id).toBe(own);
    await db.transaction().execute((tx) => transferProjects(tx, user.userId, heir.userId));
    expect(await best(user, three)).toBeUndefined();
    expect(await best(heir, three)).toMatchObject({ row: { id: first }, similarity: expect.closeTo(1, 5) });
    // A text that could not be embedded is near to nothing.
    await saveVector(db, first, []);
    expect((await best(heir, three))?.row.id).toBe(own);
  });

  it('cost a search the same whatever the account holds', async () => {
    const user = await app.user();
    await addProjects(user.userId, Array.from({ length: 40 }, unitVector), 'x'.repeat(20_000));
    const search = () => user.call('GET', '/projects/search?q=chess&limit=2');
    await search();
    const few = await bytesReadBy(search);
    await addProjects(user.userId, Array.from({ length: 400 }, unitVector), 'x'.repeat(20_000));
    await search();
    const many = await bytesReadBy(search);
    process.stdout.write(`a search reads ${few} bytes of 40 projects and ${many} of 440\n`);
    expect(many).toBeLessThan(60_000);
    expect(many).toBeLessThan(few * 1.5);
  });

  it('cost a new project the same whatever the account holds, and no text is read further than it says', async () => {
    const user = await app.user();
    await addProjects(user.userId, Array.from({ length: 300 }, unitVector));
    await user.call('GET', '/projects/search?q=chess');
    const read = await bytesReadBy(() => user.call('POST', '/projects', { title: 'A chess club', description: 'y'.repeat(20_000) }));
    expect(read).toBeLessThan(100_000);
  });
});

describe('an account with as many projects as it may have', () => {
  it('answers 409 to one more and 201 to one that it has', async () => {
    const user = await app.user();
    await user.call('POST', '/projects', { title: 'The first one' });
    await sql`
      insert into projects (id, user_id, idea_key, title, slug, clean_title, short_title, one_liner, normalization_status)
      select gen_random_uuid(), ${user.userId}, n::text, 'One', 'one', 'One', 'One', 'One', 'complete' from generate_series(2, ${MOST_PROJECTS}::int) n`.execute(
      db,
    );
    const refused = await user.call('POST', '/projects', { title: 'One too many' });
    expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining(String(MOST_PROJECTS)) } });
    expect((await user.call('POST', '/projects', { title: 'The first one' })).status).toBe(201);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from projects where user_id = ${user.userId}`.execute(db);
    expect(rows[0]?.count).toBe(MOST_PROJECTS);
  });
});
