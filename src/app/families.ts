import { authRoutes, type Sessions } from '#features/auth';
import { bootstrapRoute } from '#features/bootstrap';
import { briefRoutes } from '#features/briefs';
import { buildGraphRoutes, buildNodeRoutes } from '#features/build-graphs';
import { cardRoutes } from '#features/cards';
import { briefExportRoute, graphExportRoute, researchExportRoute } from '#features/exports';
import { featureResearchRoutes } from '#features/feature-research';
import { healthRoutes } from '#features/health';
import { pipelineRoutes } from '#features/pipeline-commands';
import { productRoutes } from '#features/products';
import { projectViewRoutes } from '#features/project-views';
import { projectRoutes } from '#features/projects';
import { projectResearchRoute, researchRoutes, type KeyReader } from '#features/research';
import { sharedPageRoutes, shareImageRoutes } from '#features/shared-pages';
import { registryOf, type Family } from '#platform/http/registry.ts';
import { removeContents, reownAll } from './ownership.ts';

export type FamilyNeeds = { sessions: Sessions; readKeys: KeyReader; limitProjectResearch: boolean };

/** Every family, in the interface's order. */
export function families({ sessions, readKeys, limitProjectResearch }: FamilyNeeds): Family[] {
  const list: Family[] = [
    {
      family: 'health',
      routes: healthRoutes(() => registryOf(list).map(({ method, path, auth, client }) => ({ method, path, auth, client }))),
    },
    { family: 'auth', routes: [...authRoutes(sessions, reownAll), bootstrapRoute] },
    { family: 'projects', routes: [...projectRoutes(removeContents), projectResearchRoute(limitProjectResearch), ...projectViewRoutes] },
    { family: 'research', routes: [...researchRoutes(readKeys), researchExportRoute] },
    { family: 'products', routes: productRoutes },
    { family: 'pipeline', routes: pipelineRoutes },
    { family: 'cards', routes: cardRoutes },
    { family: 'feature_research', routes: featureResearchRoutes },
    { family: 'build_graphs', routes: [...buildGraphRoutes, graphExportRoute] },
    { family: 'build_nodes', routes: buildNodeRoutes(readKeys) },
    { family: 'briefs', routes: [...briefRoutes, briefExportRoute] },
    { family: 'share', routes: sharedPageRoutes },
  ];
  return list;
}

/** Routes that serve what the interface names without listing it; in no registry. */
export const extensions: readonly Family[] = [{ family: 'share', routes: shareImageRoutes }];
