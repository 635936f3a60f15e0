import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readNdjson, type Line } from '#testing/read-ndjson.ts';
import {
  anyList,
  anyNumber,
  anyString,
  call,
  completedResearch,
  detail,
  newIdea,
  newProject,
  newUser,
  serviceUrl,
  startResearch,
  timestamp,
  uuid,
  type Json,
  type User,
} from './black-box.ts';

const FEATURES = [
  { id: 'shared-lists', label: 'Shared lists', source: 'research' },
  { id: 'offline', label: 'Offline mode', source: 'manual' },
];
const NODE = {
  id: uuid(),
  graph_id: uuid(),
  node_key: anyString(),
  depth: anyNumber(),
  sort_order: anyNumber(),
  name: anyString(),
  description: anyString(),
  risk: expect.stringMatching(/^(green|yellow|red)$/),
  node_status: expect.stringMatching(/^(collapsed|leaf)$/),
  effort: expect.stringMatching(/^(small|medium|large|very_large)$/),
};

type Node = { id: string; parent_id: string | null; depth: number; node_key: string; children: Node[] } & Json;

async function newGraph(user: User, body: Json = {}): Promise<string> {
  const answer = await user.post('/build-graphs', { idea: newIdea(), features: FEATURES, ...body });
  expect(answer.status, answer.text).toBe(201);
  return String(answer.body['graph_id']);
}

const follow = (user: User, graphId: string, query = ''): Promise<Line[]> =>
  readNdjson(`${serviceUrl}/build-graphs/${graphId}/events${query}`, user.token, AbortSignal.timeout(20_000));

async function readyGraph(user: User, body: Json = {}): Promise<string> {
  const graphId = await newGraph(user, body);
  expect((await follow(user, graphId)).map(({ event }) => event)).toContain('graph_ready');
  return graphId;
}

const flat = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
const nodesOf = async (user: User, graphId: string): Promise<Node[]> => (await user.get(`/build-graphs/${graphId}`)).body['nodes'] as Node[];

describe('POST /build-graphs', () => {
  it('answers 201 with the graph in initializing [R479 R498 R508 R509 R517]', async () => {
    const answer = await (await newUser()).post('/build-graphs', { idea: newIdea(), features: FEATURES });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ graph_id: uuid(), status: 'initializing' });
  });

  it('answers 400 without features unless auto_select is true [R510 R511 R518]', async () => {
    const user = await newUser();
    for (const body of [{}, { features: [] }, { features: null }, { auto_select: false }]) {
      expect((await user.post('/build-graphs', { idea: newIdea(), ...body })).status).toBe(400);
    }
  });

  it('answers 400 when auto_select finds no build_readiness [R519]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    for (const body of [{}, { project_id: projectId }]) {
      expect((await user.post('/build-graphs', { idea: newIdea(), auto_select: true, ...body })).status).toBe(400);
    }
    const running = await startResearch(user, 'asdf asdf');
    const answer = await user.post('/build-graphs', { idea: newIdea(), auto_select: true, research_id: running });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(detail(/build_readiness/));
  });

  it('selects from build_readiness of the linked research, with phase 1 from the first phase only [R512 R513 R514 R516]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const researchId = await completedResearch(user, newIdea(), { project_id: projectId });
    const all = await readyGraph(user, { features: undefined, auto_select: true, project_id: projectId });
    const first = await readyGraph(user, { features: undefined, auto_select: true, phase: 1, research_id: researchId });
    const chosen = async (graphId: string) => (await user.get(`/build-graphs/${graphId}`)).body['selected_features'] as { source: string }[];
    expect((await chosen(first)).length).toBeGreaterThan(0);
    expect((await chosen(first)).length).toBeLessThanOrEqual((await chosen(all)).length);
    expect((await chosen(all)).every(({ source }) => source === 'research')).toBe(true);
    expect((await user.get(`/build-graphs/${all}`)).body).toMatchObject({ project_id: projectId, research_id: researchId });
  });

  it('answers 400 to a missing or badly typed field, 422 to an idea over 5,000 characters or a bad id [R506 R507 R515]', async () => {
    const user = await newUser();
    const post = async (body: Json) => (await user.post('/build-graphs', body)).status;
    expect(await post({ features: FEATURES })).toBe(400);
    expect(await post({ idea: 5, features: FEATURES })).toBe(400);
    expect(await post({ idea: newIdea(), features: [{ id: 'x' }] })).toBe(400);
    expect(await post({ idea: 'x'.repeat(5001), features: FEATURES })).toBe(422);
    expect(await post({ idea: newIdea(), features: FEATURES, project_id: 'no' })).toBe(422);
    expect(await post({ idea: newIdea(), features: FEATURES, project_id: null, research_id: null, feature_research_id: null })).toBe(201);
  });

  it("answers 404 for another user's project, research or feature research [R010]", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const post = async (body: Json) => (await user.post('/build-graphs', { idea: newIdea(), features: FEATURES, ...body })).status;
    expect(await post({ project_id: await newProject(other) })).toBe(404);
    expect(await post({ research_id: await startResearch(other, newIdea()) })).toBe(404);
    expect(await post({ feature_research_id: randomUUID() })).toBe(404);
  });

  it('uses the latest completed feature research of the project [R467]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const started = await user.post('/feature-research', {
      idea: newIdea(),
      features: [{ id: 'offline', name: 'Offline mode' }],
      project_id: projectId,
    });
    const jobId = String(started.body['job_id']);
    await readNdjson(`${serviceUrl}/feature-research/${jobId}/events`, user.token, AbortSignal.timeout(20_000));
    const graphId = await newGraph(user, { project_id: projectId });
    expect((await user.get(`/build-graphs/${graphId}`)).body['feature_research_id']).toBe(jobId);
  });

  it('moves a project that is ready to building', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    await completedResearch(user, newIdea(), { project_id: projectId });
    await newGraph(user, { project_id: projectId });
    expect((await user.get(`/projects/${projectId}`)).body['state']).toBe('building');
  });

  it('answers 401 without a token', async () => {
    expect((await call('POST', '/build-graphs', { body: { idea: newIdea(), features: FEATURES } })).status).toBe(401);
  });
});

