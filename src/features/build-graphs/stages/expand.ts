import type { KeepingRun, Stage } from '#platform/runs/define-pipeline.ts';
import { GraphFull, hasEnough } from '../graph-store.ts';
import { listToExpand, resetExpanding, type NodeRow } from '../node-store.ts';
import type { GraphRun } from '../graph-run.ts';
import { DEPTHS, SIDE_BY_SIDE } from '../states.ts';
import { endOf, planParts, tellStart, writeParts } from '../take-apart.ts';

/** Takes the nodes apart level by level, those of one level side by side; each node's parts are kept as they come. */
export const expand = {
  name: 'expand',
  run: async (run, _before, stage) => {
    let count = 0;
    for (const depth of DEPTHS) {
      const waiting = await listToExpand(run.ctx.db, run.graph.id, depth);
      count += waiting.length;
      const next = async (): Promise<void> => {
        for (let node = waiting.shift(); node; node = waiting.shift()) await expandOne(run, node, stage);
      };
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
    }
    return { count };
  },
} as const satisfies Stage<GraphRun, unknown, { count: number }>;

async function expandOne({ ctx, planner, material }: GraphRun, node: NodeRow, stage: KeepingRun): Promise<void> {
  stage.signal.throwIfAborted();
  if (await hasEnough(ctx.db, node.graph_id)) return;
  await stage.keep((tx) => tellStart(tx, node));
  const plan = await planParts(ctx.db, planner, material, node, stage, { orByRules: true });
  try {
    await stage.keep((tx) => writeParts(tx, node, plan));
  } catch (error) {
    if (!(error instanceof GraphFull)) throw error;
    await stage.keep(async (tx) => {
      await resetExpanding(tx, node.id);
      return [endOf(node, 0)];
    });
  }
}
