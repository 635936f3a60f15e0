import { notFound } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import { findOwnedProject } from '#features/projects';
import { findOwnedJob } from '#features/research';
import { charge } from '#features/usage';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import { featureResearchStream } from './events.ts';
import { researchingFeatures } from './run-feature-research.ts';
import { insertJob } from './feature-research-store.ts';
import type { SelectedFeature } from './schema.ts';

export type FeatureResearchInput = {
  idea: string;
  features: readonly SelectedFeature[];
  projectId: string | null;
  researchId: string | null;
};

/**
 * Starts a feature research; gives its id.
 * @throws AppError 402 above the caller's credits, 404 for a project or a research that is not the caller's
 */
export async function startFeatureResearch(
  ctx: Needs<'db' | 'streams' | 'queue' | 'config' | 'clock'>,
  principal: Principal,
  input: FeatureResearchInput,
): Promise<string> {
  const { userId } = principal;
  if (input.projectId && !(await findOwnedProject(ctx.db, userId, input.projectId))) throw notFound('Project');
  if (input.researchId && !(await findOwnedJob(ctx.db, userId, input.researchId))) throw notFound('Research job');
  const id = newId();
  await ctx.db.transaction().execute(async (tx) => {
    await charge(ctx, tx, { userId, work: 'feature_research', ref: id });
    await enqueueFeatureResearch(ctx, tx, { ...input, id, userId, chainedFrom: null });
  });
  return id;
}

/**
 * Writes job, stream and background job in the caller's transaction. The caller has made sure whose project and research
 * these are. False when the research named by `chainedFrom` has started one before.
 */
export async function enqueueFeatureResearch(
  { streams, queue }: Needs<'streams' | 'queue'>,
  tx: Tx,
  job: FeatureResearchInput & { id: string; userId: string; chainedFrom: string | null },
): Promise<boolean> {
  const features = job.features.filter(({ id }, place) => job.features.findIndex((other) => other.id === id) === place);
  if (!(await insertJob(tx, { ...job, features }))) return false;
  await streams.open(tx, featureResearchStream(job.id));
  await researchingFeatures.begin({ queue }, tx, { id: job.id });
  return true;
}
