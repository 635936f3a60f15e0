import { insertCards } from '#features/cards';
import { moveProject } from '#features/projects';
import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { ResearchCompleted, researchStream } from './events.ts';
import { withoutPrivatePrior } from './private-prior.ts';
import { insertClone, publicAmong, readArtifact, type JobRow } from './research-store.ts';
import type { ResearchArtifact } from './schema.ts';
import { sectionCards } from './section-cards.ts';

/** A finished research for another request of the identical idea: own ids, same artifact, a stream that can be replayed. */
export async function cloneResearch(
  ctx: Needs<'streams' | 'events'>,
  tx: Tx,
  clone: { id: string; userId: string; projectId: string | null; idea: string; source: JobRow },
): Promise<void> {
  const { source } = clone;
  const original = await readArtifact(tx, source.id);
  if (!original) throw new Error(`completed research ${source.id} has no artifact`);
  const visible = source.user_id === clone.userId ? original : await forOthers(tx, original);
  const artifact: ResearchArtifact = { ...visible, id: newId(), job_id: clone.id };
  const { id, userId, projectId } = clone;
  await insertClone(tx, { ...clone, artifact });
  await insertCards(tx, { userId, projectId, researchJobId: id, source: 'research' }, sectionCards(artifact));
  if (projectId) await moveProject(tx, projectId, 'research_completed', { qualityScore: artifact.recommendation.score });
  await ctx.events.publish(tx, ResearchCompleted, { jobId: id, userId, projectId, mode: source.mode, score: artifact.recommendation.score });
  await ctx.streams.open(tx, researchStream(id));
  await ctx.streams.append(
    tx,
    researchStream(id),
    [
      { event: 'result', data: artifact },
      { event: 'done', data: {} },
    ],
    { close: true },
  );
}

async function forOthers(tx: Tx, artifact: ResearchArtifact): Promise<ResearchArtifact> {
  const jobs = artifact.evidence.flatMap((row) => (row.source_kind === 'prior_research' && row.source_url ? [priorJobOf(row.source_url)] : []));
  return withoutPrivatePrior(artifact, await publicAmong(tx, jobs));
}

const priorJobOf = (url: string): string => url.replace(/^research:/, '');
