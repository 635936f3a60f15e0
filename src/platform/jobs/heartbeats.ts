import type { Logger } from '../observability/log.ts';
import type { HeldJobs } from './held-jobs.ts';
import { HEARTBEAT_SECONDS, type Queue } from './queue.ts';

const EVERY_MS = (HEARTBEAT_SECONDS * 1000) / 4;

/** Says now and then that the jobs of this process are at work, and aborts those that another worker has taken over. */
export function keepBeating(queue: Pick<Queue, 'touch'>, held: HeldJobs, log: Logger): () => void {
  const beat = async () => {
    for (const [kind, jobs] of held.byKind()) {
      const alive = new Set(await queue.touch(kind, jobs));
      for (const job of jobs) if (!alive.has(job.id) && held.has(job)) job.abort.abort();
    }
  };
  const timer = setInterval(() => void beat().catch((error: unknown) => log.warn({ err: error }, 'heartbeat failed')), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
