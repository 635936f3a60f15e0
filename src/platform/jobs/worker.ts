import type { WorkedJob } from './define-job.ts';
import { startFetching, type FetchedJob } from './fetch-loop.ts';
import { keepBeating } from './heartbeats.ts';
import { openHeldJobs, type HeldJob } from './held-jobs.ts';
import { jobTopic } from './queue.ts';
import { openTurns } from './turns.ts';
import { workerOf, type WorkNeeds } from './work-job.ts';

export type Worker = { stop(graceMs: number): Promise<void> };

/**
 * Works the listed jobs: one loop fetches for all kinds, up to `concurrency` jobs at once and of a kind no more than it
 * allows; heartbeats and completions go in batches, and what a lost worker had is taken up when its last heartbeat has
 * ended. A job that waits for its next try, or for a moment that it named, holds no place. One that took a process down is
 * tried once more, alone, and set aside when that one goes down as well. Stopping lets short jobs end and gives the others
 * back to the queue.
 */
export function startWorker(needs: WorkNeeds, jobs: readonly WorkedJob[], concurrency: number): Worker {
  const { queue, wakeups, log } = needs;
  const turns = openTurns();
  const held = openHeldJobs(concurrency, new Map(jobs.map(({ job }) => [job.name, job.concurrency])));
  const workers = new Map(jobs.map((worked) => [worked.job.name, workerOf({ ...needs, turns }, worked)]));
  const begin = (kind: string, job: FetchedJob) => {
    const self: HeldJob = { id: job.id, retryCount: job.retryCount, kind, abort: new AbortController(), finished: Promise.resolve() };
    held.add(self);
    self.finished = (workers.get(kind)?.({ job, held: self }) ?? Promise.resolve())
      .catch((error: unknown) => log.error({ err: error, job: kind }, 'settling a job failed'))
      .finally(() => {
        held.remove(self);
        loop.slotFreed();
      });
  };
  const loop = startFetching({ queue, wakeups, log, share: held.share, begin }, [...workers.keys()]);
  const stopBeating = keepBeating(queue, held, log);

  return {
    stop: async (graceMs) => {
      await loop.stop();
      await Promise.race([Promise.all(held.all().map((job) => job.finished)), pause(graceMs)]);
      stopBeating();
      const rest = held.byKind();
      for (const job of held.all()) job.abort.abort();
      for (const [kind, cutOff] of rest) {
        await queue.giveBack(kind, cutOff);
        await wakeups.notify(jobTopic(kind));
      }
    },
  };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms).unref());
