import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { traced } from '../observability/tracing.ts';
import type { Wakeups } from '../streams/wakeups.ts';
import type { WorkedJob } from './define-job.ts';
import { HEARTBEAT_SECONDS, jobTopic, type Queue } from './queue.ts';

export type Worker = { stop(graceMs: number): Promise<void> };

type Held = { id: string; retryCount: number; abort: AbortController; finished: Promise<void> };

const HEARTBEAT_EVERY_MS = (HEARTBEAT_SECONDS * 1000) / 4;
const LONGEST_PAUSE_MS = 30_000;
const LOOK_FOR_LOST_MS = 1000;
/** What an earlier process left behind is looked for when the requests that wait for this start are answered. */
const LOOK_BEHIND_AFTER_MS = 250;

/**
 * Works the listed jobs: one fetch loop per kind, as many at once as `concurrency` allows, heartbeats and
 * completions in batches, and what a lost worker had is taken up within a second of its last heartbeat's end. Stopping lets short jobs end and gives the others back to the queue.
 */
export function startWorker(
  needs: { queue: Queue; wakeups: Wakeups; log: Logger; metrics: Metrics },
  jobs: readonly WorkedJob[],
  concurrency: number,
): Worker {
  const loops = jobs.map((job) => workOne(needs, job, concurrency));
  const stopLooking = lookForLost(needs);
  return {
    stop: async (graceMs) => {
      await stopLooking();
      await Promise.all(loops.map((loop) => loop.stop(graceMs)));
    },
  };
}

/** Hands what a lost worker had to whoever is awake, here or in another process. */
function lookForLost({ queue, wakeups, log }: Parameters<typeof startWorker>[0]): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const look = async () => {
    const names = await queue.takeBackLost();
    if (names.length > 0) log.info({ jobs: names }, 'took back jobs whose worker is gone');
    for (const name of names) await wakeups.notify(jobTopic(name));
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'looking for lost jobs failed'))
      .finally(() => (looking = undefined));
  }, LOOK_FOR_LOST_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}

function workOne(
  { queue, wakeups, log, metrics }: Parameters<typeof startWorker>[0],
  { job, run, exhausted }: WorkedJob,
  concurrency: number,
): Worker {
  const { boss } = queue;
  const stopping = new AbortController();
  const held = new Map<string, Held>();
  const wakeup = wakeups.subscribe(jobTopic(job.name));
  let slotFreed: (() => void) | undefined;
  const complete = inBatches<Held>((batch) => boss.complete(job.name, batch.map(attemptOf)).then(() => undefined));

  const work = async (item: { id: string; retryCount: number; data: unknown; signal: AbortSignal }, abort: AbortController, self: Held) => {
    const started = performance.now();
    let outcome = 'completed';
    try {
      await traced(`job ${job.name}`, { 'job.id': item.id }, () => run(item.data, { signal: abort.signal, attempt: item.retryCount + 1 }));
      await complete(self);
    } catch (error) {
      // Given back, or taken over by another worker: that one settles it.
      if (abort.signal.aborted) {
        outcome = 'given_back';
        return;
      }
      outcome = 'failed';
      log.error({ err: error, job: job.name, jobId: item.id, attempt: item.retryCount + 1 }, 'job failed');
      await pause(Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(10, item.retryCount)), stopping.signal);
      if (item.retryCount + 1 > job.retries) {
        await exhausted(item.data, error).catch((failure: unknown) =>
          log.error({ err: failure, job: job.name, jobId: item.id }, 'giving a job up failed'),
        );
        await boss.cancel(job.name, attemptOf(self));
      } else {
        await boss.fail(job.name, attemptOf(self), { message: error instanceof Error ? error.message : String(error) });
        await wakeups.notify(jobTopic(job.name));
      }
    } finally {
      metrics.jobs.observe({ job: job.name, outcome }, (performance.now() - started) / 1000);
    }
  };

  const fetchLoop = async () => {
    await wakeup.next(AbortSignal.any([stopping.signal, AbortSignal.timeout(LOOK_BEHIND_AFTER_MS)]));
    while (!stopping.signal.aborted) {
      const free = concurrency - held.size;
      if (free <= 0) {
        await new Promise<void>((resolve) => (slotFreed = resolve));
        continue;
      }
      const batch = await boss.fetch<object>(job.name, { batchSize: free }).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error, job: job.name }, 'fetching jobs failed');
        return [];
      });
      for (const item of batch) {
        const abort = new AbortController();
        const self: Held = { id: item.id, retryCount: item.retryCount, abort, finished: Promise.resolve() };
        held.set(item.id, self);
        self.finished = work(item, abort, self)
          .catch((error: unknown) => log.error({ err: error, job: job.name }, 'settling a job failed'))
          .finally(() => {
            if (held.get(item.id) === self) held.delete(item.id);
            slotFreed?.();
          });
      }
      if (batch.length < free) await wakeup.next(stopping.signal);
    }
  };

  const heartbeat = setInterval(() => {
    const batch = [...held.values()];
    if (batch.length === 0) return;
    boss
      .touch(job.name, batch.map(attemptOf))
      .then((touched) => {
        const alive = (touched as { settled?: string[] }).settled;
        if (!alive) return;
        for (const item of batch) if (!alive.includes(item.id) && held.get(item.id) === item) item.abort.abort();
      })
      .catch((error: unknown) => log.warn({ err: error, job: job.name }, 'heartbeat failed'));
  }, HEARTBEAT_EVERY_MS);
  heartbeat.unref();
  const loop = fetchLoop();

  return {
    stop: async (graceMs) => {
      stopping.abort();
      slotFreed?.();
      await loop;
      wakeup.close();
      await Promise.race([Promise.all([...held.values()].map((item) => item.finished)), pause(graceMs)]);
      clearInterval(heartbeat);
      const rest = [...held.values()];
      for (const item of rest) item.abort.abort();
      if (rest.length === 0) return;
      await boss.fail(job.name, rest.map(attemptOf), { message: 'given back' });
      await wakeups.notify(jobTopic(job.name));
    },
  };
}

const attemptOf = ({ id, retryCount }: Held) => ({ id, retryCount });

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    timer.unref();
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Gathers what arrives within one turn of the event loop into one call. */
function inBatches<T>(send: (items: T[]) => Promise<void>): (item: T) => Promise<void> {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length > 1) return;
      setImmediate(() => {
        const batch = waiting;
        waiting = [];
        send(batch.map((entry) => entry.item)).then(
          () => batch.forEach((entry) => entry.resolve()),
          (error: unknown) => batch.forEach((entry) => entry.reject(error)),
        );
      });
    });
}
