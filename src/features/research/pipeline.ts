import { definePipeline } from '#platform/pipelines/define-pipeline.ts';
import type { AppContext } from '#platform/context.ts';
import type { Analyst } from './analyst.ts';
import type { JobRow } from './research-store.ts';
import { analyze } from './stages/analyze.ts';
import { interpret } from './stages/interpret.ts';
import { judge } from './stages/judge.ts';
import { persist } from './stages/persist.ts';
import { search } from './stages/search.ts';
import { synthesize } from './stages/synthesize.ts';

/** What every stage of one run works with. */
export type ResearchRun = {
  ctx: Pick<AppContext, 'db' | 'search' | 'pages' | 'embeddings' | 'log' | 'clock'>;
  job: JobRow;
  analyst: Analyst;
};

export const researchPipeline = definePipeline<ResearchRun>('research')
  .stage(interpret)
  .stage(search)
  .stage(judge)
  .stage(analyze)
  .stage(synthesize)
  .stage(persist)
  .build();
