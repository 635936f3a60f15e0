import { BriefFailed, BriefReady } from '#features/briefs';
import { BuildGraphFailed, BuildGraphReady, seedBuildPlan } from '#features/build-graphs';
import { chainFeatureResearch, FeatureResearchCompleted, FeatureResearchFailed } from '#features/feature-research';
import { followResearch, ProductsChanged } from '#features/products';
import { notifyFeatureResearchCompleted, notifyGraphReady, notifyResearchCompleted } from '#features/notifications';
import { ProjectCreated, seedProject } from '#features/projects';
import { ResearchCompleted, ResearchFailed } from '#features/research';
import {
  tellBriefFailed,
  tellBriefReady,
  tellFeatureResearchCompleted,
  tellFeatureResearchFailed,
  tellGraphFailed,
  tellGraphReady,
  tellProductsChanged,
  tellResearchCompleted,
  tellResearchFailed,
} from '#features/toasts';
import type { AppContext } from '#platform/context.ts';
import { reactTo, type Reaction } from '#platform/domain-events/domain-events.ts';

/** Everything that happens after something else. @param ctx read when a reaction runs */
export const reactions = (ctx: () => AppContext): readonly Reaction[] => [
  reactTo(ProjectCreated, 'seed', ({ projectId }, { signal }) => seedProject(ctx(), projectId, signal)),
  reactTo(ResearchCompleted, 'products', ({ jobId }) => followResearch(ctx(), jobId)),
  reactTo(ResearchCompleted, 'build-plan', ({ jobId }) => seedBuildPlan(ctx(), jobId)),
  reactTo(
    ResearchCompleted,
    'feature-research',
    ({ jobId }) => chainFeatureResearch(ctx(), jobId),
    ({ mode }) => mode === 'feature',
  ),
  reactTo(ResearchFailed, 'products', ({ jobId }) => followResearch(ctx(), jobId)),
  // What whoever is connected is told of.
  reactTo(ResearchCompleted, 'sockets', (happened) => tellResearchCompleted(ctx(), happened)),
  reactTo(ResearchFailed, 'sockets', (happened) => tellResearchFailed(ctx(), happened)),
  reactTo(BuildGraphReady, 'sockets', (happened) => tellGraphReady(ctx(), happened)),
  reactTo(BuildGraphFailed, 'sockets', (happened) => tellGraphFailed(ctx(), happened)),
  reactTo(FeatureResearchCompleted, 'sockets', (happened) => tellFeatureResearchCompleted(ctx(), happened)),
  reactTo(FeatureResearchFailed, 'sockets', (happened) => tellFeatureResearchFailed(ctx(), happened)),
  reactTo(BriefReady, 'sockets', (happened) => tellBriefReady(ctx(), happened)),
  reactTo(BriefFailed, 'sockets', (happened) => tellBriefFailed(ctx(), happened)),
  reactTo(ProductsChanged, 'sockets', (happened) => tellProductsChanged(ctx(), happened)),
  // What whoever is away is told of.
  reactTo(ResearchCompleted, 'notify', (happened, run) => notifyResearchCompleted(ctx(), happened, run)),
  reactTo(FeatureResearchCompleted, 'notify', (happened, run) => notifyFeatureResearchCompleted(ctx(), happened, run)),
  reactTo(BuildGraphReady, 'notify', (happened, run) => notifyGraphReady(ctx(), happened, run)),
];
