import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { researching } from '#features/research';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea, warmQueues } from '#testing/factories.ts';
import { appendProgress } from './append-progress.ts';
import { rewritingSections, writingBrief } from './run-brief.ts';
import { MOST_REVISIONS, SECTION_TYPES } from './states.ts';

// Without a worker: the tests take the jobs up themselves.
const app = await startTestApp({ env: { ROLES: 'api' } });
await warmQueues(app.ctx);
const { db } = app.ctx;
afterAll(() => app.dispose());

const never = new AbortController().signal;
const rewriteAll = (briefId: string) => rewritingSections.work(app.ctx, { briefId }, never);

type Made = { user: TestUser; projectId: string; briefId: string };

async function written(): Promise<Made> {
  const user = await app.user();
  const projectId = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
  const researchId = String((await user.call('POST', '/research', { idea: newIdea(), project_id: projectId })).body['job_id']);
  await researching.work(app.ctx, { jobId: researchId }, never);
  const briefId = String((await user.call('POST', '/briefs', { project_id: projectId })).body['brief_id']);
  await writingBrief.work(app.ctx, { briefId }, never);
  return { user, projectId, briefId };
}

const regenerate = ({ user, briefId }: Made, section: string) => user.call('POST', `/briefs/${briefId}/sections/${section}/regenerate`);

/** Bytes that the tables of briefs and of the events keep. */
async function bytesKept(): Promise<number> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
       and (relname like 'brief%' or relname = 'stream_events')`.execute(db);
  let bytes = 0;
  for (const { name } of tables) {
    const { rows } = await sql<{ bytes: number }>`select coalesce(sum(octet_length(t::text)), 0)::float8 as bytes from ${sql.table(name)} t`.execute(
      db,
    );
    bytes += rows[0]?.bytes ?? 0;
  }
  return bytes;
}

const contentOf = async ({ user, briefId }: Made, section: string): Promise<unknown> => (await user.call('GET', `/briefs/${briefId}`)).body[section];

async function diffOf({ user, briefId }: Made, from: number, to: number): Promise<string[]> {
  const answer = await user.call('GET', `/briefs/${briefId}/diff?from_revision=${from}&to_revision=${to}`);
  return (answer.body['diff'] as unknown as { section_type: string }[]).map(({ section_type: section }) => section);
}

describe('a section that is asked for anew again and again', () => {
  it('keeps its own text per revision and nothing of the others', async () => {
    const made = await written();
    const times = 10;
    const before = await bytesKept();
    for (let count = 0; count < times; count += 1) {
      expect((await regenerate(made, 'positioning')).status).toBe(200);
      await rewriteAll(made.briefId);
    }
    const perRevision = ((await bytesKept()) - before) / times;
    const section = Buffer.byteLength(JSON.stringify(await contentOf(made, 'positioning')));
    const whole = Buffer.byteLength((await made.user.call('GET', `/briefs/${made.briefId}`)).text);
    process.stdout.write(`a revision keeps ${Math.round(perRevision)} bytes; its section has ${section}, the brief ${whole}\n`);
    // The text once, two events with it, and some words around them.
    expect(perRevision).toBeLessThan(4 * section + 2000);
    expect(perRevision).toBeLessThan(whole / 2);
  });

  it('waits twice at the most, also when it is asked for many times at once', async () => {
    const made = await written();
    const answers = await Promise.all(Array.from({ length: 12 }, () => regenerate(made, 'positioning')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body['detail']).toContain('positioning');
    expect((await regenerate(made, 'features')).status).toBe(200);
    const { rows } = await sql`select from brief_rewrites where brief_id = ${made.briefId}`.execute(db);
    expect(rows).toHaveLength(3);
    expect((await made.user.call('GET', `/briefs/${made.briefId}`)).body['revision']).toBe(4);
    await rewriteAll(made.briefId);
    expect((await regenerate(made, 'positioning')).status).toBe(200);
  });

  it('is refused with 429 after thirty times in a minute', async () => {
    const made = await written();
    const statuses = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await regenerate(made, 'positioning')).status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect(statuses.at(-1)).toBe(429);
  });

  it('is refused with 409 once the brief has as many revisions as it may, but progress is not', async () => {
    const made = await written();
    await sql`update briefs set revision = ${MOST_REVISIONS} where id = ${made.briefId}`.execute(db);
    expect(await regenerate(made, 'features')).toMatchObject({ status: 409, body: { detail: expect.stringContaining(String(MOST_REVISIONS)) } });
    const owner = { userId: made.user.userId, projectId: made.projectId };
    const entry = { prNumber: 1, prUrl: 'https://code.example/pr/1', summary: 'One' };
    const appended = await db.transaction().execute((tx) => appendProgress(app.ctx, tx, owner, entry));
    expect(appended?.revision).toBe(MOST_REVISIONS + 1);
  });
});

describe('revisions', () => {
  it('differ by what was written for them, whatever came between', async () => {
    const made = await written();
    const owner = { userId: made.user.userId, projectId: made.projectId };
    await regenerate(made, 'positioning');
    await rewriteAll(made.briefId);
    await db.transaction().execute((tx) => appendProgress(app.ctx, tx, owner, { prNumber: 1, prUrl: 'https://code.example/pr/1', summary: 'One' }));
    await regenerate(made, 'mvp_angle');
    await regenerate(made, 'positioning');
    await rewriteAll(made.briefId);
    expect(await diffOf(made, 1, 2)).toEqual(['positioning']);
    expect(await diffOf(made, 2, 3)).toEqual([]);
    expect(await diffOf(made, 3, 4)).toEqual(['mvp_angle']);
    expect(await diffOf(made, 4, 5)).toEqual(['positioning']);
    expect(await diffOf(made, 5, 1)).toEqual(['positioning', 'mvp_angle']);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from brief_texts where brief_id = ${made.briefId}`.execute(db);
    expect(rows[0]?.count).toBe(SECTION_TYPES.length + 3);
  });

  it('go with their brief', async () => {
    const made = await written();
    await made.user.call('DELETE', `/briefs/${made.briefId}`);
    const { rows } = await sql`select from brief_texts where brief_id = ${made.briefId}`.execute(db);
    expect(rows).toEqual([]);
  });
});
