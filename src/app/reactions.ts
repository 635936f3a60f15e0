import { BriefFailed } from '#features/briefs';
import { BuildGraphFailed, seedBuildPlan } from '#features/build-graphs';
import { chainFeatureResearch, FeatureResearchFailed } from '#features/feature-research';
import { followResearch } from '#features/products';
import { ProjectCreated, seedProject } from '#features/projects';
import { ResearchCompleted, ResearchFailed } from '#features/research';
import { giveBack } from '#features/usage';
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
];
