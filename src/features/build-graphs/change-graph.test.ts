import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { onBehalfOf } from '#platform/principal.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { flat, grownGraphs } from '#testing/grown-graphs.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { readPlan } from './read-plan.ts';
import type { BuildNode } from './schema.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

const IDEA = 'An app where roommates keep a shared grocery list that learns what they buy';
const FEATURES = [
  { id: 'shared-lists', label: 'Shared lists', source: 'manual' },
  { id: 'offline', label: 'Offline mode', source: 'manual' },
  { id: 'reminders', label: 'Expiry date reminders', source: 'manual' },
];

type Detail = { nodes: BuildNode[]; sources: unknown[]; build_order_rationale: string; total_days: unknown };

const { ready } = grownGraphs(app, { idea: IDEA, features: FEATURES });
const detailOf = async (user: TestUser, graphId: string): Promise<Detail> =>
  (await user.call('GET', `/build-graphs/${graphId}`)).body as unknown as Detail;

async function research(user: TestUser, body: Record<string, unknown> = {}): Promise<string> {
  const started = await user.call('POST', '/research', { idea: newIdea(), ...body });
  const jobId = String(started.body['job_id']);
  const lines = await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  expect(lines.some(({ event }) => event === 'result')).toBe(true);
  return jobId;
}

describe('features and links', () => {
  it('reads what is ready to build from the linked research; phase 1 takes the first phase only', async () => {
    const user = await app.user();
    const researchId = await research(user);
    const artifact = (
      await sql<{
        artifact: { build_readiness: Record<'phase_1' | 'phase_2', { id: string }[]> };
      }>`select artifact from research_jobs where id = ${researchId}`.execute(app.ctx.db)
    ).rows[0]?.artifact.build_readiness;
    const both = await ready(user, { features: undefined, auto_select: true, research_id: researchId });
    const first = await ready(user, { features: undefined, auto_select: true, phase: 1, research_id: researchId });
    const chosen = async (graphId: string) =>
      ((await user.call('GET', `/build-graphs/${graphId}`)).body['selected_features'] as unknown as { id: string; source: string }[]).map(
        ({ id }) => id,
      );
    expect(await chosen(first)).toEqual(artifact?.phase_1.map(({ id }) => id));
    expect((await chosen(both)).sort()).toEqual(
      [...new Set([...(artifact?.phase_1 ?? []), ...(artifact?.phase_2 ?? [])].map(({ id }) => id))].sort(),
    );
  });

  it('finds the research of the project by itself, cites its evidence, and moves the project on', async () => {
    const user = await app.user();
    const project = await user.call('POST', '/projects', { title: newIdea() });
    const projectId = String(project.body['id']);
    const researchId = await research(user, { project_id: projectId });
    const graphId = await ready(user, { features: undefined, auto_select: true, project_id: projectId });
    const detail = await user.call('GET', `/build-graphs/${graphId}`);
    expect(detail.body).toMatchObject({ project_id: projectId, research_id: researchId });
    const evidence = new Set(
      (await sql<{ id: string }>`select id from research_evidence where job_id = ${researchId}`.execute(app.ctx.db)).rows.map(({ id }) => id),
    );
    const cited = flat(detail.body['nodes'] as unknown as BuildNode[]).flatMap(({ evidence_ids: ids }) => ids);
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.every((id) => evidence.has(id))).toBe(true);
    expect((await user.call('GET', `/projects/${projectId}`)).body['state']).toBe('building');
  });

  it('draws on research that is linked later', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const researchId = await research(user);
    const link = { research_id: researchId, link_type: 'context' };
    expect((await user.call('POST', `/build-graphs/${graphId}/sources`, link)).status).toBe(201);
    expect((await user.call('POST', `/build-graphs/${graphId}/sources`, { ...link, link_type: 'supplement' })).body['link_type']).toBe('supplement');
    expect((await detailOf(user, graphId)).sources).toHaveLength(1);
  });
});

