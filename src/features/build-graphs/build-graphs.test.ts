import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { flat, grownGraphs, plannedNode } from '#testing/grown-graphs.ts';
import { findNode, insertNodes, InvalidPlan, listNodes, type NodeRow } from './node-store.ts';
import type { PlannedNode } from './planner.ts';
import type { BuildNode } from './schema.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

const IDEA = 'An app where roommates keep a shared grocery list that learns what they buy';
const FEATURES = [
  { id: 'shared-lists', label: 'Shared lists', source: 'manual' },
  { id: 'offline', label: 'Offline mode', source: 'manual' },
  { id: 'reminders', label: 'Expiry date reminders', source: 'manual' },
];

type Detail = {
  id: string;
  status: string;
  nodes: BuildNode[];
  critical_path: { node_key: string }[];
  parallel_lanes: { lane: number }[];
  total_days: { low: number; high: number; critical_path: { low: number; high: number } };
  build_order_rationale: string;
};

const { create, follow, ready } = grownGraphs(app, { idea: IDEA, features: FEATURES });
const detailOf = async (user: TestUser, graphId: string): Promise<Detail> =>
  (await user.call('GET', `/build-graphs/${graphId}`)).body as unknown as Detail;

describe('a graph as it grows', () => {
  it('tells of its creation, its roots, its readiness, then of each node taken apart, and ends', async () => {
    const user = await app.user();
    const graphId = await create(user);
    const lines = await follow(user, graphId);
    const events = lines.map(({ event }) => event);
    expect(lines[0]).toMatchObject({ event: 'stream_start', data: { job_id: graphId } });
    expect(lines[1]).toMatchObject({ event: 'graph_created', data: { graph_id: graphId, project_id: null } });
    expect(lines[2]).toEqual({ v: 1, event: 'stage', data: { name: 'llm', status: 'started' } });
    expect(events.at(-1)).toBe('done');
    expect(events.filter((event) => event === 'done')).toHaveLength(1);
    const readyAt = events.indexOf('graph_ready');
    const roots = lines.slice(0, readyAt).filter(({ event }) => event === 'node_created');
    expect(roots.every(({ data }) => data['parent_id'] === null && data['depth'] === 0)).toBe(true);
    expect(lines[readyAt]?.data).toMatchObject({ graph_id: graphId, root_count: roots.length });
    const started = lines.filter(({ event }) => event === 'expand_start').map(({ data }) => data['node_id']);
    const done = lines.filter(({ event }) => event === 'expand_done').map(({ data }) => data['node_id']);
    expect(new Set(started).size).toBe(started.length);
    expect([...done].sort()).toEqual([...started].sort());
  });

  it('keeps every node it told of, each once, with the counts it told', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const lines = await follow(user, graphId);
    const created = lines.filter(({ event }) => event === 'node_created').map(({ data }) => data['id']);
    const nodes = flat((await detailOf(user, graphId)).nodes);
    expect(nodes.map(({ id }) => id).sort()).toEqual([...created].sort());
    for (const { data } of lines.filter(({ event }) => event === 'expand_done')) {
      expect(nodes.find(({ id }) => id === data['node_id'])?.children).toHaveLength(Number(data['children_count']));
    }
  });

  it('replays from every cursor what the whole stream holds', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const whole = (await follow(user, graphId)).slice(1);
    for (const cursor of [0, 1, 5, whole.length - 1])
      expect((await follow(user, graphId, `?cursor=${cursor}`)).slice(1)).toEqual(whole.slice(cursor));
    expect((await follow(user, graphId, `?cursor=${whole.length + 5}`)).map(({ event }) => event)).toEqual(['stream_start', 'done']);
  });

  it('is a plan: dependencies with reasons, critical path, lanes and totals that fit together', async () => {
    const user = await app.user();
    const detail = await detailOf(user, await ready(user));
    expect(detail.status).toBe('ready');
    const nodes = flat(detail.nodes);
    for (const node of nodes) {
      expect(node.acceptance_criteria.length, node.name).toBeGreaterThan(0);
      expect(node.effort_days.low).toBeLessThanOrEqual(node.effort_days.high);
      for (const { node_id: needed, reason } of node.depends_on) {
        expect(reason.length).toBeGreaterThan(0);
        expect(nodes.find(({ id }) => id === needed)?.parent_id).toBe(node.parent_id);
      }
    }
    expect(nodes.some(({ depth }) => depth === 1)).toBe(true);
    for (const { id } of FEATURES) expect(detail.nodes.some(({ feature_ids: ids }) => ids.includes(id))).toBe(true);
    const { low, high, critical_path: path } = detail.total_days;
    expect(path.high).toBeLessThan(high);
    expect(path.low).toBeLessThanOrEqual(low);
    expect(detail.critical_path.length).toBeGreaterThan(2);
    expect(detail.parallel_lanes.length).toBeGreaterThan(1);
    expect(detail.build_order_rationale.length).toBeGreaterThan(80);
  });
});

