import type { Finding, Interpretation } from '../analyst.ts';
import type { EarlierResearch } from '../earlier-research.ts';
import type { ResearchRun } from '../research-run.ts';
import type { FromMemory, SourceReport } from '../schema.ts';

export type Found = {
  findings: Finding[];
  earlier?: EarlierResearch[];
  /** What a model named from memory and nothing confirmed. */
  fromMemory?: FromMemory[];
  found: number;
  warning: string | null;
};

/** One place to look. `off` says why it is not asked at all. */
export type Source = {
  name: SourceReport['source'];
  /** Seconds it may take; what it found by then is lost, and a warning says so. */
  seconds: number;
  /** It keeps the processor busy, so it begins once the requests of the others are on their way. */
  computes?: boolean;
  off?(run: ResearchRun, about: Interpretation): boolean;
  search(run: ResearchRun, about: Interpretation, signal: AbortSignal): Promise<Found>;
};
