import type { ResearchArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import { definePipeline } from '#platform/pipelines/define-pipeline.ts';
import type { FeatureAnalyst } from './analyst.ts';
import type { FeatureResearchRow } from './feature-research-store.ts';
import { analyze } from './stages/analyze.ts';
import { gather } from './stages/gather.ts';
import { scope } from './stages/scope.ts';
import { synthesize } from './stages/synthesize.ts';

/** What every stage of one run works with. */
export type FeatureResearchRun = {
  ctx: Pick<AppContext, 'search' | 'pages' | 'log'>;
  job: FeatureResearchRow;
  /** The linked research, when it is the owner's and completed. */
  research: ResearchArtifact | null;
  analyst: FeatureAnalyst;
};

export const featureResearchPipeline = definePipeline<FeatureResearchRun>('feature-research')
  .stage(scope)
  .stage(gather)
  .stage(analyze)
  .stage(synthesize)
  .build();