describe('taking a node apart on demand', () => {
  const leafOf = (nodes: readonly BuildNode[]): BuildNode => {
    const found = flat(nodes).find((node) => node.node_status === 'collapsed' && node.children.length === 0);
    if (!found) throw new Error('no node is left to take apart');
    return found;
  };

  it('goes on after the numbers readers know, and ends with the only done', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const before = (await follow(user, graphId)).slice(1);
    const node = leafOf((await detailOf(user, graphId)).nodes);
    const answer = await user.call('POST', `/build-nodes/${node.id}/expand`);
    expect(answer).toMatchObject({ status: 202, body: { node_id: node.id, graph_id: graphId, status: 'expanding' } });
    // A client that counted every event, done included, misses nothing of the expansion.
    const after = (await follow(user, graphId, `?cursor=${before.length}&include_seq=true`)).slice(1);
    expect(after[0]).toMatchObject({ event: 'expand_start', data: { node_id: node.id, depth: node.depth }, seq: before.length + 1 });
    expect(after.at(-2)).toMatchObject({ event: 'expand_done', data: { node_id: node.id } });
    expect(after.at(-1)?.event).toBe('done');
    const whole = (await follow(user, graphId)).slice(1);
    expect(whole.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(whole.at(-1)?.event).toBe('done');
    expect(whole.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    const parts = flat((await detailOf(user, graphId)).nodes).find(({ id }) => id === node.id)?.children ?? [];
    expect(parts.length).toBe(after.filter(({ event }) => event === 'node_created').length);
    expect(parts.length).toBeGreaterThan(1);
  });

  it('leaves what is there when it is asked again, and says how much that is', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const root = (await detailOf(user, graphId)).nodes.find(({ children }) => children.length > 0);
    const before = (await follow(user, graphId)).length - 1;
    expect((await user.call('POST', `/build-nodes/${root?.id}/expand`)).status).toBe(202);
    const after = (await follow(user, graphId, `?cursor=${before}`)).slice(1);
    expect(after.map(({ event }) => event)).toEqual(['expand_start', 'expand_done', 'done']);
    expect(after[1]?.data).toEqual({ node_id: root?.id, children_count: root?.children.length });
  });

  it('works several at once on one stream that ends once', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const nodes = flat((await detailOf(user, graphId)).nodes)
      .filter((node) => node.node_status === 'collapsed' && node.children.length === 0)
      .slice(0, 5);
    const before = (await follow(user, graphId)).length - 1;
    await Promise.all([...nodes, nodes[0]].map((node) => user.call('POST', `/build-nodes/${node?.id}/expand`)));
    // Between two of them the stream may end for a moment; what comes later is found behind the same cursor.
    const after = await vi.waitFor(async () => {
      const lines = (await follow(user, graphId, `?cursor=${before}`)).slice(1);
      const ended = new Set(lines.filter(({ event }) => event === 'expand_done').map(({ data }) => data['node_id']));
      expect(nodes.every(({ id }) => ended.has(id))).toBe(true);
      const { rows } = await sql`select id from build_expansions where graph_id = ${graphId}`.execute(app.ctx.db);
      expect(rows).toEqual([]);
      return lines;
    }, 20_000);
    expect(after.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(after.at(-1)?.event).toBe('done');
    const keys = flat((await detailOf(user, graphId)).nodes).map(({ node_key: key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('what cannot be written', () => {
  const write = (graphId: string, parent: NodeRow | null, ...nodes: PlannedNode[]) =>
    app.ctx.db.transaction().execute((tx) => insertNodes(tx, graphId, parent, nodes));

  it('a dependency on nothing, on a later node, on another branch; none of the plan is kept', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const [root] = (await detailOf(user, graphId)).nodes;
    const parent = await findNode(app.ctx.db, root?.id ?? '');
    const count = (await listNodes(app.ctx.db, graphId)).length;
    await expect(write(graphId, null, plannedNode('new-a'), plannedNode('new-b', 'gone'))).rejects.toThrow(InvalidPlan);
    await expect(write(graphId, null, plannedNode('new-a', 'new-b'), plannedNode('new-b'))).rejects.toThrow(InvalidPlan);
    await expect(write(graphId, parent, plannedNode('deep', root?.node_key ?? ''))).rejects.toThrow(InvalidPlan);
    expect(await listNodes(app.ctx.db, graphId)).toHaveLength(count);
  });

  it('the same key twice in one plan', async () => {
    const graphId = await ready(await app.user());
    await expect(write(graphId, null, plannedNode('twice'), plannedNode('twice'))).rejects.toThrow();
  });

  it('a key the graph has: it stays as it is', async () => {
    const graphId = await ready(await app.user());
    const [first] = await listNodes(app.ctx.db, graphId);
    expect(await write(graphId, null, { ...plannedNode(first?.node_key ?? ''), name: 'another' })).toEqual([]);
    expect((await findNode(app.ctx.db, first?.id ?? ''))?.name).toBe(first?.name);
  });

  it('an edge that closes a cycle or leaves its branch, whoever writes it', async () => {
    const user = await app.user();
    const graphId = await ready(user);
    const rows = await listNodes(app.ctx.db, graphId);
    const roots = rows.filter(({ parent_no: parent }) => parent === 0);
    const one = roots.find(({ no }) => rows.some(({ parent_no: parent }) => parent === no));
    const two = roots.at(-1) === one ? roots[0] : roots.at(-1);
    const child = rows.find(({ parent_no: parent }) => parent === one?.no);
    const edge = (parent: number, from: number | undefined, to: number | undefined) =>
      sql`insert into build_dependencies (graph_id, parent_no, node_no, needs_no, reason) values (${graphId}, ${parent}, ${from}, ${to}, 'x')`.execute(
        app.ctx.db,
      );
    await expect(edge(0, one?.no, two?.no)).rejects.toThrow(/check/i);
    await expect(edge(0, child?.no, one?.no)).rejects.toThrow(/foreign key/i);
  });
});
