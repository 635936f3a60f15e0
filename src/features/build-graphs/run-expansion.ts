import { definePipeline, type Stage } from '#platform/runs/define-pipeline.ts';
import { defineRun } from '#platform/runs/define-run.ts';
import type { AppContext } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { choiceOfGraph, plannerOf } from './engine.ts';
import { graphStream, nodeExpansion } from './events.ts';
import { deleteExpansion, findExpansion, findGraph, type Graph } from './graph-store.ts';
import { loadMaterial } from './material.ts';
import { countChildren, findNode, resetExpanding, type NodeRow } from './node-store.ts';
import type { Material, Plan, Planner } from './planner.ts';
import { endOf, planParts, startOf, tellStart, writeParts } from './take-apart.ts';

type Asked = { id: string; graph: Graph; node: NodeRow };
type ExpansionRun = { ctx: Pick<AppContext, 'db'>; node: NodeRow; planner: Planner; material: Material };

/** Decides on the parts; null for a node that was taken apart before. */
const parts = {
  name: 'parts',
  run: async ({ ctx, node, planner, material }, _before, stage) => {
    if (node.expanded_at) return null;
    await stage.keep((tx) => tellStart(tx, node));
    const [plan] = await planParts(ctx.db, planner, material, [node], stage, { orByRules: false });
    return plan ?? null;
  },
} as const satisfies Stage<ExpansionRun, unknown, Plan | null>;

/** One node that somebody asked to be taken apart. */
export const expanding = defineRun({
  name: 'node-expansion',
  noun: 'expansion',
  job: nodeExpansion,
  find: (db, { expansionId }) => findAsked(db, expansionId),
  streamOf: ({ graphId }) => graphStream(graphId),
  keyOf: ({ graphId, expansionId }) => `${graphStream(graphId)}/expansion:${expansionId}`,
  userOf: ({ graph }) => graph.user_id,
  // It is worked as its graph was, and leaves what the graph says of itself.
  engine: { of: ({ graph }) => choiceOfGraph(graph), settle: async (_db, _row, choice) => choice },
  pipeline: definePipeline<ExpansionRun>('node-expansion').stage(parts).build(),
  open: async (ctx, { graph, node }, { model }) => ({ ctx, node, planner: plannerOf(model), material: await loadMaterial(ctx.db, graph) }),
  announce: () => [],
  complete: async (_ctx, tx, { id, node }, { outputs, warnings }) => {
    if (!(await deleteExpansion(tx, id))) return [];
    if (outputs.parts) return writeParts(tx, node, outputs.parts, warnings);
    // Asked for again: what is there stays, and the reader is told how much it is.
    return [startOf(node), endOf(node, await countChildren(tx, node), warnings)];
  },
  fail: async (_ctx, tx, { id, node }) => {
    if (await deleteExpansion(tx, id)) await resetExpanding(tx, node.id);
  },
});

async function findAsked(db: Db | Tx, id: string): Promise<Asked | null> {
  const expansion = await findExpansion(db, id);
  const graph = expansion ? await findGraph(db, expansion.graph_id) : null;
  const node = expansion ? await findNode(db, expansion.node_id) : null;
  return graph && node ? { id, graph, node } : null;
}
