import { PageFailed, PageRefused } from '../page-reader.ts';

/** How one reading of a page ended, as the metrics count it. */
export type PageOutcome =
  | 'read'
  | 'refused_address'
  | 'refused_robots'
  | 'failed_network'
  | 'failed_status'
  | 'failed_redirects'
  | 'failed_type'
  | 'failed_size'
  | 'failed_encoding'
  | 'failed_empty'
  | 'timeout'
  | 'cancelled';

/** A `PageRefused` that also says how to count it. */
export class Refusal extends PageRefused {
  readonly outcome: PageOutcome;

  constructor(outcome: PageOutcome & `refused_${string}`, sentence: string) {
    super(sentence);
    this.outcome = outcome;
  }
}

/** A `PageFailed` that also says how to count it. */
export class Failure extends PageFailed {
  readonly outcome: PageOutcome;

  constructor(outcome: Exclude<PageOutcome, 'read' | `refused_${string}`>, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.outcome = outcome;
  }
}
