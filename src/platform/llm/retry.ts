import { setTimeout as sleep } from 'node:timers/promises';

/** What a failed request says about trying again; `retryAfter` in milliseconds, when the server named a time. */
export type Failure = { again: boolean; retryAfter: number | undefined };

export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export type Patience = {
  signal: AbortSignal;
  /** Time in milliseconds since the epoch that no pause may pass. */
  deadline: number;
  judge(error: unknown): Failure;
  onRetry(error: unknown, attempt: number, milliseconds: number): void;
  pause?: Pause | undefined;
};

const TRIES = 4;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

const pauseFor: Pause = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

/**
 * Runs `work` up to four times. Pauses as long as the server asked, else exponentially with full jitter; the error goes
 * on when it is final, when the tries are used up, or when the pause would pass the deadline.
 */
export async function withRetries<T>(work: () => Promise<T>, { signal, deadline, judge, onRetry, pause = pauseFor }: Patience): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      const { again, retryAfter } = judge(error);
      const milliseconds = retryAfter ?? Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
      if (!again || attempt >= TRIES || Date.now() + milliseconds >= deadline) throw error;
      onRetry(error, attempt, milliseconds);
      await pause(milliseconds, signal);
    }
  }
}

/** Milliseconds from a `Retry-After` header: whole seconds or an HTTP date (RFC 9110, 10.2.3). */
export function parseRetryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
