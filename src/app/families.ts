import { authRoutes, type Sessions } from '#features/auth';
import { billingRoutes, transferBilling, usageRoutes } from '#features/billing';
import { bootstrapRoute } from '#features/bootstrap';
import { briefRoutes } from '#features/briefs';
import { buildGraphRoutes, buildNodeRoutes } from '#features/build-graphs';
import { cardRoutes } from '#features/cards';
import { clipExtensionRoutes, clipOperatorRoutes, clipRoutes } from '#features/clips';
import { creditRoutes } from '#features/credits';
import { briefExportRoute, graphExportRoute, researchExportRoute } from '#features/exports';
import { featureResearchRoutes } from '#features/feature-research';
import { frontPageRoute, healthRoutes } from '#features/health';
import { notifyRoutes, publishRoute, quietHoursRoutes } from '#features/notifications';
import { operatorRoutes } from '#features/operations';
import { pipelineRoutes } from '#features/pipeline-commands';
import { productRoutes } from '#features/products';
import { profileRoutes } from '#features/profile';
import { projectViewRoutes } from '#features/project-views';
import { projectRoutes } from '#features/projects';
import { pushExtensionRoutes, pushRoutes } from '#features/push';
import { interpretationRoutes, projectResearchRoute, researchRoutes } from '#features/research';
import { sharedPageRoutes, shareImageRoutes } from '#features/shared-pages';
import { realtimeRoutes, toastRoutes, type SocketCaller } from '#features/toasts';
import type { Config } from '#platform/config/config.ts';
import type { Reactions } from '#platform/domain-events/domain-events.ts';
import { admin } from '#platform/http/guards/admin.ts';
import type { Family } from '#platform/http/declared.ts';
import { registryOf } from '#platform/http/registry.ts';
import { removeContents, ownershipTransfers } from './ownership.ts';
import { sealedColumns } from './sealed.ts';

export type FamilyNeeds = {
  sessions: Sessions;
  limits: Pick<Config, 'limitProjectResearch' | 'anonymousPerMinute' | 'adminSecret' | 'billing'>;
  findSocketCaller(token: string): Promise<SocketCaller | null>;
  toastPublishSecret: string | undefined;
  findSlugOwner(slug: string): Promise<{ userId: string } | null>;
};
/** Every family, in the interface's order. */
export function families({ sessions, limits, findSocketCaller, toastPublishSecret, findSlugOwner }: FamilyNeeds): Family[] {
  // Whoever follows billing events locks the subscriber before the profile.
  const transfers = [transferBilling(limits.billing), ...ownershipTransfers];
  const list: Family[] = [
    {
      family: 'health',
      routes: healthRoutes(() => registryOf(list).map(({ method, path, auth, client }) => ({ method, path, auth, client }))),
    },
    { family: 'auth', routes: [...authRoutes(sessions, transfers, limits.anonymousPerMinute), bootstrapRoute] },
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
    { family: 'usage', routes: usageRoutes },
    { family: 'billing', routes: billingRoutes(limits.billing) },
    { family: 'admin', routes: creditRoutes(admin(limits.adminSecret)) },
    { family: 'realtime', routes: realtimeRoutes(findSocketCaller) },
    { family: 'toasts', routes: [...toastRoutes, publishRoute(toastPublishSecret)] },
    { family: 'push_tokens', routes: pushRoutes },
    { family: 'notify', routes: notifyRoutes(findSlugOwner) },
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
  { family: 'push_tokens', routes: [...pushExtensionRoutes, ...quietHoursRoutes] },
];
