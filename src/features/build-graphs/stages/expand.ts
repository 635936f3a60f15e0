import type { KeepingRun, Stage } from '#platform/runs/define-pipeline.ts';
import { GraphFull } from '../graph-store.ts';
import { listToExpand, resetExpanding, type NodeRow } from '../node-store.ts';
import type { GraphRun } from '../graph-run.ts';
import type { Plan } from '../planner.ts';
import { endOf, planParts, tellStart, writeParts } from '../take-apart.ts';

/** Takes the largest roots apart: all of them are planned together and kept, then each is written by itself. */
export const expand = {
  name: 'expand',
  run: async (run, _before, stage) => {
    const { ctx, graph, planner, material } = run;
    const waiting = await listToExpand(ctx.db, graph.id, 0);
    if (waiting.length === 0) return { count: 0 };
    for (const node of waiting) await stage.keep((tx) => tellStart(tx, node));
    const planned = await stage.part('parts', async (part) => {
      const plans = await planParts(ctx.db, planner, material, waiting, part, { orByRules: true });
      return { output: waiting.map(({ id }, at) => ({ id, plan: plans[at] })), events: [] };
    });
    for (const node of waiting) await expandOne(node, planned.find(({ id }) => id === node.id)?.plan, stage);
    return { count: waiting.length };
  },
} as const satisfies Stage<GraphRun, unknown, { count: number }>;

async function expandOne(node: NodeRow, plan: Plan | undefined, stage: KeepingRun): Promise<void> {
  stage.signal.throwIfAborted();
  try {
    if (plan) return await stage.keep((tx) => writeParts(tx, node, plan));
  } catch (error) {
    if (!(error instanceof GraphFull)) throw error;
  }
  await stage.keep(async (tx) => {
    await resetExpanding(tx, node.id);
    return [endOf(node, 0)];
  });
}
