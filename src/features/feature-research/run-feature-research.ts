import { choiceOf, engineOf, findOwnedJob, readArtifact, type ResearchArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { defineRun } from '#platform/runs/define-run.ts';
import type { RunError } from '#lib/run-failure.ts';
import { FeatureResearchCompleted, FeatureResearchFailed, featureResearchRun, featureResearchStream } from './events.ts';
import { completeJob, enteringStage, failJob, findUnderWay, settleEngine, type FeatureResearchRow } from './feature-research-store.ts';
import { modelAnalyst } from './model-analyst/model-analyst.ts';
import { featureResearchPipeline } from './pipeline.ts';
import { presentResults } from './present-feature-research.ts';
import { ruleAnalyst } from './rule-analyst/rule-analyst.ts';
import { FeatureResearchResults, type Findings } from './schema.ts';

/** One feature research, from its list of features to what is known of each. */
export const researchingFeatures = defineRun({
  name: 'feature-research',
  noun: 'feature research',
  job: featureResearchRun,
  find: (db, { id }) => findUnderWay(db, id),
  streamOf: ({ id }) => featureResearchStream(id),
  userOf: (job) => job.user_id,
  engine: {
    of: ({ engine }) => (engine ? choiceOf(engine) : undefined),
    settle: async (db, { id }, choice, replace) => choiceOf(await settleEngine(db, id, engineOf(choice), replace)),
  },
  pipeline: featureResearchPipeline,
  open: async (ctx, job, { model, warnings }) => ({
    ctx,
    job,
    research: await linkedResearch(ctx, job),
    analyst: model ? modelAnalyst(model, ruleAnalyst(), ctx.log) : ruleAnalyst(),
    warnings,
  }),
  entering: ({ id }, stage) => enteringStage(id, stage),
  stageOf: (job) => job.pipeline_stage,
  complete: (ctx, tx, { id }, { outputs }) => complete(ctx, tx, id, outputs.synthesize),
  fail: (ctx, tx, { id }, error, stage) => fail(ctx, tx, id, error, stage),
});

async function linkedResearch({ db }: AppContext, { research_id: id, user_id: userId }: FeatureResearchRow): Promise<ResearchArtifact | null> {
  const research = id ? await findOwnedJob(db, userId, id) : null;
  return research?.status === 'completed' ? readArtifact(db, research.id) : null;
}

async function complete(ctx: AppContext, tx: Tx, id: string, findings: Findings) {
  const row = await completeJob(tx, id, findings);
  if (!row) return [];
  await ctx.events.publish(tx, FeatureResearchCompleted, {
    featureResearchId: id,
    userId: row.user_id,
    projectId: row.project_id,
    researchId: row.research_id,
    score: findings.quality.overall_score,
    durationMs: Math.max(0, (row.completed_at?.getTime() ?? 0) - row.created_at.getTime()),
  });
  return [{ event: 'result', data: FeatureResearchResults.parse(presentResults(row, findings)) }];
}

async function fail(ctx: AppContext, tx: Tx, id: string, error: RunError, stage: string): Promise<void> {
  const row = await failJob(tx, id, error);
  if (!row) return;
  const { user_id: userId, project_id: projectId } = row;
  await ctx.events.publish(tx, FeatureResearchFailed, { featureResearchId: id, userId, projectId, stage, ...error });
}
