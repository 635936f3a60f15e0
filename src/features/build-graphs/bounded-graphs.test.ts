import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { warmQueues } from '#testing/factories.ts';
import { partsFor, plannedNode } from '#testing/grown-graphs.ts';
import { ScriptedModels } from '#testing/scripted-models.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { GraphFull } from './graph-store.ts';
import { listNodes, type NodeRow } from './node-store.ts';
import type { ProposedNode } from './model-planner/prompts.ts';
import { expanding } from './run-expansion.ts';
import { planning } from './run-graph.ts';
import { DEEPEST, FIRST_RELEASE, MOST_NODES, MOST_PARTS, MOST_SOURCES } from './states.ts';
import { writeParts } from './take-apart.ts';

const models = new ScriptedModels();

// Without a worker: the tests take the jobs up themselves.
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { models } });
await warmQueues(app.ctx);
const { db } = app.ctx;
afterAll(() => app.dispose());

const never = new AbortController().signal;

/** A part that never seems to get smaller. */
const large = (key: string): ProposedNode => ({
  key,
  name: `Part ${key}`,
  description: 'what it is',
  risk: 'green',
  risk_reasons: [],
  mitigations: [],
  days_low: 20,
  days_high: 100,
  waiting_low: 0,
  waiting_high: 0,
  waiting_for: '',
  acceptance_criteria: ['it works'],
  depends_on: [],
  feature_ids: ['lists'],
  evidence: [],
});

/** @param plan how many parts the model proposes; the rules plan without it */
async function planned(plan?: (name: string) => number): Promise<{ user: TestUser; graphId: string }> {
  const nodes = (name: string) => Array.from({ length: plan?.(name) ?? 0 }, (_, n) => large(`part-${n}`));
  models.script = plan && ((name, prompt) => (name === 'build_roots' ? { nodes: nodes(name) } : partsFor(prompt, nodes(name))));
  const user = await app.user();
  const body = { idea: 'Roommates keep a shared grocery list', features: [{ id: 'lists', label: 'Shared lists', source: 'manual' }] };
  const graphId = String((await user.call('POST', '/build-graphs', body)).body['graph_id']);
  await planning.work(app.ctx, { graphId }, never);
  return { user, graphId };
}

const expand = (user: TestUser, node: Pick<NodeRow, 'id'> | undefined) => user.call('POST', `/build-nodes/${node?.id ?? ''}/expand`);
const setNodes = (graphId: string, count: number) => sql`update build_graphs set last_no = ${count} where id = ${graphId}`.execute(db);
const waiting = async (graphId: string) => (await sql<{ id: string }>`select id from build_expansions where graph_id = ${graphId}`.execute(db)).rows;
const openNodes = async (graphId: string) =>
  (await listNodes(db, graphId)).filter((node) => node.node_status === 'collapsed' && node.expanded_at === null);

describe('a leaf', () => {
  it('cannot be taken apart: 409, and nothing is queued or told', async () => {
    const { user, graphId } = await planned();
    const leaf = (await listNodes(db, graphId)).find((node) => node.node_status === 'leaf');
    const before = await app.ctx.streams.head(db, `build:${graphId}`);
    expect(await expand(user, leaf)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('leaf') } });
    expect(await waiting(graphId)).toEqual([]);
    expect(await app.ctx.streams.head(db, `build:${graphId}`)).toEqual(before);
  });

  it('is what every node comes down to, so that a graph of the rules ends by itself', async () => {
    const { user, graphId } = await planned();
    let rounds = 0;
    for (let open = await openNodes(graphId); open.length > 0 && rounds < 20; open = await openNodes(graphId), rounds += 1) {
      for (const node of open) {
        await sql`delete from rate_windows`.execute(db);
        expect((await expand(user, node)).status).toBe(202);
      }
      for (const { id } of await waiting(graphId)) await expanding.work(app.ctx, { expansionId: id, graphId }, never);
    }
    expect(rounds).toBeLessThan(DEEPEST);
    expect((await listNodes(db, graphId)).length).toBeLessThan(MOST_NODES);
  });

  it('is every node that is deep enough, whatever a model says of its size', async () => {
    const { user, graphId } = await planned(() => 2);
    for (let depth = 0; depth < DEEPEST + 2; depth += 1) {
      const deepest = (await listNodes(db, graphId)).at(-1);
      if (deepest?.node_status === 'leaf') break;
      expect((await expand(user, deepest)).status).toBe(202);
      for (const { id } of await waiting(graphId)) await expanding.work(app.ctx, { expansionId: id, graphId }, never);
    }
    const last = (await listNodes(db, graphId)).at(-1);
    expect(last).toMatchObject({ depth: DEEPEST, node_status: 'leaf' });
    expect((await expand(user, last)).status).toBe(409);
  });
});

