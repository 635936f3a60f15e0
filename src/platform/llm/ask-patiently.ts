import type { Logger } from '../observability/log.ts';
import { failureOf, type ModelFailure } from './model-failures.ts';
import type { Metrics } from '../observability/metrics.ts';
import { modelMetrics } from './model-metrics.ts';
import type { Provider, Usage } from './models.ts';
import { withRetries, type Pause } from './retry.ts';

/** The call that requests are made for, and what they share. */
export type Asking = {
  provider: Provider;
  call: { name: string; signal: AbortSignal };
  /** Ends with the caller's signal or when the time is up. */
  signal: AbortSignal;
  /** Time in milliseconds since the epoch that no pause may pass. */
  deadline: number;
  usage: Usage;
  metrics: Metrics;
  log: Logger;
  pause: Pause | undefined;
};

export type Outcome = ModelFailure['outcome'] | 'ok' | 'malformed' | 'timeout' | 'cancelled';

/** Makes one request, again while the failure may pass; each is counted in the usage and each failure in the metrics. */
export function askPatiently<T>(asking: Asking, request: () => PromiseLike<T>): Promise<T> {
  const { provider, call, signal, deadline, usage, log, pause } = asking;
  const once = async (): Promise<T> => {
    usage.calls += 1;
    try {
      return await request();
    } catch (error) {
      countOutcome(asking, outcomeOf(asking, error));
      throw error;
    }
  };
  const onRetry = (error: unknown, attempt: number, milliseconds: number) =>
    log.warn({ provider, call: call.name, attempt, milliseconds: Math.round(milliseconds), why: failureOf(error).outcome }, 'a model is asked again');
  return withRetries(once, { signal, deadline, judge: failureOf, onRetry, pause });
}

export const outcomeOf = ({ call, signal }: Asking, error: unknown): Outcome =>
  call.signal.aborted ? 'cancelled' : signal.aborted ? 'timeout' : failureOf(error).outcome;

export const countOutcome = ({ metrics, provider }: Asking, outcome: Outcome): void => modelMetrics(metrics).calls.inc({ provider, outcome });

export function countTokens({ metrics, provider, usage }: Asking, { input, output }: { input: number; output: number }): void {
  usage.inputTokens += input;
  usage.outputTokens += output;
  modelMetrics(metrics).tokens.inc({ provider, direction: 'input' }, input);
  modelMetrics(metrics).tokens.inc({ provider, direction: 'output' }, output);
}
