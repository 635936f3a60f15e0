import type { AppContext } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { defineRun } from '#platform/runs/define-run.ts';
import type { RunError } from '#lib/run-failure.ts';
import type { StageStatus } from '#platform/runs/run-pipeline.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';
import { choiceOf } from '#features/research';
import { choiceOfGraph, plannedBy, plannerOf } from './engine.ts';
import { BuildGraphCompleted, BuildGraphFailed, graphRun, graphStream } from './events.ts';
import { enteringStage, findUnderWay, lockGraph, markCompleted, markFailed, settleEngine, type Graph } from './graph-store.ts';
import { loadMaterial } from './material.ts';
import { graphPipeline } from './pipeline.ts';

/** The planning of one graph, from its features to all its nodes. */
export const planning = defineRun({
  name: 'build-graph',
  noun: 'plan',
  job: graphRun,
  find: (db, { graphId }) => findUnderWay(db, graphId),
  streamOf: ({ graphId }) => graphStream(graphId),
  userOf: (graph) => graph.user_id,
  engine: {
    of: (graph) => choiceOfGraph(graph),
    settle: async (db, { id }, choice, replace) => choiceOf(await settleEngine(db, id, plannedBy(choice), replace)),
  },
  pipeline: graphPipeline,
  open: async (ctx, graph, { model }) => ({ ctx, graph, planner: plannerOf(model), material: await loadMaterial(ctx.db, graph) }),
  entering: ({ id }) => enteringStage(id),
  announce,
  complete: (ctx, tx, graph, { warnings }) => complete(ctx, tx, graph, warnings),
  fail,
});

/** The interface knows one stage, `llm`, whatever plans: it covers deciding on the roots and writing them. */
function announce(stage: string, status: StageStatus): NewEvent[] {
  if (stage === 'plan' && status === 'started') return [{ event: 'stage', data: { name: 'llm', status: 'started' } }];
  if (stage === 'roots' && status === 'completed') return [{ event: 'stage', data: { name: 'llm', status: 'completed' } }];
  return [];
}

async function complete(ctx: AppContext, tx: Tx, graph: Graph, warnings: readonly string[]): Promise<NewEvent[]> {
  const current = (await lockGraph(tx, graph.id)) ?? graph;
  await markCompleted(tx, graph.id, warnings);
  const { user_id: userId, project_id: projectId, title } = current;
  await ctx.events.publish(tx, BuildGraphCompleted, { graphId: graph.id, userId, projectId, title });
  return [];
}

async function fail(ctx: AppContext, tx: Tx, graph: Graph, error: RunError): Promise<void> {
  const current = (await lockGraph(tx, graph.id)) ?? graph;
  const { user_id: userId, project_id: projectId } = current;
  // A graph that is ready stays so: what is missing can be asked for node by node.
  if (await markFailed(tx, graph.id, error)) await ctx.events.publish(tx, BuildGraphFailed, { graphId: graph.id, userId, projectId, ...error });
  else await markCompleted(tx, graph.id, []);
}