describe('a node that waits to be taken apart', () => {
  it('waits once, however often it is asked for', async () => {
    const { user, graphId } = await planned();
    const [node] = await openNodes(graphId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => expand(user, node)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    expect(await waiting(graphId)).toHaveLength(1);
    for (const { id } of await waiting(graphId)) await expanding.work(app.ctx, { expansionId: id, graphId }, never);
    const lines = await readNdjson(`${app.url}/build-graphs/${graphId}/events`, user.token);
    expect(lines.filter(({ event, data }) => event === 'expand_start' && data['node_id'] === node?.id)).toHaveLength(1);
    expect(lines.at(-1)?.event).toBe('done');
  });
});

describe('a graph with as many nodes as it may have', () => {
  it('answers 409 with a clear text to what would not fit beside what waits, and 202 to what is there', async () => {
    const { user, graphId } = await planned();
    const [first, second, third] = await openNodes(graphId);
    const apart = (await listNodes(db, graphId)).find((node) => node.expanded_at !== null && node.node_status === 'collapsed');
    await setNodes(graphId, MOST_NODES - 2 * MOST_PARTS);
    const answers = await Promise.all([first, second, third].map((node) => expand(user, node)));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body['detail']).toBe(`A build graph may have ${MOST_NODES} nodes; there is no room for more parts in this one`);
    expect((await expand(user, apart)).status).toBe(202);
  });

  it('is not passed by expansions that are written side by side', async () => {
    const { graphId } = await planned();
    const nodes = await openNodes(graphId);
    await setNodes(graphId, MOST_NODES - 10);
    const before = (await listNodes(db, graphId)).length;
    const parts = (node: NodeRow) => ({
      nodes: Array.from({ length: 4 }, (_, n) => plannedNode(`${node.node_key}/${n}`)),
      repairs: 0,
      fallbacks: 0,
    });
    const ends = await Promise.allSettled(nodes.slice(0, 6).map((node) => db.transaction().execute((tx) => writeParts(tx, node, parts(node)))));
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toBeInstanceOf(GraphFull);
    expect((await listNodes(db, graphId)).length - before).toBe(8);
  });

  it('tells an expansion that finds no room any more, and the node can be asked for again', async () => {
    const { user, graphId } = await planned();
    const [node] = await openNodes(graphId);
    expect((await expand(user, node)).status).toBe(202);
    await setNodes(graphId, MOST_NODES);
    for (const { id } of await waiting(graphId)) await expanding.work(app.ctx, { expansionId: id, graphId }, never);
    const lines = await readNdjson(`${app.url}/build-graphs/${graphId}/events`, user.token);
    expect(lines.slice(-2)).toMatchObject([{ event: 'error', data: { code: 'GRAPH_FULL', retryable: false } }, { event: 'done' }]);
    expect((await expand(user, node)).status).toBe(409);
  });
});

describe('a plan of a model', () => {
  it('has no more parts than a node may have, and its run takes nothing apart where there are enough', async () => {
    const { user, graphId } = await planned(() => 40);
    const nodes = await listNodes(db, graphId);
    expect(
      Math.max(
        ...Map.groupBy(nodes, ({ parent_no: parent }) => parent)
          .values()
          .map((beside) => beside.length),
      ),
    ).toBe(MOST_PARTS);
    expect(nodes.length).toBeGreaterThanOrEqual(FIRST_RELEASE);
    expect(nodes.length).toBe(MOST_PARTS);
    expect((await user.call('GET', `/build-graphs/${graphId}`)).body).toMatchObject({ status: 'ready', completed_at: expect.any(String) });
    const lines = await readNdjson(`${app.url}/build-graphs/${graphId}/events`, user.token);
    expect(lines.at(-1)?.event).toBe('done');
    expect(lines.some(({ event }) => event === 'error')).toBe(false);
  });

  it('is held to the parts a node may have by whoever writes it', async () => {
    const { graphId } = await planned();
    const [node] = await openNodes(graphId);
    if (!node) throw new Error('no node is left to take apart');
    const nodes = Array.from({ length: 100 }, (_, n) => plannedNode(`${node.node_key}/${n}`));
    await db.transaction().execute((tx) => writeParts(tx, node, { nodes, repairs: 0, fallbacks: 0 }));
    expect((await listNodes(db, graphId)).filter(({ parent_no: parent }) => parent === node.no)).toHaveLength(MOST_PARTS);
  });
});

describe('sources', () => {
  it('can be linked as many as a graph draws on; one more answers 409', async () => {
    const { user, graphId } = await planned();
    const researchId = String((await user.call('POST', '/research', { idea: 'A chess club' })).body['job_id']);
    const link = (id: string) => user.call('POST', `/build-graphs/${graphId}/sources`, { research_id: id, link_type: 'context' });
    expect((await link(researchId)).status).toBe(201);
    await sql`insert into build_graph_sources (id, graph_id, research_id, link_type)
      select gen_random_uuid(), ${graphId}, gen_random_uuid(), 'context' from generate_series(2, ${MOST_SOURCES}::int)`.execute(db);
    const other = String((await user.call('POST', '/research', { idea: 'Another chess club' })).body['job_id']);
    expect(await link(other)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(String(MOST_SOURCES)) } });
    expect((await link(researchId)).status).toBe(201);
    const { rows } = await sql`select from build_graph_sources where graph_id = ${graphId}`.execute(db);
    expect(rows).toHaveLength(MOST_SOURCES);
  });
});
