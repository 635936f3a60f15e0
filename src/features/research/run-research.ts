import { insertCards } from '#features/cards';
import { moveProject, takeBackProject, type MadeProject } from '#features/projects';
import type { AppContext } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { defineRun } from '#platform/runs/define-run.ts';
import type { RunError } from '#lib/run-failure.ts';
import { analystOf, choiceOf, engineOf } from './engine.ts';
import { ResearchCompleted, ResearchFailed, researchRun, researchStream } from './events.ts';
import { storedInterpretation } from './interpretation/stored-interpretation.ts';
import { researchPipeline } from './pipeline.ts';
import { hasCompleted, holdsNoOther, setProject } from './project-research-store.ts';
import { resultFor } from './project-result.ts';
import { completeJob, enteringStage, failJob, findJob, findUnderWay, settleEngine, type JobRow } from './research-store.ts';
import type { ResearchArtifact } from './schema.ts';
import { sectionCards } from './section-cards.ts';
import type { Reading } from './stages/interpret.ts';
import type { NewEvent } from '#platform/streams/event-log.ts';

/** A job with the project that was made for it alone, which a text that is refused takes with it. */
type Worked = JobRow & { made: MadeProject | undefined };

/** One research job, from its idea to its artifact. */
export const researching = defineRun({
  name: 'research',
  noun: 'research',
  job: researchRun,
  find: async (db, { jobId, made }): Promise<Worked | null> => {
    const job = await findUnderWay(db, jobId);
    return job && { ...job, made };
  },
  streamOf: ({ jobId }) => researchStream(jobId),
  userOf: (job) => job.user_id,
  engine: {
    of: ({ engine }) => (engine ? choiceOf(engine) : undefined),
    settle: async (db, { id }, choice, replace) => choiceOf(await settleEngine(db, id, engineOf(choice), replace)),
  },
  pipeline: researchPipeline,
  open: async (ctx, job, { model, warnings }) => ({ ctx, job, analyst: analystOf(model), warnings }),
  entering: ({ id }, stage, left) => enteringStage(id, stage, left?.stage === 'interpret' ? writtenOf(left.output as Reading) : null),
  announce: (name, status, output) => [
    { event: 'stage', data: { name, status } },
    ...(name === 'interpret' && status === 'completed' ? interpretationOf(output as Reading) : []),
  ],
  stageOf: (job) => job.pipeline_stage,
  complete: (ctx, tx, job, { outputs, usage }) => {
    const artifact: ResearchArtifact = { ...outputs.persist.artifact, usage };
    return complete(ctx, tx, job, { artifact, categoryIds: outputs.interpret.categoryIds, embedding: outputs.persist.embedding });
  },
  fail,
});

const interpretationOf = ({ described }: Reading): NewEvent[] => (described ? [{ event: 'interpretation', data: described }] : []);

/** A run that an older version began has nothing to store. */
function writtenOf({ described, ...reading }: Reading): string | null {
  return described ? storedInterpretation.write({ reading, described }) : null;
}

async function complete(ctx: AppContext, tx: Tx, job: JobRow, outcome: Parameters<typeof completeJob>[2]) {
  const { artifact } = outcome;
  const current = (await completeJob(tx, job.id, outcome)) ?? (await findJob(tx, job.id)) ?? job;
  const owner = { userId: current.user_id, projectId: current.project_id };
  await insertCards(tx, { ...owner, researchJobId: job.id, source: 'research' }, sectionCards(artifact));
  if (owner.projectId) await moveProject(tx, owner.projectId, 'research_completed', resultFor(job.idea, artifact));
  await ctx.events.publish(tx, ResearchCompleted, { jobId: job.id, ...owner, mode: job.mode, score: artifact.recommendation.score ?? 0 });
  return [{ event: 'result', data: artifact }];
}

async function fail(ctx: AppContext, tx: Tx, { made, ...job }: Worked, error: RunError) {
  const current = (await findJob(tx, job.id)) ?? job;
  await failJob(tx, job.id, error);
  const isTakenBack = error.code === 'EMPTY_INPUT' && made !== undefined && (await takeBack(ctx, tx, current, made));
  const owner = { userId: current.user_id, projectId: isTakenBack ? null : current.project_id };
  if (owner.projectId) {
    const earlier = await hasCompleted(tx, owner.projectId);
    await moveProject(tx, owner.projectId, earlier ? 'research_failed_after_another' : 'research_failed_before_any');
  }
  await ctx.events.publish(tx, ResearchFailed, { jobId: job.id, ...owner, code: error.code, message: error.message, retryable: error.retryable });
}

/** Removes the project that was made for this research alone; the research stays, so that its end can be read. */
async function takeBack(ctx: AppContext, tx: Tx, job: JobRow, made: MadeProject): Promise<boolean> {
  if (job.project_id !== made.id || !(await holdsNoOther(tx, made.id, job.id)) || !(await takeBackProject(ctx, tx, made))) return false;
  return setProject(tx, job.user_id, job.id, null);
}
