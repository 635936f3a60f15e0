import type { ResearchArtifact } from '#features/research';
import type { AppContext } from '#platform/context.ts';
import type { FeatureAnalyst } from './analyst.ts';
import type { FeatureResearchRow } from './feature-research-store.ts';

/** What every stage of one run works with. */
export type FeatureResearchRun = {
  ctx: Pick<AppContext, 'search' | 'pages' | 'log'>;
  job: FeatureResearchRow;
  /** The linked research, when it is the owner's and completed. */
  research: ResearchArtifact | null;
  analyst: FeatureAnalyst;
  /** What the results have to warn of besides what the stages find. */
  warnings: readonly string[];
};
