import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResearchArtifact } from '#features/research';
import { startTestApp, type Called, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';

const waiting = await startTestApp({ env: { ROLES: 'api' } });
const working = await startTestApp();
afterAll(() => Promise.all([waiting.dispose(), working.dispose()]));

const MISSING = 'b0a1d2c3-0000-4000-8000-000000000000';

type Card = {
  id: string;
  card_type: string;
  status: string;
  title: string;
  project_id: string | null;
  parent_card_id: string | null;
  body: Record<string, unknown>;
};

const cardsOf = async (user: TestUser): Promise<Card[]> => (await user.call('GET', '/v1/cards?limit=200')).body['items'] as unknown as Card[];
const cardOf = async (user: TestUser, { body }: Called): Promise<Card | undefined> => (await cardsOf(user)).find(({ id }) => id === body['card_id']);

/** A user with a completed research in a project. */
async function researched(idea = newIdea()): Promise<{ user: TestUser; researchId: string; projectId: string }> {
  const user = await working.user();
  const { body } = await user.call('POST', '/projects/research', { idea });
  const researchId = String(body['job_id']);
  await readNdjson(`${working.url}/research/${researchId}/events`, user.token);
  return { user, researchId, projectId: String(body['project_id']) };
}

describe('an idea for the pipeline', () => {
  it('gets a research with a card that reports on it, in a project of its own', async () => {
    const user = await waiting.user();
    const idea = newIdea();
    const answer = await user.call('POST', '/v1/ideas', { idea });
    expect(answer).toMatchObject({ status: 201, body: { status: 'in_progress' } });
    const card = await cardOf(user, answer);
    expect(card).toMatchObject({ card_type: 'research_started', status: 'in_progress', body: { idea, project_id: card?.project_id } });
    const job = await user.call('GET', `/research/${String(card?.body['research_id'])}/status`);
    expect(job.status).toBe(200);
    const { items } = (await user.call('GET', '/projects')).body as unknown as { items: { project_id: string }[] };
    expect(items.map(({ project_id: id }) => id)).toEqual([card?.project_id]);
  });

  it('goes into the project that is named, if that is the caller’s', async () => {
    const [user, other] = [await waiting.user(), await waiting.user()];
    const projectId = String((await user.call('POST', '/projects', { title: newIdea(), description: '' })).body['id']);
    const answer = await user.call('POST', '/v1/ideas', { idea: newIdea(), project_id: projectId });
    expect(await cardOf(user, answer)).toMatchObject({ project_id: projectId });
    expect((await other.call('POST', '/v1/ideas', { idea: newIdea(), project_id: projectId })).status).toBe(404);
    expect(await cardsOf(other)).toEqual([]);
  });
});

describe('features that are selected', () => {
  let owner: Awaited<ReturnType<typeof researched>>;
  let ids: string[];
  const select = (user: TestUser, request: Record<string, unknown>) =>
    user.call('POST', '/v1/pipeline/feature-selection', { research_id: owner.researchId, selected_feature_ids: ids, ...request });

  beforeAll(async () => {
    owner = await researched();
    const lines = await readNdjson(`${working.url}/research/${owner.researchId}/events`, owner.user.token);
    const artifact = lines.find(({ event }) => event === 'result')?.data as unknown as ResearchArtifact | undefined;
    ids = artifact?.features.map(({ id }) => id) ?? [];
    expect(ids.length).toBeGreaterThan(10);
  });

  it('are researched, each once and ten at the most, and a card says which', async () => {
    const answer = await select(owner.user, { selected_feature_ids: [ids[0], ids[0], ids[1], 'unknown', ...ids] });
    expect(answer.status, answer.text).toBe(202);
    const card = await cardOf(owner.user, answer);
    const chosen = card?.body['features'] as { id: string; source: string }[];
    expect(chosen.map(({ id }) => id)).toEqual(
      [...new Set([ids[0], ids[0], ids[1], 'unknown', ...ids].slice(0, 10))].filter((id) => id !== 'unknown'),
    );
    expect(card).toMatchObject({
      card_type: 'features_selected',
      project_id: owner.projectId,
      title: `${chosen.length} features selected`,
      body: { research_id: owner.researchId },
    });
    const started = await owner.user.call('GET', `/feature-research/${String(card?.body['feature_research_id'])}`);
    expect(started.body).toMatchObject({ research_id: owner.researchId, project_id: owner.projectId });
  });

  it('are refused where none is known, or the research or the project is not the caller’s', async () => {
    expect(await select(owner.user, { selected_feature_ids: ['unknown'] })).toMatchObject({ status: 400, body: { detail: 'no_features_resolved' } });
    const other = await working.user();
    const before = await cardsOf(other);
    for (const research of [owner.researchId, MISSING])
      expect(await select(other, { research_id: research })).toMatchObject({ status: 404, body: { detail: 'research_not_found' } });
    const theirs = String((await other.call('POST', '/projects', { title: newIdea(), description: '' })).body['id']);
    expect((await select(owner.user, { project_id: theirs })).status).toBe(404);
    expect(await cardsOf(other)).toEqual(before);
  });
});

describe('a section that is computed again', () => {
  const retry = (user: TestUser, researchId: string, section: string) =>
    user.call('POST', '/v1/pipeline/retry-section', { research_id: researchId, section });
  const below = async (user: TestUser, parent: Called): Promise<string[]> =>
    (await cardsOf(user)).flatMap((card) => (card.parent_card_id === parent.body['card_id'] ? [card.card_type] : [])).sort();

  it.each([
    ['competitors', ['competitors_ready', 'priorities_picked', 'priorities_ready', 'whitespaces_ready']],
    ['signals', ['signals_ready']],
    ['priorities', ['priorities_picked', 'priorities_ready']],
  ])('brings %s with what depends on it, below the card that promised it', async (section, expected) => {
    const { user, researchId } = await researched();
    const answer = await retry(user, researchId, section);
    expect(answer.status).toBe(202);
    expect(await cardOf(user, answer)).toMatchObject({ card_type: `${section}_retrying`, body: { research_id: researchId, section } });
    await expect.poll(() => below(user, answer)).toEqual(expected);
  });

  it('says that there is nothing to compute it from while the research is not completed', async () => {
    const { user, researchId } = await researched();
    await sql`update research_jobs set status = 'failed' where id = ${researchId}`.execute(working.ctx.db);
    const answer = await retry(user, researchId, 'features');
    await expect.poll(() => below(user, answer)).toEqual(['features_failed']);
    const failed = (await cardsOf(user)).find(({ card_type: type }) => type === 'features_failed');
    expect(failed).toMatchObject({ status: 'failed', body: { section: 'features', message: expect.stringContaining('This research is failed') } });
  });

  it('plans the build from the priorities, and says which of them are missing', async () => {
    const { user, researchId } = await researched();
    expect((await retry(user, researchId, 'build_plan')).status).toBe(202);
    await sql`update cards set body = '{"features":[]}' where research_job_id = ${researchId} and card_type = 'priorities_picked'`.execute(
      working.ctx.db,
    );
    expect((await retry(user, researchId, 'build_plan')).body).toEqual({
      detail: 'priorities_card_missing_features - retry section=priorities first',
    });
    await sql`delete from cards where research_job_id = ${researchId} and card_type = 'priorities_picked'`.execute(working.ctx.db);
    expect(await retry(user, researchId, 'build_plan')).toMatchObject({
      status: 409,
      body: { detail: 'no_priorities_picked_yet - retry section=priorities first' },
    });
  });

  it('is refused for what is missing, of others or unknown, and leaves no card', async () => {
    const { researchId } = await researched();
    const other = await working.user();
    expect(await retry(other, researchId, 'features')).toMatchObject({ status: 403, body: { detail: 'forbidden' } });
    expect(await retry(other, MISSING, 'features')).toMatchObject({ status: 404, body: { detail: 'research_not_found' } });
    expect((await retry(other, researchId, 'everything')).body).toEqual({ detail: expect.stringMatching(/^invalid_section: must be one of \[/) });
    expect(await cardsOf(other)).toEqual([]);
  });
});
