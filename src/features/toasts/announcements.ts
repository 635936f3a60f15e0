import type { z } from 'zod';
import type { UsageChanged } from '#features/billing';
import type { BriefFailed, BriefReady } from '#features/briefs';
import type { BuildGraphFailed, BuildGraphReady } from '#features/build-graphs';
import type { RoastReceived, VotesReceived } from '#features/clips';
import type { FeatureResearchCompleted, FeatureResearchFailed } from '#features/feature-research';
import type { ProductsChanged } from '#features/products';
import { findJob, prioritiesOf, readArtifact, type ResearchCompleted, type ResearchFailed } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { SupersededError, type NewEvent } from '#platform/streams/event-log.ts';
import { announceControl } from './announce-control.ts';
import { appendChannelEvent } from './channels.ts';

type Telling = Needs<'relay' | 'clock'>;
type Happened<E extends { payload: z.ZodType }> = z.output<E['payload']>;

/** What each domain event says to the sockets of its user. */
export async function tellResearchCompleted(ctx: Telling & Needs<'db'>, { jobId, userId, projectId }: Happened<typeof ResearchCompleted>) {
  const job = await findJob(ctx.db, jobId);
  const artifact = job && (await readArtifact(ctx.db, jobId));
  if (!job || !artifact) return;
  await announceControl(ctx, userId, 'research.completed', {
    research_id: jobId,
    project_id: projectId,
    pipeline_stage: job.pipeline_stage,
    picked_count: prioritiesOf(artifact).length,
  });
}

export const tellResearchFailed = (ctx: Telling, { jobId, userId, code, message, retryable }: Happened<typeof ResearchFailed>) =>
  announceControl(ctx, userId, 'research.failed', { research_id: jobId, code, message, retryable });

export const tellGraphReady = (ctx: Telling, { graphId, userId, projectId, rootCount, durationMs }: Happened<typeof BuildGraphReady>) =>
  announceControl(ctx, userId, 'build_graph.ready', {
    graph_id: graphId,
    root_count: rootCount,
    duration_ms: durationMs,
    ...(projectId === null ? {} : { project_id: projectId }),
  });

export const tellGraphFailed = (ctx: Telling, { graphId, userId, code, message, retryable }: Happened<typeof BuildGraphFailed>) =>
  announceControl(ctx, userId, 'build_graph.failed', { graph_id: graphId, code, message, retryable });

export const tellFeatureResearchCompleted = (ctx: Telling, { featureResearchId, userId, durationMs }: Happened<typeof FeatureResearchCompleted>) =>
  announceControl(ctx, userId, 'feature_research.completed', { feature_research_id: featureResearchId, duration_ms: durationMs });

export const tellFeatureResearchFailed = (
  ctx: Telling,
  { featureResearchId, userId, code, message, stage, retryable }: Happened<typeof FeatureResearchFailed>,
) => announceControl(ctx, userId, 'feature_research.failed', { feature_research_id: featureResearchId, code, message, stage, retryable });

export const tellBriefReady = (ctx: Telling, { briefId, userId, researchId, title, qualityScore }: Happened<typeof BriefReady>) =>
  announceControl(ctx, userId, 'brief.ready', { brief_id: briefId, research_id: researchId, title, quality_score: qualityScore });

export const tellBriefFailed = (ctx: Telling, { briefId, userId, researchId, message }: Happened<typeof BriefFailed>) =>
  announceControl(ctx, userId, 'brief.failed', { brief_id: briefId, research_id: researchId, message });

export const tellProductsChanged = (ctx: Telling, { userId, ...params }: Happened<typeof ProductsChanged>) =>
  announceControl(ctx, userId, 'products.changed', params);

export const tellUsageChanged = (ctx: Telling, { userId }: Happened<typeof UsageChanged>) => announceControl(ctx, userId, 'usage.changed', {});

type Once = { settle(tx: Tx): Promise<boolean> };

export const tellVotesReceived = (
  ctx: Needs<'db' | 'streams'>,
  { projectId, slug, totalUp, totalDown }: Happened<typeof VotesReceived>,
  once: Once,
) => tellProject(ctx, projectId, { event: 'votes.received', data: { project_id: projectId, slug, total_up: totalUp, total_down: totalDown } }, once);

export const tellRoastReceived = (ctx: Needs<'db' | 'streams'>, { projectId, slug, roastId }: Happened<typeof RoastReceived>, once: Once) =>
  tellProject(ctx, projectId, { event: 'roast.received', data: { project_id: projectId, slug, roast_id: roastId } }, once);

/** Writes to the channel of a project, once; of one that is deleted nobody is told. */
async function tellProject(ctx: Needs<'db' | 'streams'>, projectId: string, event: NewEvent, { settle }: Once): Promise<void> {
  try {
    await ctx.db.transaction().execute(async (tx) => {
      if (await settle(tx)) await appendChannelEvent(ctx, tx, 'project', projectId, event);
    });
  } catch (error) {
    if (!(error instanceof SupersededError)) throw error;
  }
}
