import { ModelError } from '#platform/llm/models.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';
import { countRepairs } from './graph-store.ts';
import { countChildren, finishExpanding, insertNodes, readAround, startExpanding, type NodeRow } from './node-store.ts';
import { byRules } from './model-planner/model-planner.ts';
import type { Material, NodeView, Plan, PlannedNode, Planner, PlanRun } from './planner.ts';
import { DEEPEST, MOST_PARTS } from './states.ts';
import { eventFields } from './tree.ts';

/** Tells that a node is being taken apart, once however often it is tried. */
export async function tellStart(tx: Tx, node: NodeRow): Promise<NewEvent[]> {
  return (await startExpanding(tx, node.id)) ? [startOf(node)] : [];
}

/**
 * Writes a node's parts and tells of each and of the end; nothing when another worker finished it.
 * @throws GraphFull when the graph would have too many nodes
 */
export async function writeParts(tx: Tx, node: NodeRow, plan: Plan, warnings: readonly string[] = []): Promise<NewEvent[]> {
  const written = await insertNodes(tx, node.graph_id, node, boundedParts(node, plan));
  const children = await countChildren(tx, node);
  if (!(await finishExpanding(tx, node.id, children))) return written.map(createdEvent);
  await countRepairs(tx, node.graph_id, plan);
  return [...written.map(createdEvent), endOf(node, children, warnings)];
}

/** A plan's order lets its first nodes stand without the others. */
function boundedParts({ depth }: NodeRow, { nodes }: Plan): PlannedNode[] {
  const parts = nodes.slice(0, MOST_PARTS);
  return depth + 1 < DEEPEST ? parts : parts.map((part) => ({ ...part, expands: 'never' }));
}

/** The parts of each node; with `orByRules`, a model that fails is stood in for by the rules. */
export async function planParts(
  db: Db,
  planner: Planner,
  material: Material,
  nodes: readonly NodeRow[],
  run: PlanRun,
  options: { orByRules: boolean },
): Promise<Plan[]> {
  const views = await Promise.all(nodes.map((node) => viewWithin(db, node)));
  try {
    return await planner.children(material, views, run);
  } catch (error) {
    if (!options.orByRules || !(error instanceof ModelError)) throw error;
    run.signal.throwIfAborted();
    return views.map((view) => byRules(material, view, 0));
  }
}

/** A node with what stands above it and what waits for it. */
export const viewWithin = async (db: Db, node: NodeRow): Promise<NodeView> => viewOf(node, await readAround(db, node));

/** A node as a planner sees it. @param around nothing for a planner that looks at the node alone */
export function viewOf(node: NodeRow, around: Pick<NodeView, 'path' | 'dependents' | 'beside'> = { path: [], dependents: [], beside: [] }): NodeView {
  return {
    key: node.node_key,
    name: node.name,
    description: node.description,
    depth: node.depth,
    risk: node.risk,
    riskReasons: node.risk_reasons,
    mitigations: node.mitigations,
    days: { low: node.days_low, high: node.days_high },
    acceptance: node.acceptance_criteria,
    featureIds: node.feature_ids,
    evidenceIds: node.evidence_ids,
    origin: node.origin,
    ...around,
  };
}

export const createdEvent = (row: NodeRow): NewEvent => ({ event: 'node_created', data: eventFields(row) });
export const startOf = ({ id, depth }: NodeRow): NewEvent => ({ event: 'expand_start', data: { node_id: id, depth } });
export const endOf = ({ id }: NodeRow, children: number, warnings: readonly string[] = []): NewEvent => ({
  event: 'expand_done',
  data: { node_id: id, children_count: children, ...(warnings.length > 0 ? { warnings } : {}) },
});
