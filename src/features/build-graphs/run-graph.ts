import type { KeyReader } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { isUnreachable, type Tx } from '#platform/db/database.ts';
import { ModelError } from '#platform/llm/models.ts';
import { runPipeline, type RunRecord, type StageStatus } from '#platform/pipelines/run-pipeline.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';
import { chooseEngine, plannerFor } from './engine.ts';
import { BuildGraphCompleted, BuildGraphFailed, graphStream } from './events.ts';
import { enteringStage, findGraph, hasExpansions, lockGraph, markCompleted, markFailed, settleEngine, type Graph } from './graph-store.ts';
import { loadMaterial } from './material.ts';
import { graphPipeline, type GraphRun } from './pipeline.ts';
import type { PlanError } from './schema.ts';

type Outputs = NonNullable<typeof graphPipeline.types>['outputs'];

/** Plans one graph to its end, from wherever an earlier worker left it. */
export async function runGraph(ctx: AppContext, graphId: string, readKeys: KeyReader, signal: AbortSignal): Promise<void> {
  const graph = await findGraph(ctx.db, graphId);
  if (!graph || graph.status === 'failed' || graph.completed_at) return;
  const engine = graph.engine ?? (await settleEngine(ctx.db, graphId, await chooseEngine(ctx, graph.user_id, readKeys)));
  const planner = await plannerFor(ctx, engine, graph.user_id, readKeys);
  const material = await loadMaterial(ctx.db, graph);
  await runPipeline(ctx, graphPipeline, recordOf(ctx, { ctx, graph, planner, material }), signal);
}

/** Ends a run that its workers gave up on, so that nobody waits for it. */
export async function abandonGraph(ctx: AppContext, graphId: string, error: unknown): Promise<void> {
  const graph = await findGraph(ctx.db, graphId);
  if (!graph || graph.status === 'failed' || graph.completed_at) return;
  await ctx.db.transaction().execute(async (tx) => {
    const events = await fail(ctx, tx, graph, error);
    await ctx.streams.append(tx, graphStream(graphId), [...events, { event: 'done', data: {} }], { close: true });
  });
}

function recordOf(ctx: AppContext, run: GraphRun): RunRecord<GraphRun, Outputs> {
  const { graph } = run;
  return {
    key: graphStream(graph.id),
    input: run,
    entering: () => enteringStage(graph.id),
    announce,
    complete: (tx) => complete(ctx, tx, graph),
    fail: (tx, error) => fail(ctx, tx, graph, error),
    // Somebody asked for more while this run went on: the stream ends when that is done.
    endsStream: async (tx) => !(await hasExpansions(tx, graph.id)),
    isTransient: isUnreachable,
  };
}

/** The interface knows one stage, `llm`, whatever plans: it covers deciding on the roots and writing them. */
function announce(stage: string, status: StageStatus): NewEvent[] {
  if (stage === 'plan' && status === 'started') return [{ event: 'stage', data: { name: 'llm', status: 'started' } }];
  if (stage === 'roots' && status === 'completed') return [{ event: 'stage', data: { name: 'llm', status: 'completed' } }];
  return [];
}

async function complete(ctx: AppContext, tx: Tx, graph: Graph): Promise<NewEvent[]> {
  const current = (await lockGraph(tx, graph.id)) ?? graph;
  await markCompleted(tx, graph.id);
  const { user_id: userId, project_id: projectId, title } = current;
  await ctx.events.publish(tx, BuildGraphCompleted, { graphId: graph.id, userId, projectId, title });
  return [];
}

async function fail(ctx: AppContext, tx: Tx, graph: Graph, thrown: unknown): Promise<NewEvent[]> {
  const error = errorOf(thrown);
  const current = (await lockGraph(tx, graph.id)) ?? graph;
  const { user_id: userId, project_id: projectId } = current;
  // A graph that is ready stays so: what is missing can be asked for node by node.
  if (await markFailed(tx, graph.id, error)) await ctx.events.publish(tx, BuildGraphFailed, { graphId: graph.id, userId, projectId, ...error });
  else await markCompleted(tx, graph.id);
  return [{ event: 'error', data: error }];
}

export function errorOf(thrown: unknown): PlanError {
  if (thrown instanceof ModelError) {
    const code = thrown.reason === 'timeout' ? 'LLM_TIMEOUT' : 'LLM_FAILED';
    return {
      code,
      message: `The language model failed while planning: ${thrown.message}`,
      retryable: thrown.reason === 'timeout' || thrown.reason === 'unavailable',
    };
  }
  return { code: 'PIPELINE_ERROR', message: 'The plan could not be made.', retryable: true };
}
