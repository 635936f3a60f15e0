import { newId } from '#lib/ids.ts';
import { findJob, prioritiesOf, readArtifact } from '#features/research';
import type { Needs } from '#platform/context.ts';
import { truncate } from '#lib/text.ts';
import { enqueueFeatureResearch } from './start-feature-research.ts';

const LONGEST_IDEA = 5000;

/** A research in mode `feature` completed: its top five features are researched. Called twice, it starts one all the same. */
export async function chainFeatureResearch(ctx: Needs<'db' | 'streams' | 'queue'>, researchId: string): Promise<void> {
  const research = await findJob(ctx.db, researchId);
  if (research?.mode !== 'feature' || research.status !== 'completed') return;
  const artifact = await readArtifact(ctx.db, researchId);
  const features = artifact ? prioritiesOf(artifact).map(({ id, label }) => ({ id, name: label, source: 'research' })) : [];
  if (features.length === 0) return;
  const { user_id: userId, project_id: projectId } = research;
  const idea = truncate(research.idea, LONGEST_IDEA);
  await ctx.db
    .transaction()
    .execute((tx) => enqueueFeatureResearch(ctx, tx, { id: newId(), userId, projectId, researchId, chainedFrom: researchId, idea, features }));
}
