import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import type { AppContext } from '#platform/context.ts';
import { ModelError } from '#platform/llm/models.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { payFor, warmQueues } from '#testing/factories.ts';
import { partsFor } from '#testing/grown-graphs.ts';
import { readNdjson, type Line } from '#testing/read-ndjson.ts';
import { ScriptedModels } from '#testing/scripted-models.ts';
import { findExpansion } from './graph-store.ts';
import { listNodes } from './node-store.ts';
import type { ProposedNode } from './model-planner/prompts.ts';
import { expanding } from './run-expansion.ts';
import { planning } from './run-graph.ts';

const models = new ScriptedModels();

// Without a worker: the tests take the jobs up themselves.
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { models } });
await warmQueues(app.ctx);
afterAll(() => app.dispose());

const never = new AbortController().signal;
const FEATURES = [
  { id: 'lists', label: 'Shared lists', source: 'manual' },
  { id: 'codes', label: 'Barcode scanning', source: 'manual' },
];

async function queued(): Promise<{ user: TestUser; graphId: string }> {
  const user = await app.user();
  const answer = await user.call('POST', '/build-graphs', { idea: 'Roommates keep a shared grocery list', features: FEATURES });
  return { user, graphId: String(answer.body['graph_id']) };
}

const follow = (user: TestUser, graphId: string): Promise<Line[]> => readNdjson(`${app.url}/build-graphs/${graphId}/events`, user.token);
const statusOf = async (user: TestUser, graphId: string): Promise<unknown> => (await user.call('GET', `/build-graphs/${graphId}`)).body['status'];

/** A context in which the n-th append also ends the process that runs: the write itself is kept. */
function cutAfter(appends: number): { ctx: AppContext; signal: AbortSignal } {
  const cut = new AbortController();
  let left = appends;
  const ctx: AppContext = {
    ...app.ctx,
    streams: {
      ...app.ctx.streams,
      append: async (...args) => {
        const head = await app.ctx.streams.append(...args);
        left -= 1;
        if (left <= 0) cut.abort();
        return head;
      },
    },
  };
  return { ctx, signal: cut.signal };
}

const proposed = (key: string, change: Partial<ProposedNode> = {}): ProposedNode => ({
  key,
  name: `Part ${key}`,
  description: 'what it is',
  risk: 'yellow',
  risk_reasons: ['it is new'],
  mitigations: ['try it'],
  days_low: 2,
  days_high: 8,
  waiting_low: 0,
  waiting_high: 0,
  waiting_for: '',
  acceptance_criteria: ['it works', 'and fast'],
  depends_on: [],
  feature_ids: ['lists', 'codes'],
  evidence: [],
  ...change,
});

function tellStory(lines: readonly Line[]): { keys: string[]; events: string[] } {
  const keys = lines.filter(({ event }) => event === 'node_created').map(({ data }) => String(data['node_key']));
  return { keys, events: lines.map(({ event }) => event) };
}

