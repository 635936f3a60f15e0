import { insertCards } from '#features/cards';
import { moveProject } from '#features/projects';
import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { ResearchCompleted, researchStream } from './events.ts';
import { copyInterpretation } from './interpretation/interpretation-store.ts';
import { readableByOthers } from './earlier-research.ts';
import { resultFor } from './project-result.ts';
import { insertClone, readArtifact, type JobRow } from './research-store.ts';
import type { ResearchArtifact } from './schema.ts';
import { sectionCards } from './section-cards.ts';

/** A finished research for another request of the identical idea: own ids, same artifact at no cost, a stream that can be replayed. */
export async function cloneResearch(
  ctx: Needs<'streams' | 'events'>,
  tx: Tx,
  clone: { id: string; userId: string; projectId: string | null; idea: string; source: JobRow },
): Promise<void> {
  const { source } = clone;
  const original = await readArtifact(tx, source.id);
  if (!original) throw new Error(`completed research ${source.id} has no artifact`);
  const visible = source.user_id === clone.userId ? original : await readableByOthers(tx, original);
  const artifact: ResearchArtifact = { ...visible, id: newId(), job_id: clone.id, usage: {} };
  const { id, userId, projectId } = clone;
  await insertClone(tx, { ...clone, artifact });
  await copyInterpretation(tx, source.id, { id, idea: clone.idea });
  await insertCards(tx, { userId, projectId, researchJobId: id, source: 'research' }, sectionCards(artifact));
  if (projectId) await moveProject(tx, projectId, 'research_completed', resultFor(clone.idea, artifact));
  await ctx.events.publish(tx, ResearchCompleted, { jobId: id, userId, projectId, mode: source.mode, score: artifact.recommendation.score ?? 0 });
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
