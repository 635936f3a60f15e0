import { ProjectCreated, seedProject } from '#features/projects';
import { ResearchCompleted, ResearchFailed } from '#features/research';
import { giveBack } from '#features/usage';
import { UsageChanged } from '#features/billing';
import { RoastReceived, VotesReceived } from '#features/clips';
import { BriefFailed, BriefReady } from '#features/briefs';
import { BuildGraphFailed, BuildGraphReady, seedBuildPlan } from '#features/build-graphs';
import { chainFeatureResearch, FeatureResearchCompleted, FeatureResearchFailed } from '#features/feature-research';
import { followResearch, ProductsChanged } from '#features/products';
import { notifyFeatureResearchCompleted, notifyGraphReady, notifyResearchCompleted } from '#features/notifications';
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
  tellRoastReceived,
  tellUsageChanged,
  tellVotesReceived,
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
  reactTo(ResearchFailed, 'give-back', ({ jobId }) => giveBack(ctx(), jobId)),
  reactTo(FeatureResearchFailed, 'give-back', ({ featureResearchId }) => giveBack(ctx(), featureResearchId)),
  reactTo(BuildGraphFailed, 'give-back', ({ graphId }) => giveBack(ctx(), graphId)),
  reactTo(BriefFailed, 'give-back', ({ briefId }) => giveBack(ctx(), briefId)),
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
  reactTo(UsageChanged, 'sockets', (happened) => tellUsageChanged(ctx(), happened)),
  reactTo(VotesReceived, 'channel', (happened, run) => tellVotesReceived(ctx(), happened, run)),
  reactTo(RoastReceived, 'channel', (happened, run) => tellRoastReceived(ctx(), happened, run)),
  // What whoever is away is told of.
  reactTo(ResearchCompleted, 'notify', (happened, run) => notifyResearchCompleted(ctx(), happened, run)),
  reactTo(FeatureResearchCompleted, 'notify', (happened, run) => notifyFeatureResearchCompleted(ctx(), happened, run)),
  reactTo(BuildGraphReady, 'notify', (happened, run) => notifyGraphReady(ctx(), happened, run)),
];
