import { conflict, notFound } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { graphStream } from './events.ts';
import { GraphFull, hasRoom, insertExpansion, isExpansionWaiting, lockGraph } from './graph-store.ts';
import { findOwnedNode } from './node-store.ts';
import { expanding } from './run-expansion.ts';

/**
 * Queues a node to be taken apart. What happens is told on the graph's own stream: when that had ended it goes on after
 * its last number, so that a reader who comes back with its cursor sees it, and `done` is last again when it is over.
 * @throws AppError 404 for a node that is not the caller's; 409 before the graph is ready, for a leaf and in a graph that is full
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
    if (node.node_status === 'leaf') throw conflict('This node is a leaf, one piece of work: it cannot be taken apart');
    // It is told once, to whoever asked.
    if (await isExpansionWaiting(tx, nodeId)) return;
    if (!node.expanded_at && !(await hasRoom(tx, graph))) throw conflict(new GraphFull().message);
    await insertExpansion(tx, { id: expansionId, graphId: graph.id, nodeId });
    await ctx.streams.reopen(tx, graphStream(graph.id), { event: 'expand_requested', data: { node_id: nodeId } });
    await expanding.begin(ctx, tx, { expansionId, graphId: graph.id });
  });
  return { nodeId, graphId: node.graph_id };
}