describe('GET /build-graphs/{graph_id}/events', () => {
  it('streams the graph as it grows, done last [R480 R499 R500 R520 R546 R547 R548 R549 R550 R551 R552 R553 R555]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const graphId = await newGraph(user, { project_id: projectId });
    const lines = await follow(user, graphId);
    for (const line of lines) expect(Object.keys(line).sort()).toEqual(['data', 'event', 'v']);
    const data = (event: string): Json[] => lines.filter((line) => line.event === event).map((line) => line.data);
    expect(lines[0]).toEqual({ v: 1, event: 'stream_start', data: { request_id: expect.stringMatching(/^[0-9a-f]{16}$/), job_id: graphId } });
    expect(data('graph_created')).toEqual([{ graph_id: graphId, project_id: projectId }]);
    expect(data('stage')).toEqual([
      { name: 'llm', status: 'started' },
      { name: 'llm', status: 'completed' },
    ]);
    for (const node of data('node_created')) {
      expect(node).toMatchObject({ ...NODE, graph_id: graphId });
      expect(node['parent_id'] === null).toBe(node['depth'] === 0);
    }
    const roots = data('node_created').filter((node) => node['parent_id'] === null);
    expect(data('graph_ready')).toEqual([{ graph_id: graphId, root_count: roots.length, duration_ms: anyNumber() }]);
    expect(data('expand_start')[0]).toEqual({ node_id: uuid(), depth: 0 });
    expect(data('expand_done')[0]).toEqual({ node_id: uuid(), children_count: anyNumber() });
    expect(lines.at(-1)).toEqual({ v: 1, event: 'done', data: {} });
    expect((await user.get(`/build-graphs/${graphId}`)).body['status']).toBe('ready');
  });

  it('replays after a cursor, and gives done alone at the end', async () => {
    const user = await newUser();
    const graphId = await readyGraph(user);
    const whole = (await follow(user, graphId)).slice(1);
    expect((await follow(user, graphId, '?cursor=3')).slice(1)).toEqual(whole.slice(3));
    expect((await follow(user, graphId, `?cursor=${whole.length}`)).slice(1)).toEqual([{ v: 1, event: 'done', data: {} }]);
  });

  it('answers 422 to a bad cursor, 404 for a graph of another user, 401 without a token', async () => {
    const user = await newUser();
    const graphId = await newGraph(user);
    expect((await user.get(`/build-graphs/${graphId}/events?cursor=-1`)).status).toBe(422);
    expect((await (await newUser()).get(`/build-graphs/${graphId}/events`)).status).toBe(404);
    expect((await call('GET', `/build-graphs/${graphId}/events`)).status).toBe(401);
  });
});

