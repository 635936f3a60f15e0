import { FetchFailed, FetchRefused } from '../guarded-fetch/port.ts';
import { PageFailed, PageRefused } from './port.ts';

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
  | 'failed_parsing'
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

/** A fetch that ended badly, as a page that was not read; undefined for anything else. */
export function asPageError(error: unknown): Refusal | Failure | undefined {
  if (error instanceof Refusal || error instanceof Failure) return error;
  if (error instanceof FetchRefused) return new Refusal('refused_address', error.message);
  if (!(error instanceof FetchFailed)) return undefined;
  return new Failure(error.reason === 'timeout' ? 'timeout' : `failed_${error.reason}`, error.message, error.cause);
}