describe('a run whose worker stops', () => {
  it.each([1, 2, 3, 5, 9, 14, 20, 27])('after its append number %i goes on without a node or an event twice', async (appends) => {
    models.script = undefined;
    const { user, graphId } = await queued();
    const cut = cutAfter(appends);
    const ended = await planning.work(cut.ctx, { graphId }, cut.signal).then(
      () => true,
      () => false,
    );
    // What was begun side by side before the cut is still written; after the last of it there is nothing left to cut.
    if (appends < 12) expect(ended).toBe(false);
    await planning.work(app.ctx, { graphId }, never);
    const lines = await follow(user, graphId);
    const { keys, events } = tellStory(lines);
    expect(new Set(keys).size).toBe(keys.length);
    expect((await listNodes(app.ctx.db, graphId)).map(({ node_key: key }) => key).sort()).toEqual([...keys].sort());
    for (const name of ['graph_created', 'graph_ready', 'done'])
      expect(
        events.filter((event) => event === name),
        name,
      ).toHaveLength(1);
    expect(lines.filter(({ event }) => event === 'stage').map(({ data }) => data['status'])).toEqual(['started', 'completed']);
    const starts = lines.filter(({ event }) => event === 'expand_start').map(({ data }) => data['node_id']);
    const ends = lines.filter(({ event }) => event === 'expand_done').map(({ data }) => data['node_id']);
    expect(new Set(starts).size).toBe(starts.length);
    expect([...ends].sort()).toEqual([...starts].sort());
    expect(await statusOf(user, graphId)).toBe('ready');
  });

  it('asks a model only once for what it had decided', async () => {
    let round = 0;
    models.script = (name, prompt) =>
      name === 'build_roots' ? { nodes: [proposed(`first-${(round += 1)}`), proposed('second')] } : partsFor(prompt, [proposed('a'), proposed('b')]);
    const { user, graphId } = await queued();
    const cut = cutAfter(1);
    await expect(planning.work(cut.ctx, { graphId }, cut.signal)).rejects.toThrow();
    await planning.work(app.ctx, { graphId }, never);
    const roots = (await listNodes(app.ctx.db, graphId)).filter(({ depth }) => depth === 0).map(({ node_key: key }) => key);
    expect(roots).toEqual(['first-1', 'second']);
    expect(round).toBe(1);
    expect((await follow(user, graphId)).at(-1)?.event).toBe('done');
    models.script = undefined;
  });

  it('asks a model only once for the parts of all nodes, also when it is cut while they are written', async () => {
    let asked = 0;
    models.script = (name, prompt) => {
      if (name === 'build_roots') return { nodes: [proposed('first'), proposed('second'), proposed('third')] };
      asked += 1;
      return partsFor(prompt, [proposed('a'), proposed('b')]);
    };
    const { user, graphId } = await queued();
    const cut = new AbortController();
    const append: AppContext['streams']['append'] = async (tx, key, events, options) => {
      const head = await app.ctx.streams.append(tx, key, events, options);
      if (events.some(({ event }) => event === 'expand_done')) cut.abort();
      return head;
    };
    await expect(planning.work({ ...app.ctx, streams: { ...app.ctx.streams, append } }, { graphId }, cut.signal)).rejects.toThrow();
    expect((await listNodes(app.ctx.db, graphId)).filter(({ depth }) => depth === 1)).toHaveLength(2);
    await planning.work(app.ctx, { graphId }, never);
    expect(asked).toBe(1);
    expect((await listNodes(app.ctx.db, graphId)).filter(({ depth }) => depth === 1)).toHaveLength(6);
    expect(tellStory(await follow(user, graphId)).events.filter((event) => event === 'expand_done')).toHaveLength(3);
    models.script = undefined;
  });

  it('leaves nothing to a second worker that took over', async () => {
    const { user, graphId } = await queued();
    await Promise.all([planning.work(app.ctx, { graphId }, never), planning.work(app.ctx, { graphId }, never)]);
    await planning.work(app.ctx, { graphId }, never);
    const { keys, events } = tellStory(await follow(user, graphId));
    expect(new Set(keys).size).toBe(keys.length);
    expect(events.filter((event) => event === 'done')).toHaveLength(1);
  });

  it('stops when the graph is deleted', async () => {
    const { user, graphId } = await queued();
    models.script = async (name, prompt) => {
      if (name !== 'build_roots') return partsFor(prompt, [proposed('a')]);
      await user.call('DELETE', `/build-graphs/${graphId}`);
      return { nodes: [proposed('a')] };
    };
    await planning.work(app.ctx, { graphId }, never);
    expect((await user.call('GET', `/build-graphs/${graphId}`)).status).toBe(404);
    models.script = undefined;
  });
});

describe('a model that plans', () => {
  it('is written down with what had to be repaired', async () => {
    models.script = (name, prompt) =>
      name === 'build_roots'
        ? {
            nodes: [
              proposed('base', { depends_on: [{ key: 'nowhere', reason: 'x' }] }),
              proposed('base'),
              proposed('top', { depends_on: [{ key: 'base', reason: 'stands on it' }] }),
            ],
          }
        : partsFor(prompt, [proposed('one', { days_high: 3 }), proposed('two', { days_high: 1, days_low: 1 })]);
    const { user, graphId } = await queued();
    await planning.work(app.ctx, { graphId }, never);
    const { body } = await user.call('GET', `/build-graphs/${graphId}`);
    expect(body).toMatchObject({
      status: 'ready',
      engine: { planner: 'model', provider: 'llm_a', model: 'scripted' },
      planning: { repairs: 2, fallbacks: 0 },
    });
    expect(tellStory(await follow(user, graphId)).keys).toEqual(expect.arrayContaining(['base', 'top', 'base/one', 'top/two']));
    models.script = undefined;
  });

  it('that does not answer in time ends the graph with a retryable LLM_TIMEOUT, then done', async () => {
    models.script = () => Promise.reject(new ModelError('timeout', 'no answer within 90 s'));
    const { user, graphId } = await queued();
    await planning.work(app.ctx, { graphId }, never);
    const lines = await follow(user, graphId);
    expect(lines.slice(-2)).toMatchObject([{ event: 'error', data: { code: 'LLM_TIMEOUT', retryable: true } }, { event: 'done' }]);
    expect(lines.filter(({ event }) => event === 'stage').map(({ data }) => data['status'])).toEqual(['started']);
    expect(await statusOf(user, graphId)).toBe('failed');
    models.script = undefined;
  });

  it('that fails below the roots is stood in for by the rules, and that is counted', async () => {
    models.script = (name) => (name === 'build_roots' ? { nodes: [proposed('base')] } : Promise.reject(new ModelError('timeout', 'no answer')));
    const { user, graphId } = await queued();
    await planning.work(app.ctx, { graphId }, never);
    const { body } = await user.call('GET', `/build-graphs/${graphId}`);
    expect(body).toMatchObject({ status: 'ready', planning: { fallbacks: 1 } });
    expect(tellStory(await follow(user, graphId)).keys.length).toBeGreaterThan(2);
    models.script = undefined;
  });
});