describe('changing and removing', () => {
  it('keeps what a person sets on a node', async () => {
    const user = await app.user();
    const [root] = (await detailOf(user, await ready(user))).nodes;
    const answer = await user.call('PATCH', `/build-nodes/${root?.id}`, { name: 'Renamed', risk: 'red', effort: 'very_large', sort_order: 99 });
    expect(answer.body).toMatchObject({ id: root?.id, name: 'Renamed', risk: 'red', effort: 'very_large', sort_order: 99 });
    expect((answer.body['children'] as unknown as BuildNode[]).length).toBe(root?.children.length);
  });

  it('judges a node anew, with reasons and mitigations that stay with it', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const offline = (await detailOf(user, graphId)).nodes.find(({ node_key: key }) => key === 'offline-sync');
    const answer = await user.call('POST', `/build-nodes/${offline?.id}/risk`);
    expect(answer.body).toMatchObject({ node_id: offline?.id, risk: 'red' });
    expect((answer.body['mitigations'] as unknown as string[]).length).toBeGreaterThan(0);
    const kept = (await detailOf(user, graphId)).nodes.find(({ id }) => id === offline?.id);
    expect(kept?.risk_reasons).toEqual(answer.body['reasons']);
  });

  it('shows graphs wherever a project is shown, and deletes them with it', async () => {
    const user = await app.user();
    const projectId = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    expect((await user.call('GET', `/projects/${projectId}/build-graph`)).status).toBe(404);
    const older = await ready(user, { project_id: projectId });
    const graphId = await ready(user, { project_id: projectId });
    const shortcut = await user.call('GET', `/projects/${projectId}/build-graph`);
    expect(shortcut.body).toMatchObject({ id: graphId, status: 'ready', source: 'user' });
    expect((shortcut.body['roots'] as unknown as BuildNode[]).some(({ children }) => children.length > 0)).toBe(true);
    expect((await user.call('GET', `/projects/${projectId}`)).body).toMatchObject({ graph_count: 2, build_graphs: [{ id: graphId }, { id: older }] });
    expect(
      ((await user.call('GET', `/projects/${projectId}/full`)).body['build_graph'] as unknown as { roots: BuildNode[] }).roots.length,
    ).toBeGreaterThan(3);
    const home = (await user.call('GET', `/projects/${projectId}/home`)).body['build_graphs'] as unknown as {
      expanded_count: number;
      node_count: number;
    }[];
    expect(home[0]?.expanded_count).toBeGreaterThan(0);
    expect(home[0]?.node_count).toBeGreaterThan(home[0]?.expanded_count ?? 0);
    expect((await user.call('GET', `/projects/${projectId}/tabs/build_graphs?limit=1`)).body).toMatchObject({
      items: [{ id: graphId }],
      has_more: true,
    });
    expect((await user.call('GET', '/projects')).body).toMatchObject({ items: [{ graph_count: 2 }] });
    expect((await user.call('DELETE', `/projects/${projectId}`)).status).toBe(200);
    expect((await user.call('GET', `/build-graphs/${graphId}`)).status).toBe(404);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from streams where key = ${`build:${graphId}`}`.execute(app.ctx.db);
    expect(rows[0]?.count).toBe(0);
  });

  it('follows a device to the user it turns out to be', async () => {
    const device = await app.anonymous();
    const graphId = await ready(device);
    const user = await app.user();
    expect((await user.call('POST', '/auth/rebind', { device_id: device.deviceId })).body['rebound']).toBe(true);
    expect((await user.call('GET', `/build-graphs/${graphId}`)).status).toBe(200);
    expect((await device.call('GET', `/build-graphs/${graphId}`)).status).toBe(404);
  });

  it('gives a printer everything a plan shows', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    expect(await readPlan(app.ctx, onBehalfOf(user.userId), graphId)).toMatchObject({
      graph: { status: 'ready', idea: IDEA, nodes: (await detailOf(user, graphId)).nodes },
      researched: [],
    });
    await expect(readPlan(app.ctx, onBehalfOf('somebody-else'), graphId)).rejects.toMatchObject({ kind: 'not_found' });
  });
});
