import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/ids.ts';
import { findJob, researching } from '#features/research';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea, warmQueues } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { planBuildCard, seedBuildPlan } from './seed-plan.ts';

// Without a worker: no reaction to a research's completion comes first.
const app = await startTestApp({ env: { ROLES: 'api' } });
await warmQueues(app.ctx);
afterAll(() => app.dispose());

const never = new AbortController().signal;
const FEATURES = [{ id: 'lists', label: 'Shared lists', source: 'manual' }];

describe('the plan that follows a research', () => {
  async function completed(
    score: number,
    withProject = true,
    certainty = 'sure',
  ): Promise<{ user: TestUser; researchId: string; projectId: string | null }> {
    const user = await app.user();
    const projectId = withProject ? String((await user.call('POST', '/projects', { title: newIdea() })).body['id']) : null;
    const known = JSON.parse(await artifactOnce(user)) as { classification: object };
    const source = JSON.stringify({ ...known, classification: { ...known.classification, certainty } });
    const researchId = newId();
    await sql`insert into research_jobs (id, user_id, project_id, idea, idea_key, mode, status, pipeline_stage, score, artifact, completed_at)
      values (${researchId}, ${user.userId}, ${projectId}, 'x', ${researchId}, 'market', 'completed', 'priorities_picked', ${score}, ${source}::json, now())`.execute(
      app.ctx.db,
    );
    return { user, researchId, projectId };
  }

  let artifact: string | undefined;
  async function artifactOnce(user: TestUser): Promise<string> {
    if (artifact) return artifact;
    const jobId = String((await user.call('POST', '/research', { idea: newIdea() })).body['job_id']);
    await researching.work(app.ctx, { jobId }, never);
    const { rows } = await sql<{ text: string }>`select artifact::text as text from research_jobs where id = ${jobId}`.execute(app.ctx.db);
    artifact = rows[0]?.text ?? '';
    return artifact;
  }

  const graphsOf = async (user: TestUser) =>
    (await user.call('GET', '/build-graphs')).body as unknown as { id: string; status: string; source: string }[];
  const cardsOf = async (researchId: string) =>
    (
      await sql<{
        card_type: string;
        body: { graph_id: string | null; parts: unknown[] };
      }>`select card_type, body from cards where research_job_id = ${researchId}`.execute(app.ctx.db)
    ).rows;

  it('is a ready graph of five features from 70 on, once however often it is asked for', async () => {
    const { user, researchId, projectId } = await completed(70);
    await Promise.all([seedBuildPlan(app.ctx, researchId), seedBuildPlan(app.ctx, researchId)]);
    await seedBuildPlan(app.ctx, researchId);
    const graphs = await graphsOf(user);
    expect(graphs).toMatchObject([{ status: 'ready', source: 'research_auto_seeded' }]);
    const { body } = await user.call('GET', `/build-graphs/${graphs[0]?.id}`);
    expect(body).toMatchObject({ project_id: projectId, research_id: researchId });
    expect((body['selected_features'] as unknown as unknown[]).length).toBe(5);
    const events = (await readNdjson(`${app.url}/build-graphs/${graphs[0]?.id}/events`, user.token)).map(({ event }) => event);
    expect(events.slice(0, 3)).toEqual(['stream_start', 'graph_created', 'stage']);
    expect(events.filter((event) => event === 'graph_ready')).toHaveLength(1);
    expect(events.at(-1)).toBe('done');
    expect(await cardsOf(researchId)).toMatchObject([{ card_type: 'build_plan_ready', body: { graph_id: graphs[0]?.id } }]);
    // Seeding is no start of building.
    expect((await user.call('GET', `/projects/${projectId}`)).body['state']).not.toBe('building');
  });

  it.each([
    ['below 70', 69.9, true],
    ['without a project', 95, false],
  ])('is a card alone %s', async (_when, score, withProject) => {
    const { user, researchId } = await completed(score, withProject);
    await seedBuildPlan(app.ctx, researchId);
    expect(await graphsOf(user)).toEqual([]);
    const [card] = await cardsOf(researchId);
    expect(card).toMatchObject({ card_type: 'build_plan_ready', body: { graph_id: null } });
    expect(card?.body.parts.length).toBeGreaterThan(3);
  });

  it.each(['unsure', 'unknown'])(
    'is nothing from a market that is %s: no graph, no card, nothing to select, but features that are named are planned',
    async (certainty) => {
      const { user, researchId, projectId } = await completed(95, true, certainty);
      await seedBuildPlan(app.ctx, researchId);
      expect(await graphsOf(user)).toEqual([]);
      expect(await cardsOf(researchId)).toEqual([]);
      const job = await findJob(app.ctx.db, researchId);
      expect(job && (await planBuildCard(app.ctx, job)).cardType).toBe('build_plan_failed');
      const request = { idea: 'x', project_id: projectId, research_id: researchId };
      expect(await user.call('POST', '/build-graphs', { ...request, auto_select: true })).toMatchObject({
        status: 400,
        body: { detail: expect.stringContaining('build_readiness') },
      });
      expect((await user.call('POST', '/build-graphs', { ...request, features: FEATURES })).status).toBe(201);
    },
  );

  it('is a card alone when the project has a graph', async () => {
    const { user, researchId, projectId } = await completed(90);
    await user.call('POST', '/build-graphs', { idea: 'x', features: FEATURES, project_id: projectId });
    await seedBuildPlan(app.ctx, researchId);
    expect(await graphsOf(user)).toHaveLength(1);
    expect((await cardsOf(researchId)).map(({ card_type: type }) => type)).toEqual(['build_plan_ready']);
  });

  it('can be computed again as a card', async () => {
    const { researchId } = await completed(50);
    const job = await findJob(app.ctx.db, researchId);
    expect(job && (await planBuildCard(app.ctx, job)).cardType).toBe('build_plan_ready');
  });
});
