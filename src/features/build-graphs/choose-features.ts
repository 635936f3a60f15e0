import { malformed, notFound } from '#lib/errors.ts';
import { findLatestCompleted, findOwnedFeatureResearch } from '#features/feature-research';
import { findOwnedProject } from '#features/projects';
import { findOwnedJob, knowsMarket, listOfProject, readArtifact } from '#features/research';
import type { Db } from '#platform/db/database.ts';
import type { SelectedFeature } from './schema.ts';

/** What a graph is asked for with; ids left out are looked for in the project. */
export type GraphRequest = {
  idea: string;
  features?: readonly SelectedFeature[];
  autoSelect?: boolean;
  phase?: number | null;
  projectId?: string | null;
  researchId?: string | null;
  featureResearchId?: string | null;
};

export type Links = { projectId: string | null; researchId: string | null; featureResearchId: string | null };

const LOOKED_AT = 50;

/**
 * The project and research a request is linked to; where only the project is given, its latest completed ones.
 * @throws AppError 404 for anything that is not the caller's
 */
export async function findLinks(db: Db, userId: string, request: GraphRequest): Promise<Links> {
  const projectId = request.projectId ?? null;
  if (projectId && !(await findOwnedProject(db, userId, projectId))) throw notFound('Project');
  if (request.researchId && !(await findOwnedJob(db, userId, request.researchId))) throw notFound('Research job');
  if (request.featureResearchId && !(await findOwnedFeatureResearch(db, userId, request.featureResearchId))) throw notFound('Feature research job');
  return {
    projectId,
    researchId: request.researchId ?? (projectId ? await latestResearch(db, projectId) : null),
    featureResearchId: request.featureResearchId ?? (projectId ? ((await findLatestCompleted(db, projectId))?.id ?? null) : null),
  };
}

async function latestResearch(db: Db, projectId: string): Promise<string | null> {
  const jobs = await listOfProject(db, projectId, { limit: LOOKED_AT, offset: 0 });
  const completed = jobs.filter(({ status }) => status === 'completed');
  return completed.sort((left, right) => (right.completed_at?.getTime() ?? 0) - (left.completed_at?.getTime() ?? 0))[0]?.id ?? null;
}

/**
 * The features to build: those given, and with `autoSelect` those the linked research found ready to build.
 * @throws AppError 400 when there are none, or when there is no research that says what is ready
 */
export async function chooseFeatures(db: Db, request: GraphRequest, { researchId }: Links): Promise<SelectedFeature[]> {
  const given = request.features ?? [];
  const selected = request.autoSelect ? await readyToBuild(db, researchId, request.phase ?? null) : [];
  const all = [...given, ...selected];
  const features = all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
  if (features.length === 0) throw malformed('features: at least one is required unless auto_select is true');
  return features;
}

async function readyToBuild(db: Db, researchId: string | null, phase: number | null): Promise<SelectedFeature[]> {
  const artifact = researchId ? await readArtifact(db, researchId) : null;
  // Of a market that is not known nothing is ready to be built.
  const ready = artifact && knowsMarket(artifact) ? artifact.build_readiness : undefined;
  if (!ready) throw malformed('auto_select: the linked research has no build_readiness');
  const items = phase === 1 ? ready.phase_1 : [...ready.phase_1, ...ready.phase_2];
  if (items.length === 0) throw malformed('auto_select: the linked research has no build_readiness');
  return items.map(({ id, label }) => ({ id, label, source: 'research' }));
}