describe('GET /build-graphs', () => {
  it('answers a bare array, newest first, filtered by project [R483 R484 R521 R525]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const first = await newGraph(user, { project_id: projectId });
    const second = await newGraph(user);
    const all = (await user.get('/build-graphs')).body as unknown as Json[];
    expect(all.map(({ id }) => id)).toEqual([second, first]);
    for (const item of all) {
      expect(item).toMatchObject({
        id: uuid(),
        title: anyString(),
        status: expect.stringMatching(/^(initializing|generating|ready|failed)$/),
        created_at: timestamp(),
      });
    }
    expect(((await user.get(`/build-graphs?project_id=${projectId}`)).body as unknown as Json[]).map(({ id }) => id)).toEqual([first]);
    expect((await (await newUser()).get(`/build-graphs?project_id=${projectId}`)).body).toEqual([]);
  });

  it('pages with limit and offset; 422 out of range [R522 R523 R524]', async () => {
    const user = await newUser();
    const ids = [await newGraph(user), await newGraph(user), await newGraph(user)].reverse();
    expect(((await user.get('/build-graphs?limit=1&offset=1')).body as unknown as Json[]).map(({ id }) => id)).toEqual([ids[1]]);
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'offset=-1', 'project_id=x'])
      expect((await user.get(`/build-graphs?${query}`)).status).toBe(422);
    expect((await user.get('/build-graphs?limit=100')).status).toBe(200);
  });
});

