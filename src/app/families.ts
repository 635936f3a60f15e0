import { authRoutes, type Sessions } from '#features/auth';
import { bootstrapRoute } from '#features/bootstrap';
import { briefRoutes } from '#features/briefs';
import { buildGraphRoutes, buildNodeRoutes } from '#features/build-graphs';
import { cardRoutes } from '#features/cards';
import { clipExtensionRoutes, clipOperatorRoutes, clipRoutes } from '#features/clips';
import { briefExportRoute, graphExportRoute, researchExportRoute } from '#features/exports';
import { featureResearchRoutes } from '#features/feature-research';
import { frontPageRoute, healthRoutes } from '#features/health';
import { operatorRoutes } from '#features/operations';
import { pipelineRoutes } from '#features/pipeline-commands';
import { productRoutes } from '#features/products';
import { profileRoutes } from '#features/profile';
import { projectViewRoutes } from '#features/project-views';
import { projectRoutes } from '#features/projects';
import { interpretationRoutes, projectResearchRoute, researchRoutes } from '#features/research';
import { sharedPageRoutes, shareImageRoutes } from '#features/shared-pages';
import type { Config } from '#platform/config/config.ts';
import type { Reactions } from '#platform/domain-events/domain-events.ts';
import { admin } from '#platform/http/guards/admin.ts';
import type { Family } from '#platform/http/declared.ts';
import { registryOf } from '#platform/http/registry.ts';
import { removeContents, ownershipTransfers } from './ownership.ts';
import { sealedColumns } from './sealed.ts';

export type FamilyNeeds = { sessions: Sessions; limits: Pick<Config, 'limitProjectResearch' | 'anonymousPerMinute'> };

/** Every family, in the interface's order. */
export function families({ sessions, limits }: FamilyNeeds): Family[] {
  const list: Family[] = [
    {
      family: 'health',
      routes: healthRoutes(() => registryOf(list).map(({ method, path, auth, client }) => ({ method, path, auth, client }))),
    },
    { family: 'auth', routes: [...authRoutes(sessions, ownershipTransfers, limits.anonymousPerMinute), bootstrapRoute] },
    { family: 'projects', routes: [...projectRoutes(removeContents), projectResearchRoute(limits.limitProjectResearch), ...projectViewRoutes] },
    { family: 'research', routes: [...researchRoutes, researchExportRoute] },
    { family: 'products', routes: productRoutes },
    { family: 'pipeline', routes: pipelineRoutes },
    { family: 'cards', routes: cardRoutes },
    { family: 'feature_research', routes: featureResearchRoutes },
    { family: 'build_graphs', routes: [...buildGraphRoutes, graphExportRoute] },
    { family: 'build_nodes', routes: buildNodeRoutes },
    { family: 'briefs', routes: [...briefRoutes, briefExportRoute] },
    { family: 'share', routes: sharedPageRoutes },
    { family: 'profile', routes: profileRoutes },
    { family: 'clips', routes: clipRoutes },
  ];
  return list;
}

/** Routes that the interface does not list; in no registry. */
export const extensions = (reactions: Reactions, { adminSecret }: Pick<Config, 'adminSecret'>): readonly Family[] => [
  { family: 'health', routes: [frontPageRoute] },
  { family: 'operations', routes: operatorRoutes({ ...reactions, sealedColumns }, admin(adminSecret)) },
  { family: 'research', routes: interpretationRoutes },
  { family: 'share', routes: shareImageRoutes },
  { family: 'clips', routes: [...clipExtensionRoutes, ...clipOperatorRoutes(admin(adminSecret))] },
];
