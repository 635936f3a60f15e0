import { insertCards } from '#features/cards';
import { moveProject } from '#features/projects';
import type { AppContext } from '#platform/context.ts';
import { isUnreachable, type Tx } from '#platform/db/database.ts';
import { ModelError } from '#platform/llm/models.ts';
import { runPipeline, type RunRecord, type UsageByStage } from '#platform/pipelines/run-pipeline.ts';
import { analystFor, chooseEngine, type KeyReader } from './engine.ts';
import { ResearchCompleted, ResearchFailed, researchStream } from './events.ts';
import { researchPipeline, type ResearchRun } from './pipeline.ts';
import { hasCompleted } from './project-research-store.ts';
import { completeJob, enteringStage, failJob, findJob, settleEngine, type JobRow } from './research-store.ts';
import { RunFailure } from './run-failure.ts';
import type { ResearchArtifact, RunError } from './schema.ts';
import { sectionCards } from './section-cards.ts';

type Outputs = NonNullable<typeof researchPipeline.types>['outputs'];

/** Works one research job to its end, from wherever an earlier worker left it. */
export async function runResearch(ctx: AppContext, jobId: string, readKeys: KeyReader, signal: AbortSignal): Promise<void> {
  const job = await findJob(ctx.db, jobId);
  if (!job || job.status === 'completed' || job.status === 'failed') return;
  let keys: ReturnType<KeyReader> | undefined;
  const readOnce: KeyReader = (userId) => (keys ??= readKeys(userId));
  const engine = job.engine ?? (await settleEngine(ctx.db, jobId, await chooseEngine(ctx, job.user_id, readOnce)));
  try {
    const analyst = await analystFor(ctx, engine, job.user_id, readOnce);
    await runPipeline(ctx, researchPipeline, recordOf(ctx, { ctx, job, analyst }), signal);
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    await abandonResearch(ctx, jobId, error);
  }
}

/** Ends a run that its workers gave up on, so that nobody waits for it. */
export async function abandonResearch(ctx: AppContext, jobId: string, error: unknown): Promise<void> {
  const job = await findJob(ctx.db, jobId);
  if (!job || job.status === 'completed' || job.status === 'failed') return;
  await ctx.db.transaction().execute(async (tx) => {
    const events = await fail(ctx, tx, job, error, job.pipeline_stage);
    await ctx.streams.append(tx, researchStream(jobId), [...events, { event: 'done', data: {} }], { close: true });
  });
}

function recordOf(ctx: AppContext, run: ResearchRun): RunRecord<ResearchRun, Outputs> {
  const { job } = run;
  return {
    key: researchStream(job.id),
    input: run,
    entering: (stage) => enteringStage(job.id, stage),
    complete: (tx, outputs, usage) => complete(ctx, tx, job, outputs, usage),
    fail: (tx, error, stage) => fail(ctx, tx, job, error, stage),
    isTransient: isUnreachable,
  };
}

async function complete(ctx: AppContext, tx: Tx, job: JobRow, outputs: Outputs, usage: UsageByStage) {
  const artifact: ResearchArtifact = { ...outputs.persist.artifact, usage };
  const outcome = { artifact, categoryIds: outputs.interpret.categoryIds, embedding: outputs.persist.embedding };
  const current = (await completeJob(tx, job.id, outcome)) ?? (await findJob(tx, job.id)) ?? job;
  const owner = { userId: current.user_id, projectId: current.project_id };
  await insertCards(tx, { ...owner, researchJobId: job.id, source: 'research' }, sectionCards(artifact));
  if (owner.projectId) await moveProject(tx, owner.projectId, 'research_completed', { qualityScore: artifact.recommendation.score });
  await ctx.events.publish(tx, ResearchCompleted, { jobId: job.id, ...owner, mode: job.mode, score: artifact.recommendation.score });
  return [{ event: 'result', data: artifact }];
}

async function fail(ctx: AppContext, tx: Tx, job: JobRow, thrown: unknown, stage: string) {
  const error = errorOf(thrown, stage);
  const current = (await findJob(tx, job.id)) ?? job;
  const owner = { userId: current.user_id, projectId: current.project_id };
  await failJob(tx, job.id, error);
  if (owner.projectId) {
    const earlier = await hasCompleted(tx, owner.projectId);
    await moveProject(tx, owner.projectId, earlier ? 'research_failed_after_another' : 'research_failed_before_any');
  }
  await ctx.events.publish(tx, ResearchFailed, { jobId: job.id, ...owner, code: error.code, message: error.message, retryable: error.retryable });
  return [{ event: 'error', data: error }];
}

function errorOf(thrown: unknown, stage: string): RunError {
  if (thrown instanceof RunFailure) return thrown.error;
  if (thrown instanceof ModelError) {
    const code = thrown.reason === 'timeout' ? 'LLM_TIMEOUT' : 'LLM_FAILED';
    return { code, message: `The language model failed during ${stage}: ${thrown.message}`, retryable: thrown.reason !== 'refused' };
  }
  return { code: 'PIPELINE_ERROR', message: `The research failed during ${stage}.`, retryable: true };
}
