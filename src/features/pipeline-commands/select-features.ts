import { malformed, notFound } from '#lib/errors.ts';
import { insertCards } from '#features/cards';
import { enqueueFeatureResearch } from '#features/feature-research';
import { findOwnedProject } from '#features/projects';
import { findOwnedJob, readArtifact, type ResearchArtifact } from '#features/research';
import { charge } from '#features/usage';
import { newId } from '#lib/ids.ts';
import { count } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { researchMissing } from './retry-section.ts';

const USED = 10;

type SelectedFeature = { id: string; name: string; source: 'research' };

/**
 * Takes the features a person chose of a research and starts their deep research; gives the card that reports on it.
 * @throws AppError 402 above the caller's credits, 404 `research_not_found`, 400 `no_features_resolved`
 */
export async function selectFeatures(
  ctx: Needs<'db' | 'streams' | 'queue' | 'config' | 'clock'>,
  principal: Principal,
  request: { researchId: string; projectId: string | undefined; featureIds: readonly string[] },
): Promise<string> {
  const job = await findOwnedJob(ctx.db, principal.userId, request.researchId);
  if (!job) throw researchMissing();
  if (request.projectId && !(await findOwnedProject(ctx.db, principal.userId, request.projectId))) throw notFound('Project');
  const artifact = await readArtifact(ctx.db, job.id);
  const features = artifact ? resolve(artifact, request.featureIds.slice(0, USED)) : [];
  if (features.length === 0) throw malformed('no_features_resolved');
  const projectId = request.projectId ?? job.project_id;
  const id = newId();
  return ctx.db.transaction().execute(async (tx) => {
    const owner = { userId: principal.userId, projectId, researchJobId: job.id, source: 'pipeline' };
    const [cardId = ''] = await insertCards(tx, owner, [
      {
        cardType: 'features_selected',
        title: `${count(features.length, 'feature')} selected`,
        body: { research_id: job.id, feature_research_id: id, features },
        status: 'in_progress',
      },
    ]);
    await charge(ctx, tx, { userId: principal.userId, work: 'feature_research', ref: id });
    const idea = artifact?.idea.normalized_idea ?? job.idea;
    await enqueueFeatureResearch(ctx, tx, { id, userId: principal.userId, idea, features, projectId, researchId: job.id, chainedFrom: null });
    return cardId;
  });
}

function resolve(artifact: ResearchArtifact, ids: readonly string[]): SelectedFeature[] {
  const known = new Map<string, string>([
    ...[...artifact.build_readiness.phase_1, ...artifact.build_readiness.phase_2].map(({ id, label }) => [id, label] as const),
    ...artifact.features.map(({ id, name }) => [id, name] as const),
  ]);
  return [...new Set(ids)].flatMap((id) => {
    const name = known.get(id);
    return name ? [{ id, name, source: 'research' as const }] : [];
  });
}
