import { count, shorten } from '#lib/text.ts';
import { findJob } from '#features/research';
import type { Tx } from '#platform/db/database.ts';
import { notify, type NotifyNeeds } from './notify.ts';

const LONGEST_NAME = 120;

type Once = { settle(tx: Tx): Promise<boolean> };

/** A research is completed. Of a clone nobody needs to be told: it was the answer to whoever asked. */
export async function notifyResearchCompleted(
  ctx: NotifyNeeds,
  { jobId, projectId, score }: { jobId: string; projectId: string | null; score: number },
  { settle }: Once,
): Promise<void> {
  const job = await findJob(ctx.db, jobId);
  if (!job || job.cloned_from !== null) return;
  const notification = {
    // Its owner may be another than when it was completed.
    userId: job.user_id,
    projectId,
    preference: 'research_complete',
    title: 'Research completed',
    body: `${shorten(job.idea, LONGEST_NAME)}: ${Math.round(score)} of 100.`,
    deeplink: `groundwork://research/${jobId}`,
    data: { type: 'research_complete', research_id: jobId, project_id: projectId },
    collapseKey: `research ${jobId}`,
    wakes: 'unwatched',
  } as const;
  await notify(ctx, notification, settle);
}

/** Feature research is completed. */
export async function notifyFeatureResearchCompleted(
  ctx: NotifyNeeds,
  { featureResearchId, userId, projectId }: { featureResearchId: string; userId: string; projectId: string | null },
  { settle }: Once,
): Promise<void> {
  const notification = {
    userId,
    projectId,
    preference: 'research_complete',
    title: 'Feature research completed',
    body: 'The blueprint with build order and risks is ready.',
    deeplink: `groundwork://feature-research/${featureResearchId}`,
    data: { type: 'feature_research_complete', feature_research_id: featureResearchId, project_id: projectId },
    collapseKey: `feature-research ${featureResearchId}`,
    wakes: 'unwatched',
  } as const;
  await notify(ctx, notification, settle);
}

/** All roots of a build graph exist. */
export async function notifyGraphReady(
  ctx: NotifyNeeds,
  { graphId, userId, projectId, title, rootCount }: { graphId: string; userId: string; projectId: string | null; title: string; rootCount: number },
  { settle }: Once,
): Promise<void> {
  const notification = {
    userId,
    projectId,
    preference: 'build_complete',
    title: 'Build plan ready',
    body: `${shorten(title, LONGEST_NAME)}: ${count(rootCount, 'part')}.`,
    deeplink: `groundwork://build-graphs/${graphId}`,
    data: { type: 'build_complete', graph_id: graphId, project_id: projectId },
    collapseKey: `build-graph ${graphId}`,
    wakes: 'unwatched',
  } as const;
  await notify(ctx, notification, settle);
}
