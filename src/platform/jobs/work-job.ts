import { messageOf } from '../../lib/errors.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { jobMetrics } from './job-metrics.ts';
import { traced } from '../observability/tracing.ts';
import type { Wakeups } from '../streams/wakeups.ts';
import type { WorkedJob } from './define-job.ts';
import type { FetchedJob } from './fetch-loop.ts';
import type { HeldJob } from './held-jobs.ts';
import { inBatches } from '#lib/in-batches.ts';
import { countStrikes, forgetStrikes, SetAside, STRIKES } from './job-strikes.ts';
import { jobTopic, type Queue } from './queue.ts';
import { countDeferrals, MOST_DEFERRALS, RetryLater, waitUntil } from './retry-later.ts';
import type { Turns } from './turns.ts';
import type { JobWatch } from './watch-jobs.ts';

/** Without `watch` nobody notices a job that blocks the process. */
export type WorkNeeds = { database: Database; queue: Queue; wakeups: Wakeups; log: Logger; metrics: Metrics; watch?: JobWatch | undefined };

type Outcome = 'completed' | 'failed' | 'deferred' | 'given_back';
type Working = { job: FetchedJob; held: HeldJob };

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Works jobs of one kind, each to its end or to its next try; neither failing nor waiting for that throws. */
export function workerOf(needs: WorkNeeds & { turns: Turns }, { job: kind, run, exhausted }: WorkedJob): (working: Working) => Promise<void> {
  const { database, queue, wakeups, log, metrics, watch, turns } = needs;
  const { kysely: db } = database;
  const complete = inBatches<HeldJob>((batch) => queue.complete(kind.name, batch));

  const runInTurn = async ({ job, held }: Working) => {
    const details = { signal: held.abort.signal, attempt: job.retryCount + 1 };
    const runOnce = () => traced(`job ${kind.name}`, { 'job.id': job.id }, () => run(job.data, details));
    const watched = () => (watch ? watch.run(job.id, runOnce) : runOnce());
    const strikes = details.attempt > 1 ? await countStrikes(database, job.id) : 0;
    if (strikes >= STRIKES) throw new SetAside();
    if (strikes === 0) return turns.shared(watched, details.signal);
    // Whatever takes the process down now can only be this one.
    await turns.alone(watched, details.signal);
    await forgetStrikes(database, job.id);
  };

  const putOff = async (held: HeldJob, { at }: RetryLater): Promise<Outcome> => {
    await queue.defer(kind.name, held, waitUntil(at));
    log.info({ job: kind.name, jobId: held.id, until: at }, 'job put off');
    await wakeups.notify(jobTopic(kind.name));
    return 'deferred';
  };
  const giveUp = async ({ job, held }: Working, error: unknown): Promise<Outcome> => {
    await exhausted(job.data, error).catch((failure: unknown) =>
      log.error({ err: failure, job: kind.name, jobId: job.id }, 'giving a job up failed'),
    );
    await queue.giveUp(kind.name, held);
    if (error instanceof SetAside) await forgetStrikes(database, job.id);
    return 'failed';
  };
  const fail = async (working: Working, error: unknown): Promise<Outcome> => {
    const { job, held } = working;
    // A try that put itself off has not failed.
    const deferrals = job.retryCount > 0 ? await countDeferrals(db, job.id) : 0;
    if (error instanceof RetryLater && deferrals < MOST_DEFERRALS) return putOff(held, error);
    const failed = job.retryCount + 1 - deferrals;
    log.error({ err: error, job: kind.name, jobId: job.id, attempt: job.retryCount + 1 }, 'job failed');
    if (error instanceof SetAside || failed > kind.retries) return giveUp(working, error);
    await queue.failTry(kind.name, held, messageOf(error), Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failed - 1)));
    await wakeups.notify(jobTopic(kind.name));
    return 'failed';
  };

  return async (working) => {
    const { abort } = working.held;
    const started = performance.now();
    let outcome: Outcome = 'failed';
    try {
      await runInTurn(working);
      await complete(working.held);
      outcome = 'completed';
    } catch (error) {
      // Given back, or taken over by another worker: that one settles it.
      outcome = abort.signal.aborted ? 'given_back' : await fail(working, error);
    } finally {
      jobMetrics(metrics).durations.observe({ job: kind.name, outcome }, (performance.now() - started) / 1000);
    }
  };
}
