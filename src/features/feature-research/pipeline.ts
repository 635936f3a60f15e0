import { definePipeline } from '#platform/runs/define-pipeline.ts';
import type { FeatureResearchRun } from './feature-research-run.ts';
import { analyze } from './stages/analyze.ts';
import { gather } from './stages/gather.ts';
import { scope } from './stages/scope.ts';
import { synthesize } from './stages/synthesize.ts';

export const featureResearchPipeline = definePipeline<FeatureResearchRun>('feature-research')
  .stage(scope)
  .stage(gather)
  .stage(analyze)
  .stage(synthesize)
  .build();
