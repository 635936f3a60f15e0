import { chooseEngine, findOwnedJob, modelOf, readArtifact, type KeyReader, type ResearchArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { isUnreachable, type Tx } from '#platform/db/database.ts';
import { ModelError } from '#platform/llm/models.ts';
import { runPipeline, type RunRecord } from '#platform/pipelines/run-pipeline.ts';
import type { FeatureAnalyst } from './analyst.ts';
import { FeatureResearchCompleted, FeatureResearchFailed, featureResearchStream } from './events.ts';
import { completeJob, enteringStage, failJob, findFeatureResearch, settleEngine, type FeatureResearchRow } from './feature-research-store.ts';
import { modelAnalyst } from './model-analyst/model-analyst.ts';
import { featureResearchPipeline, type FeatureResearchRun } from './pipeline.ts';
import { presentResults } from './present-feature-research.ts';
import { ruleAnalyst } from './rule-analyst/rule-analyst.ts';
import { FeatureResearchResults, type RunError } from './schema.ts';

type Outputs = NonNullable<typeof featureResearchPipeline.types>['outputs'];

/** Works one feature research to its end, from wherever an earlier worker left it. */
export async function runFeatureResearch(ctx: AppContext, id: string, readKeys: KeyReader, signal: AbortSignal): Promise<void> {
  const job = await findFeatureResearch(ctx.db, id);
  if (!job || job.status === 'completed' || job.status === 'failed') return;
  const [analyst, research] = [await analystOf(ctx, job, readKeys), await linkedResearch(ctx, job)];
  await runPipeline(ctx, featureResearchPipeline, recordOf(ctx, { ctx, job, research, analyst }), signal);
}

/** Ends a run that its workers gave up on, so that nobody waits for it. */
export async function abandonFeatureResearch(ctx: AppContext, id: string, error: unknown): Promise<void> {
  const job = await findFeatureResearch(ctx.db, id);
  if (!job || job.status === 'completed' || job.status === 'failed') return;
  await ctx.db.transaction().execute(async (tx) => {
    const events = await fail(ctx, tx, id, error, job.pipeline_stage);
    await ctx.streams.append(tx, featureResearchStream(id), [...events, { event: 'done', data: {} }], { close: true });
  });
}

async function analystOf(ctx: AppContext, job: FeatureResearchRow, readKeys: KeyReader): Promise<FeatureAnalyst> {
  const engine = job.engine ?? (await settleEngine(ctx.db, job.id, await chooseEngine(ctx, job.user_id, readKeys)));
  const model = await modelOf(ctx, engine, job.user_id, readKeys);
  return model ? modelAnalyst(model, ruleAnalyst(), ctx.log) : ruleAnalyst();
}

async function linkedResearch({ db }: AppContext, { research_id: id, user_id: userId }: FeatureResearchRow): Promise<ResearchArtifact | null> {
  const research = id ? await findOwnedJob(db, userId, id) : null;
  return research?.status === 'completed' ? readArtifact(db, research.id) : null;
}

function recordOf(ctx: AppContext, run: FeatureResearchRun): RunRecord<FeatureResearchRun, Outputs> {
  const { id } = run.job;
  return {
    key: featureResearchStream(id),
    input: run,
    entering: (stage) => enteringStage(id, stage),
    complete: (tx, outputs) => complete(ctx, tx, id, outputs),
    fail: (tx, error, stage) => fail(ctx, tx, id, error, stage),
    isTransient: isUnreachable,
  };
}

async function complete(ctx: AppContext, tx: Tx, id: string, { synthesize }: Outputs) {
  const row = await completeJob(tx, id, synthesize);
  if (!row) return [];
  await ctx.events.publish(tx, FeatureResearchCompleted, {
    featureResearchId: id,
    userId: row.user_id,
    projectId: row.project_id,
    researchId: row.research_id,
    score: synthesize.quality.overall_score,
    durationMs: Math.max(0, (row.completed_at?.getTime() ?? 0) - row.created_at.getTime()),
  });
  return [{ event: 'result', data: FeatureResearchResults.parse(presentResults(row, synthesize)) }];
}

async function fail(ctx: AppContext, tx: Tx, id: string, thrown: unknown, stage: string) {
  const error = errorOf(thrown, stage);
  const row = await failJob(tx, id, error);
  if (row) {
    const { user_id: userId, project_id: projectId } = row;
    await ctx.events.publish(tx, FeatureResearchFailed, { featureResearchId: id, userId, projectId, stage, ...error });
  }
  return [{ event: 'error', data: error }];
}

function errorOf(thrown: unknown, stage: string): RunError {
  const why = thrown instanceof ModelError ? `: the language model failed, ${thrown.message}` : '';
  return {
    code: 'PIPELINE_ERROR',
    message: `The feature research failed during ${stage}${why}.`,
    retryable: !(thrown instanceof ModelError && thrown.reason === 'refused'),
  };
}
