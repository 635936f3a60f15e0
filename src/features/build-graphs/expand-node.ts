import { conflict, notFound } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { KeyReader } from '#features/research';
import type { AppContext, Needs } from '#platform/context.ts';
import { isUnreachable, type Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';
import { chooseEngine, plannerFor } from './engine.ts';
import { graphStream, nodeExpansion } from './events.ts';
import { deleteExpansion, findExpansion, findGraph, hasExpansions, insertExpansion, lockGraph, type Graph } from './graph-store.ts';
import { loadMaterial } from './material.ts';
import { countChildren, findNode, findOwnedNode, resetExpanding, type NodeRow } from './node-store.ts';
import type { Plan } from './planner.ts';
import { errorOf } from './run-graph.ts';
import { endOf, planParts, startOf, tellStart, writeParts } from './take-apart.ts';

/**
 * Queues a node to be taken apart. What happens is told on the graph's own stream: when that had ended it goes on after
 * its last number, so that a reader who comes back with its cursor sees it, and `done` is last again when it is over.
 * @throws AppError 404 for a node that is not the caller's, 409 before the graph is ready
 */
export async function expandNode(
  ctx: Needs<'db' | 'streams' | 'queue'>,
  principal: Principal,
  nodeId: string,
): Promise<{ nodeId: string; graphId: string }> {
  const node = await findOwnedNode(ctx.db, principal.userId, nodeId);
  if (!node) throw notFound('Build node');
  const expansionId = newId();
  await ctx.db.transaction().execute(async (tx) => {
    const graph = await lockGraph(tx, node.graph_id);
    if (!graph) throw notFound('Build node');
    if (graph.status !== 'ready') throw conflict(`The build graph is ${graph.status}; nodes can be expanded once it is ready`);
    await insertExpansion(tx, { id: expansionId, graphId: graph.id, nodeId });
    await ctx.streams.reopen(tx, graphStream(graph.id), requested(nodeId));
    await ctx.queue.send(tx, nodeExpansion, { expansionId, graphId: graph.id });
  });
  return { nodeId, graphId: node.graph_id };
}

/** Works one expansion; whoever takes it up after a crash goes on with what is written. */
export async function runExpansion(ctx: AppContext, expansionId: string, readKeys: KeyReader, signal: AbortSignal): Promise<void> {
  const expansion = await findExpansion(ctx.db, expansionId);
  const graph = expansion ? await findGraph(ctx.db, expansion.graph_id) : null;
  const node = expansion ? await findNode(ctx.db, expansion.node_id) : null;
  if (!graph || !node) return;
  try {
    // Asked for again: what is there stays, and the reader is told how much it is.
    if (node.expanded_at)
      return await endExpansion(ctx, graph, expansionId, async (tx) => [startOf(node), endOf(node, await countChildren(tx, node))]);
    await append(ctx, graph.id, async (tx) => ({ events: await tellStart(tx, node), ends: false }));
    const plan = await planNode(ctx, graph, node, readKeys, signal);
    await endExpansion(ctx, graph, expansionId, (tx) => writeParts(tx, node, plan));
  } catch (error) {
    if (signal.aborted || isUnreachable(error)) throw error;
    ctx.log.warn({ err: error, node: node.id }, 'a node could not be taken apart');
    await failExpansion(ctx, graph.id, expansionId, error);
  }
}

/** Ends an expansion that its workers gave up on. */
export async function failExpansion(ctx: AppContext, graphId: string, expansionId: string, error: unknown): Promise<void> {
  const graph = await findGraph(ctx.db, graphId);
  const expansion = await findExpansion(ctx.db, expansionId);
  if (!graph || !expansion) return;
  await endExpansion(ctx, graph, expansionId, async (tx) => {
    await resetExpanding(tx, expansion.node_id);
    return [{ event: 'error', data: errorOf(error) }];
  });
}

async function planNode(ctx: AppContext, graph: Graph, node: NodeRow, readKeys: KeyReader, signal: AbortSignal): Promise<Plan> {
  const engine = graph.engine ?? (await chooseEngine(ctx, graph.user_id, readKeys));
  const planner = await plannerFor(ctx, engine, graph.user_id, readKeys);
  return planParts(ctx.db, planner, await loadMaterial(ctx.db, graph), node, { signal, spend: () => {} }, { orByRules: false });
}

/** The last write of an expansion; the stream ends with it unless something else still writes to it. */
const endExpansion = (ctx: AppContext, { id }: Graph, expansionId: string, write: (tx: Tx) => Promise<NewEvent[]>): Promise<void> =>
  append(ctx, id, async (tx, current) => {
    if (!(await deleteExpansion(tx, expansionId))) return { events: [], ends: false };
    const events = await write(tx);
    return { events, ends: current.completed_at !== null && !(await hasExpansions(tx, id)) };
  });

/** Under the graph's row lock, so that of several writers exactly the last one ends the stream. */
async function append(
  ctx: AppContext,
  graphId: string,
  write: (tx: Tx, graph: Graph) => Promise<{ events: NewEvent[]; ends: boolean }>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const graph = await lockGraph(tx, graphId);
    if (!graph) return;
    const { events, ends } = await write(tx, graph);
    if (events.length === 0 && !ends) return;
    const key = graphStream(graphId);
    const head = await ctx.streams.head(tx, key);
    if (!head) return;
    if (head.closed) await ctx.streams.reopen(tx, key, { event: 'expand_requested', data: {} });
    await ctx.streams.append(tx, key, ends ? [...events, { event: 'done', data: {} }] : events, { close: ends });
  });
}

const requested = (nodeId: string): NewEvent => ({ event: 'expand_requested', data: { node_id: nodeId } });
