import type { AppContext } from '#platform/context.ts';
import type { Analyst } from './analyst.ts';
import type { JobRow } from './research-store.ts';

/** What every stage of one run works with. */
export type ResearchRun = {
  ctx: Pick<AppContext, 'db' | 'search' | 'pages' | 'embeddings' | 'log' | 'clock'>;
  job: JobRow;
  analyst: Analyst;
  /** What the result has to warn of besides what the stages find. */
  warnings: readonly string[];
};
