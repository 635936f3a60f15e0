import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import type { Evidence, ResearchArtifact } from './schema.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

const MARKET = 'A habit tracking app with streaks and reminders';

async function research(user: TestUser, idea: string): Promise<{ jobId: string; artifact: ResearchArtifact }> {
  const answer = await user.call('POST', '/research', { idea });
  const jobId = String(answer.body['job_id']);
  const lines = await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  const result = lines.find(({ event }) => event === 'result')?.data as ResearchArtifact | undefined;
  if (!result) throw new Error(`no result: ${JSON.stringify(lines.at(-2))}`);
  return { jobId, artifact: result };
}

const publish = (user: TestUser, jobId: string, reuse_scope = 'public') => user.call('PATCH', `/research/${jobId}/scope`, { reuse_scope });
/** Compares without printing a whole report when it fails. */
const mentions = (value: unknown, word: string): boolean => (typeof value === 'string' ? value : JSON.stringify(value)).includes(word);
const priorRows = ({ evidence }: ResearchArtifact): Evidence[] => evidence.filter(({ source_kind }) => source_kind === 'prior_research');

describe('earlier research as a source', () => {
  it('is the own one, whatever its scope [R241]', async () => {
    const user = await app.user();
    const first = await research(user, newIdea(MARKET));
    const second = await research(user, newIdea(MARKET));
    expect(priorRows(second.artifact).map((row) => row.source_url)).toContain(`research:${first.jobId}`);
  });

  it('is another user’s only when it is public, and only as long as it is [R267 R294 R295]', async () => {
    const [owner, reader] = [await app.user(), await app.user()];
    const secret = `the owner calls it ${crypto.randomUUID().slice(0, 8)}`;
    const mine = await research(owner, `${MARKET}, ${secret}`);
    const before = await research(reader, newIdea(MARKET));
    expect(mentions(before.artifact, mine.jobId)).toBe(false);
    expect(mentions(before.artifact, secret)).toBe(false);
    await publish(owner, mine.jobId);
    const during = await research(await app.user(), newIdea(MARKET));
    expect(mentions(during.artifact, mine.jobId)).toBe(true);
    await publish(owner, mine.jobId, 'user');
    const after = await research(await app.user(), newIdea(MARKET));
    expect(mentions(after.artifact, mine.jobId)).toBe(false);
    expect(mentions(after.artifact, secret)).toBe(false);
  });
});

describe('a public research that rests on private earlier research', () => {
  async function restingOnPrivate() {
    const [owner, reader] = [await app.user(), await app.user()];
    const secret = `code name ${crypto.randomUUID().slice(0, 8)}`;
    const hidden = await research(owner, `${MARKET}, ${secret}`);
    const shown = await research(owner, newIdea(MARKET));
    expect(mentions(shown.artifact, hidden.jobId)).toBe(true);
    await publish(owner, shown.jobId);
    return { owner, reader, secret, hidden, shown };
  }

  it('keeps the private words out of a clone: result, cards and rows [R266 R267 R294]', async () => {
    const { reader, secret, hidden, shown } = await restingOnPrivate();
    const answer = await reader.call('POST', '/research', { idea: shown.artifact.product_idea });
    expect(answer.body).toMatchObject({ cache_action: 'clone' });
    const jobId = String(answer.body['job_id']);
    const lines = await readNdjson(`${app.url}/research/${jobId}/events`, reader.token);
    const clone = lines.find(({ event }) => event === 'result')?.data as ResearchArtifact;
    expect(priorRows(clone).length).toBe(priorRows(shown.artifact).length);
    for (const row of priorRows(clone)) expect(row.source_url).toBeNull();
    const cards = await sql<{ body: unknown }>`select body from cards where research_job_id = ${jobId}`.execute(app.ctx.db);
    const rows = await sql`select source_url, title, snippet from research_evidence where job_id = ${jobId}`.execute(app.ctx.db);
    expect(cards.rows.length).toBeGreaterThan(0);
    for (const part of [lines, cards.rows, rows.rows]) {
      expect(mentions(part, secret)).toBe(false);
      expect(mentions(part, hidden.jobId)).toBe(false);
    }
  });

  it('keeps them out of the shared page and its JSON as well [R267 R294]', async () => {
    const { owner, secret, hidden, shown } = await restingOnPrivate();
    const token = String((await owner.call('POST', `/research/${shown.jobId}/share`)).body['share_token']);
    for (const accept of ['text/html', 'application/json']) {
      const page = await app.server.fastify.inject({ method: 'GET', url: `/share/${token}`, headers: { accept } });
      expect(page.statusCode).toBe(200);
      expect(mentions(page.payload, secret)).toBe(false);
      expect(mentions(page.payload, hidden.jobId)).toBe(false);
    }
  });

  it('shows them to the owner, also in the owner’s own clone [R265]', async () => {
    const { owner, hidden, shown } = await restingOnPrivate();
    const answer = await owner.call('POST', '/research', { idea: shown.artifact.product_idea });
    const jobId = String(answer.body['job_id']);
    const lines = await readNdjson(`${app.url}/research/${jobId}/events`, owner.token);
    expect(mentions(lines, hidden.jobId)).toBe(true);
  });
});

describe('a clone', () => {
  it('has cards, evidence and vector of its own, and keeps its source’s readiness to build [R255 R265]', async () => {
    const user = await app.user();
    const { jobId, artifact } = await research(user, newIdea(MARKET));
    const clone = String((await user.call('POST', '/research', { idea: artifact.product_idea })).body['job_id']);
    const { rows } = await sql<Record<string, unknown>>`
      select cloned_from, status, score, category_ids, embedding is not null as embedded, artifact -> 'build_readiness' as ready,
             (select count(*)::int from cards where research_job_id = j.id and card_type not like 'build_plan%') as cards,
             (select count(*)::int from research_evidence where job_id = j.id) as evidence
        from research_jobs j where id in (${jobId}, ${clone}) order by created_at`.execute(app.ctx.db);
    const [original, copy] = rows;
    expect(copy).toEqual({ ...original, cloned_from: jobId });
    expect(copy?.['evidence']).toBeGreaterThan(0);
  });

  it('is no source of its own for later research [R267]', async () => {
    const user = await app.user();
    const { artifact } = await research(user, newIdea(MARKET));
    const clone = String((await user.call('POST', '/research', { idea: artifact.product_idea })).body['job_id']);
    const later = await research(user, newIdea(MARKET));
    expect(mentions(later.artifact, clone)).toBe(false);
  });
});
