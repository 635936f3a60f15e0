import type { Stage } from '#platform/runs/define-pipeline.ts';
import { BuildGraphReady } from '../events.ts';
import { countRepairs, findGraph, markReady } from '../graph-store.ts';
import { countRoots, insertNodes } from '../node-store.ts';
import type { GraphRun } from '../graph-run.ts';
import type { Plan } from '../planner.ts';
import { createdEvent } from '../take-apart.ts';

/** Writes the roots one after the other, each with its event; with the last one there the graph is ready. */
export const roots = {
  name: 'roots',
  run: async ({ ctx, graph }, { plan }, stage) => {
    for (const node of plan.nodes) {
      stage.signal.throwIfAborted();
      await stage.keep(async (tx) => (await insertNodes(tx, graph.id, null, [node])).map(createdEvent));
    }
    await stage.keep(async (tx) => {
      const durationMs = await markReady(tx, graph.id);
      const current = await findGraph(tx, graph.id);
      if (durationMs === null || !current) return [];
      const rootCount = await countRoots(tx, graph.id);
      await countRepairs(tx, graph.id, plan);
      const { user_id: userId, project_id: projectId, title, source } = current;
      await ctx.events.publish(tx, BuildGraphReady, { graphId: graph.id, userId, projectId, title, rootCount, durationMs, source });
      return [{ event: 'graph_ready', data: { graph_id: graph.id, root_count: rootCount, duration_ms: durationMs } }];
    });
    return { count: plan.nodes.length };
  },
} as const satisfies Stage<GraphRun, { plan: Plan }, { count: number }>;
