import { malformed, notFound } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { daysOfEffort } from './effort.ts';
import { findOwnedNode, patchNode, type NodeRow } from './node-store.ts';
import { treeOfGraph } from './present-graph.ts';
import type { BuildNode, PatchNode } from './schema.ts';
import { findInTree } from './tree.ts';

/** @throws AppError 404 when it is missing or another user's */
export async function ownedNode({ db }: Needs<'db'>, principal: Principal, id: string): Promise<NodeRow> {
  const node = await findOwnedNode(db, principal.userId, id);
  if (!node) throw notFound('Build node');
  return node;
}

/**
 * Changes what a person may know better than the plan; gives the node with what is below it.
 * @throws AppError 400 without a field, 404 when it is not the caller's
 */
export async function updateNode(ctx: Needs<'db'>, principal: Principal, id: string, change: PatchNode): Promise<BuildNode> {
  if (Object.keys(change).length === 0) throw malformed('name, description, risk, effort or sort_order: at least one is required');
  const node = await ownedNode(ctx, principal, id);
  await patchNode(ctx.db, id, {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.risk === undefined ? {} : { risk: change.risk }),
    ...(change.sort_order === undefined ? {} : { sortOrder: change.sort_order }),
    ...(change.effort === undefined
      ? {}
      : { effort: { effort: change.effort, ...daysOfEffort(change.effort, { low: node.days_low, high: node.days_high }) } }),
  });
  const changed = findInTree(await treeOfGraph(ctx, node.graph_id), id);
  if (!changed) throw notFound('Build node');
  return changed;
}
