import { seedBuildPlan } from '#features/build-graphs';
import { chainFeatureResearch } from '#features/feature-research';
import { followResearch } from '#features/products';
import { ProjectCreated, seedProject } from '#features/projects';
import { ResearchCompleted, ResearchFailed } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { DomainEvent, Reaction } from '#platform/domain-events/domain-events.ts';

const on = <P>(event: DomainEvent<P>, name: string, react: Reaction<P>['react'], when?: (payload: P) => boolean): Reaction =>
  ({ event, name, react, ...(when ? { when } : {}) }) as Reaction;

/** Everything that happens after something else. @param ctx read when a reaction runs */
export const reactions = (ctx: () => AppContext): readonly Reaction[] => [
  on(ProjectCreated, 'seed', ({ projectId }, signal) => seedProject(ctx(), projectId, signal)),
  on(ResearchCompleted, 'products', ({ jobId }) => followResearch(ctx(), jobId)),
  on(ResearchCompleted, 'build-plan', ({ jobId }) => seedBuildPlan(ctx(), jobId)),
  on(
    ResearchCompleted,
    'feature-research',
    ({ jobId }) => chainFeatureResearch(ctx(), jobId),
    ({ mode }) => mode === 'feature',
  ),
  on(ResearchFailed, 'products', ({ jobId }) => followResearch(ctx(), jobId)),
];