async function expansionOf(graphId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from build_expansions where graph_id = ${graphId} order by requested_at`.execute(app.ctx.db);
  return rows[0]?.id ?? '';
}

describe('an expansion on demand', () => {
  async function readyGraph(): Promise<{ user: TestUser; graphId: string; nodeId: string }> {
    models.script = undefined;
    const made = await queued();
    await planning.work(app.ctx, { graphId: made.graphId }, never);
    const node = (await listNodes(app.ctx.db, made.graphId)).find((row) => row.node_status === 'collapsed' && !row.expanded_at);
    return { ...made, nodeId: node?.id ?? '' };
  }

  it('answers 409 before the graph is ready', async () => {
    const { user, graphId } = await queued();
    const cut = cutAfter(2);
    await expect(planning.work(cut.ctx, { graphId }, cut.signal)).rejects.toThrow();
    const [row] = await listNodes(app.ctx.db, graphId);
    expect((await user.call('POST', `/build-nodes/${row?.id}/expand`)).status).toBe(409);
  });

  it('is told once when its worker stops between start and end', async () => {
    const { user, graphId, nodeId } = await readyGraph();
    await user.call('POST', `/build-nodes/${nodeId}/expand`);
    const expansionId = await expansionOf(graphId);
    const cut = new AbortController();
    const ctx: AppContext = { ...app.ctx, streams: { ...app.ctx.streams, append: (...args) => (cut.abort(), app.ctx.streams.append(...args)) } };
    const broken = { ...ctx, db: ctx.db };
    models.script = () => Promise.reject(new Error('the process is gone'));
    await expanding.work(broken, { expansionId, graphId }, cut.signal).catch(() => undefined);
    models.script = undefined;
    await expanding.work(app.ctx, { expansionId, graphId }, never);
    await expanding.work(app.ctx, { expansionId, graphId }, never);
    const lines = await follow(user, graphId);
    const about = lines.filter(({ data }) => data['node_id'] === nodeId).map(({ event }) => event);
    expect(about).toEqual(['expand_requested', 'expand_start', 'expand_done']);
    expect(lines.at(-1)?.event).toBe('done');
    expect(await findExpansion(app.ctx.db, expansionId)).toBeNull();
  });

  it('that a model does not answer in time tells LLM_TIMEOUT, then done, and can be asked for again', async () => {
    models.script = (name) =>
      name === 'build_roots' ? { nodes: [proposed('base', { days_high: 1, days_low: 1 })] } : Promise.reject(new ModelError('timeout', 'no answer'));
    const { user, graphId } = await queued();
    await planning.work(app.ctx, { graphId }, never);
    const [base] = await listNodes(app.ctx.db, graphId);
    await user.call('POST', `/build-nodes/${base?.id}/expand`);
    await expanding.work(app.ctx, { expansionId: await expansionOf(graphId), graphId }, never);
    const failed = await follow(user, graphId);
    expect(failed.slice(-3)).toMatchObject([
      { event: 'expand_start' },
      { event: 'error', data: { code: 'LLM_TIMEOUT', retryable: true } },
      { event: 'done' },
    ]);
    expect(await statusOf(user, graphId)).toBe('ready');
    models.script = (_name, prompt) => partsFor(prompt, [proposed('one'), proposed('two')]);
    await user.call('POST', `/build-nodes/${base?.id}/expand`);
    await expanding.work(app.ctx, { expansionId: await expansionOf(graphId), graphId }, never);
    const lines = await follow(user, graphId);
    expect(lines.slice(-2)).toMatchObject([{ event: 'expand_done', data: { children_count: 2 } }, { event: 'done' }]);
    expect(lines.filter(({ event }) => event === 'done')).toHaveLength(1);
    models.script = undefined;
  });

  it('asked for while the run goes on keeps the stream open until both are done', async () => {
    const { user, graphId } = await queued();
    let asked = false;
    models.script = async (name, prompt) => {
      if (name === 'build_roots') return { nodes: [proposed('now'), proposed('later', { days_high: 1, days_low: 1 })] };
      if (!asked) {
        asked = true;
        const later = (await listNodes(app.ctx.db, graphId)).find(({ node_key: key }) => key === 'later');
        expect((await user.call('POST', `/build-nodes/${later?.id}/expand`)).status).toBe(202);
      }
      return partsFor(prompt, [proposed('one', { days_high: 2 }), proposed('two', { days_high: 2 })]);
    };
    await planning.work(app.ctx, { graphId }, never);
    expect(await app.ctx.streams.head(app.ctx.db, `build:${graphId}`)).toMatchObject({ closed: false });
    await expanding.work(app.ctx, { expansionId: await expansionOf(graphId), graphId }, never);
    const lines = await follow(user, graphId);
    expect(lines.filter(({ event }) => event === 'done')).toHaveLength(1);
    expect(lines.filter(({ event }) => event === 'expand_done')).toHaveLength(2);
    models.script = undefined;
  });
});

describe('a plan whose model is no longer there', () => {
  const ENGINE = JSON.stringify({ planner: 'model', provider: 'llm_a', model: 'm-1' });
  const WARNING = 'The model m-1 is no longer configured; the rules did this instead.';
  const begunByModel = (graphId: string) => sql`update build_graphs set engine = ${ENGINE}::json where id = ${graphId}`.execute(app.ctx.db);

  it('goes on by the rules, with a warning, while nothing was paid for', async () => {
    const { user, graphId } = await queued();
    await begunByModel(graphId);
    await planning.work(app.ctx, { graphId }, never);
    const { body } = await user.call('GET', `/build-graphs/${graphId}`);
    expect(body).toMatchObject({ status: 'ready', engine: { planner: 'rule' }, planning: { warnings: [WARNING] } });
  });

  it('fails and can be tried again once an answer was paid for', async () => {
    const { user, graphId } = await queued();
    await begunByModel(graphId);
    await payFor(app.ctx, `build:${graphId}`);
    await planning.work(app.ctx, { graphId }, never);
    expect((await follow(user, graphId)).slice(-2)).toMatchObject([
      { event: 'error', data: { code: 'LLM_FAILED', retryable: true } },
      { event: 'done' },
    ]);
    expect(await statusOf(user, graphId)).toBe('failed');
  });

  it('has its nodes expanded and judged by the rules', async () => {
    const { user, graphId } = await queued();
    await planning.work(app.ctx, { graphId }, never);
    await begunByModel(graphId);
    await sql`update build_nodes set expanded_at = null, node_status = 'collapsed' where graph_id = ${graphId} and depth = 1`.execute(app.ctx.db);
    const leaf = (await listNodes(app.ctx.db, graphId)).find(({ depth }) => depth === 1);
    expect((await user.call('POST', `/build-nodes/${leaf?.id}/risk`)).status).toBe(200);
    expect((await user.call('POST', `/build-nodes/${leaf?.id}/expand`)).status).toBe(202);
    await expanding.work(app.ctx, { expansionId: await expansionOf(graphId), graphId }, never);
    expect((await follow(user, graphId)).slice(-2)).toMatchObject([{ event: 'expand_done', data: { warnings: [WARNING] } }, { event: 'done' }]);
  });
});

describe('a run that is given up', () => {
  it('fails the graph and ends its stream', async () => {
    const { user, graphId } = await queued();
    await planning.giveUp(app.ctx, { graphId }, new Error('out of tries'));
    expect((await follow(user, graphId)).slice(-2)).toMatchObject([{ event: 'error', data: { code: 'PIPELINE_ERROR' } }, { event: 'done' }]);
    expect(await statusOf(user, graphId)).toBe('failed');
    await planning.work(app.ctx, { graphId }, never);
    expect(await statusOf(user, graphId)).toBe('failed');
  });
});
