import { definePipeline } from '#platform/runs/define-pipeline.ts';
import type { ResearchRun } from './research-run.ts';
import { analyze } from './stages/analyze.ts';
import { interpret } from './stages/interpret.ts';
import { judge } from './stages/judge.ts';
import { persist } from './stages/persist.ts';
import { search } from './stages/search.ts';
import { synthesize } from './stages/synthesize.ts';

export const researchPipeline = definePipeline<ResearchRun>('research')
  .stage(interpret)
  .stage(search)
  .stage(judge)
  .stage(analyze)
  .stage(synthesize)
  .stage(persist)
  .build();