describe('GET /build-graphs/{graph_id}', () => {
  it('answers the detail with the tree under nodes, nested under children [R485 R486 R487 R488 R489 R491 R492 R493 R494 R495 R496 R526]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const graphId = await readyGraph(user, { idea });
    const answer = await user.get(`/build-graphs/${graphId}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id: graphId, status: 'ready', source: 'user', selected_features: FEATURES, nodes: anyList() });
    expect(idea.toLowerCase()).toContain(String(answer.body['title']).slice(0, 20).toLowerCase());
    const nodes = flat(answer.body['nodes'] as Node[]);
    expect(nodes.length).toBeGreaterThan(10);
    for (const node of nodes) {
      expect(node).toMatchObject({
        ...NODE,
        graph_id: graphId,
        effort_days: { low: anyNumber(), high: anyNumber() },
        acceptance_criteria: anyList(),
        depends_on: anyList(),
        feature_ids: anyList(),
        evidence_ids: anyList(),
        children: anyList(),
      });
      for (const child of node.children) expect(child).toMatchObject({ parent_id: node.id, depth: node.depth + 1 });
    }
    expect(answer.body).toMatchObject({
      critical_path: anyList(),
      parallel_lanes: anyList(),
      total_days: { low: anyNumber(), high: anyNumber(), critical_path: { low: anyNumber(), high: anyNumber() } },
    });
  });

  it('answers 404 for what is missing or not owned, 422 for a bad id [R010]', async () => {
    const user = await newUser();
    expect((await user.get(`/build-graphs/${randomUUID()}`)).status).toBe(404);
    expect((await (await newUser()).get(`/build-graphs/${await newGraph(user)}`)).status).toBe(404);
    expect((await user.get('/build-graphs/none')).status).toBe(422);
  });
});

describe('GET /projects/{project_id}/build-graph', () => {
  it('answers the latest graph with its tree under roots, 404 without one [R224 R490]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    expect((await user.get(`/projects/${projectId}/build-graph`)).status).toBe(404);
    await readyGraph(user, { project_id: projectId });
    const graphId = await readyGraph(user, { project_id: projectId });
    const { status, body } = await user.get(`/projects/${projectId}/build-graph`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: graphId, status: 'ready', roots: anyList() });
    expect(flat(body['roots'] as Node[]).length).toBeGreaterThan(10);
  });

  it('shows the graph on the project, its full view and its home [R170 R174 R180]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const graphId = await readyGraph(user, { project_id: projectId });
    expect((await user.get(`/projects/${projectId}`)).body).toMatchObject({
      graph_count: 1,
      build_graphs: [{ id: graphId, title: anyString(), status: 'ready', node_count: anyNumber(), created_at: timestamp(), updated_at: timestamp() }],
    });
    expect((await user.get(`/projects/${projectId}/full`)).body['build_graph']).toEqual({ roots: anyList() });
    expect((await user.get(`/projects/${projectId}/home`)).body['build_graphs']).toEqual([
      { id: graphId, status: 'ready', node_count: anyNumber(), expanded_count: anyNumber(), completed_at: timestamp() },
    ]);
  });
});

describe('PATCH /build-graphs/{graph_id}', () => {
  it('changes title and project; null leaves the title and detaches the project [R527 R528 R529 R530]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const graphId = await newGraph(user);
    const first = await user.patch(`/build-graphs/${graphId}`, { title: 'A better title', project_id: projectId });
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({
      id: graphId,
      title: 'A better title',
      project_id: projectId,
      source: 'user',
      created_at: timestamp(),
      updated_at: timestamp(),
    });
    expect((await user.patch(`/build-graphs/${graphId}`, { title: null, project_id: null })).body).toMatchObject({
      title: 'A better title',
      project_id: null,
    });
    await user.patch(`/build-graphs/${graphId}`, { project_id: projectId });
    expect((await user.patch(`/build-graphs/${graphId}`, {})).body).toMatchObject({ title: 'A better title', project_id: projectId });
  });

  it("answers 404 for another user's graph or project, 422 for a bad id", async () => {
    const [user, other] = [await newUser(), await newUser()];
    const graphId = await newGraph(user);
    expect((await other.patch(`/build-graphs/${graphId}`, { title: 'x' })).status).toBe(404);
    expect((await user.patch(`/build-graphs/${graphId}`, { project_id: await newProject(other) })).status).toBe(404);
    expect((await user.patch(`/build-graphs/${graphId}`, { project_id: 'none' })).status).toBe(422);
    expect((await user.patch(`/build-graphs/${graphId}`, { title: 7 })).status).toBe(400);
  });
});

describe('DELETE /build-graphs/{graph_id}', () => {
  it('deletes the graph and its nodes [R531 R532 R533]', async () => {
    const user = await newUser();
    const graphId = await readyGraph(user);
    const [node] = await nodesOf(user, graphId);
    expect((await (await newUser()).delete(`/build-graphs/${graphId}`)).status).toBe(404);
    const answer = await user.delete(`/build-graphs/${graphId}`);
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await user.get(`/build-graphs/${graphId}`)).status).toBe(404);
    expect((await user.patch(`/build-nodes/${node?.id}`, { name: 'x' })).status).toBe(404);
    expect((await user.delete(`/build-graphs/${graphId}`)).status).toBe(404);
  });
});

describe('POST /build-graphs/{graph_id}/sources', () => {
  it('links a research [R534 R535 R536 R537]', async () => {
    const user = await newUser();
    const graphId = await newGraph(user);
    const researchId = await startResearch(user, newIdea());
    for (const linkType of ['context', 'supplement', 'external']) {
      const answer = await user.post(`/build-graphs/${graphId}/sources`, { research_id: researchId, link_type: linkType });
      expect(answer.status).toBe(201);
      expect(answer.body).toEqual({ id: uuid(), graph_id: graphId, research_id: researchId, link_type: linkType, created_at: timestamp() });
    }
  });

  it('answers 400 for a missing field, 422 for another link type, 404 for what is not owned', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const graphId = await newGraph(user);
    const researchId = await startResearch(user, newIdea());
    const path = `/build-graphs/${graphId}/sources`;
    expect((await user.post(path, { link_type: 'context' })).status).toBe(400);
    expect((await user.post(path, { research_id: researchId })).status).toBe(400);
    expect((await user.post(path, { research_id: researchId, link_type: 'other' })).status).toBe(422);
    expect((await other.post(path, { research_id: await startResearch(other, newIdea()), link_type: 'context' })).status).toBe(404);
    expect((await user.post(path, { research_id: await startResearch(other, newIdea()), link_type: 'context' })).status).toBe(404);
  });
});

describe('POST /build-nodes/{node_id}/expand', () => {
  it('answers 202, and the stream of the graph tells of it after the numbers known, done last [R552 R553 R561]', async () => {
    const user = await newUser();
    const graphId = await readyGraph(user);
    const seen = (await follow(user, graphId)).length - 1;
    const node = flat(await nodesOf(user, graphId)).find((entry) => entry['node_status'] === 'collapsed' && entry.children.length === 0);
    const answer = await user.post(`/build-nodes/${node?.id}/expand`);
    expect([answer.status, answer.body]).toEqual([202, { node_id: node?.id, graph_id: graphId, status: 'expanding' }]);
    const lines = (await follow(user, graphId, `?cursor=${seen}`)).slice(1);
    expect(lines.map(({ event }) => event).filter((event) => event !== 'node_created')).toEqual(['expand_start', 'expand_done', 'done']);
    const whole = await follow(user, graphId);
    expect(whole.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(whole.at(-1)?.event).toBe('done');
  });

  it('answers 404 for what is missing or not owned, 422 for a bad id', async () => {
    const user = await newUser();
    const [node] = await nodesOf(user, await readyGraph(user));
    expect((await (await newUser()).post(`/build-nodes/${node?.id}/expand`)).status).toBe(404);
    expect((await user.post(`/build-nodes/${randomUUID()}/expand`)).status).toBe(404);
    expect((await user.post('/build-nodes/none/expand')).status).toBe(422);
  });
});

describe('PATCH /build-nodes/{node_id}', () => {
  it('changes what is given and answers the node [R562]', async () => {
    const user = await newUser();
    const [node] = await nodesOf(user, await readyGraph(user));
    const change = { name: 'New name', description: 'New words', risk: 'red', effort: 'very_large', sort_order: 42 };
    const answer = await user.patch(`/build-nodes/${node?.id}`, change);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ...NODE, ...change, id: node?.id, children: anyList() });
  });

  it('answers 400 without fields or with a wrong type, 422 for a value not in the list, 404 for what is not owned', async () => {
    const user = await newUser();
    const [node] = await nodesOf(user, await readyGraph(user));
    const path = `/build-nodes/${node?.id}`;
    expect((await user.patch(path, {})).status).toBe(400);
    expect((await user.patch(path, { name: 3 })).status).toBe(400);
    expect((await user.patch(path, { risk: 'blue' })).status).toBe(422);
    expect((await user.patch(path, { effort: 'huge' })).status).toBe(422);
    expect((await (await newUser()).patch(path, { name: 'x' })).status).toBe(404);
  });
});

describe('POST /build-nodes/{node_id}/risk', () => {
  it('answers a risk with its rationale and mitigations [R563]', async () => {
    const user = await newUser();
    const [node] = await nodesOf(user, await readyGraph(user));
    const answer = await user.post(`/build-nodes/${node?.id}/risk`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ node_id: node?.id, risk: NODE.risk, rationale: anyString(), mitigations: anyList(), reasons: anyList() });
    expect((answer.body['mitigations'] as string[]).length).toBeGreaterThan(0);
  });

  it('answers 404 for what is not owned', async () => {
    const user = await newUser();
    const [node] = await nodesOf(user, await readyGraph(user));
    expect((await (await newUser()).post(`/build-nodes/${node?.id}/risk`)).status).toBe(404);
  });
});

describe('the plan that follows a research', () => {
  it('is a ready graph of five features from a score of 70 on, and a card in any case [R501 R502 R503 R504 R505 R558]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const researchId = await completedResearch(user, newIdea(), { project_id: projectId });
    const score = Number((await user.get(`/projects/${projectId}`)).body['quality_score']);
    const cards = async () =>
      ((await user.get(`/v1/cards?project_id=${projectId}`)).body['items'] as Json[]).filter((card) => card['card_type'] === 'build_plan_ready');
    await expect.poll(async () => (await cards()).length, { timeout: 15_000 }).toBe(1);
    const graphs = (await user.get(`/build-graphs?project_id=${projectId}`)).body as unknown as Json[];
    if (score < 70) expect(graphs).toEqual([]);
    else {
      expect(graphs).toMatchObject([{ status: 'ready', source: 'research_auto_seeded' }]);
      const { body } = await user.get(`/build-graphs/${String(graphs[0]?.['id'])}`);
      expect(body).toMatchObject({ research_id: researchId });
      expect((body['selected_features'] as Json[]).length).toBeLessThanOrEqual(5);
    }
  });
});
