import type { Logger } from '../observability/log.ts';
import { openBell } from '../streams/bell.ts';
import type { Wakeups } from '../streams/wakeups.ts';
import { HEARTBEAT_SECONDS, jobTopic, type Attempt, type Queue } from './queue.ts';

export type FetchLoop = {
  /** Says that there is room again for what waits. */
  slotFreed(): void;
  /** Ends the loop; what it has begun by then goes on. */
  stop(): Promise<void>;
};

export type FetchedJob = Attempt & { data: unknown };

type Needs = {
  queue: Pick<Queue, 'boss' | 'look' | 'takeBack' | 'tidy'>;
  wakeups: Wakeups;
  log: Logger;
  /** How many jobs of each of these kinds may begin now. */
  share(kinds: Iterable<string>): Map<string, number>;
  begin(kind: string, job: FetchedJob): void;
};

/** What an earlier process left behind is looked for when the requests that wait for this start are answered. */
const FIRST_LOOK_MS = 250;
/** A kind that was called and had nothing: another process took it, or it may begin later only. */
const LOOK_SOON_MS = 250;
/** A worker that takes up what everybody was called for counts as gone this long afterwards, at the soonest. */
const HEARTBEAT_MS = HEARTBEAT_SECONDS * 1000;
const IDLE_MS = 30_000;
/** While nobody can be called. */
const UNCALLED_MS = 5000;
const AFTER_FAILURE_MS = 1000;
const TIDY_EVERY_MS = 15 * 60_000;

/**
 * Fetches the jobs of all kinds. A kind is fetched when it is called; what comes without a call (delayed jobs, those of
 * lost workers, lost calls) is found by looking: one statement for all kinds, at the moment when there may be
 * something, and twice a minute when nothing is expected.
 */
export function startFetching({ queue, wakeups, log, share, begin }: Needs, kinds: readonly string[]): FetchLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  const bell = openBell();
  // In the order in which they were called; one that may have more goes to the end.
  const called = new Set<string>();
  let lookAt = performance.now() + FIRST_LOOK_MS;
  let tidyAt = performance.now() + TIDY_EVERY_MS * Math.random();

  const lookWithin = (milliseconds: number) => {
    lookAt = Math.min(lookAt, performance.now() + milliseconds);
    bell.ring();
  };
  const detach = kinds.map((kind) =>
    wakeups.on(jobTopic(kind), () => {
      called.add(kind);
      lookWithin(HEARTBEAT_MS);
    }),
  );

  const fetchSome = async (kind: string, most: number) => {
    called.delete(kind);
    const batch = await queue.boss.fetch<object>(kind, { batchSize: most });
    if (batch.length === most) called.add(kind);
    if (batch.length === 0) lookWithin(LOOK_SOON_MS);
    for (const job of batch) begin(kind, job);
  };
  const look = async () => {
    lookAt = performance.now() + (wakeups.live() ? IDLE_MS : UNCALLED_MS);
    const { due, lost, nextInMs } = await queue.look();
    for (const kind of due) if (kinds.includes(kind)) called.add(kind);
    if (Number.isFinite(nextInMs)) lookWithin(nextInMs + 1);
    if (lost.length > 0) await takeBack(lost);
    if (performance.now() < tidyAt) return;
    tidyAt = performance.now() + TIDY_EVERY_MS;
    await queue.tidy();
  };
  /** Hands what lost workers had to whoever is awake, here or in another process. */
  const takeBack = async (lost: readonly string[]) => {
    lookWithin(AFTER_FAILURE_MS);
    await queue.takeBack(lost);
    log.info({ jobs: lost }, 'took back jobs whose worker is gone');
    for (const kind of lost) await wakeups.notify(jobTopic(kind));
  };
  const work = async () => {
    if (performance.now() >= lookAt) await look();
    const shares = share(called);
    // Every answer is waited for: what was fetched is begun whatever becomes of the rest.
    const fetched = await Promise.allSettled([...shares].map(([kind, most]) => fetchSome(kind, most)));
    for (const one of fetched) if (one.status === 'rejected') throw one.reason;
    if (shares.size === 0) await bell.next(AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.ceil(lookAt - performance.now())))]));
  };
  const loop = async () => {
    while (!signal.aborted) {
      await work().catch(async (error: unknown) => {
        if (signal.aborted) return;
        log.error({ err: error }, 'fetching jobs failed');
        lookAt = performance.now() + AFTER_FAILURE_MS;
        await bell.next(AbortSignal.any([signal, AbortSignal.timeout(AFTER_FAILURE_MS)]));
      });
    }
  };
  const running = loop();
  return {
    slotFreed: bell.ring,
    stop: async () => {
      stopping.abort();
      await running;
      for (const stop of detach) stop();
    },
  };
}
