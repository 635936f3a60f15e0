import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../observability/log.ts';
import type { StrikeRecord } from './record-strikes.ts';

/** Notices when a job keeps this process from answering, and leaves word of it in case the process goes down. */
export type JobWatch = {
  run<T>(jobId: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** What the thread begins with. `beats`: how often the process had its turn. `memory`: bytes of its heap and of all of it then. */
export type WatchStart = {
  beats: Int32Array;
  memory: Float64Array;
  /** 0 until the thread has written down what a dying process asked it to. */
  written: Int32Array;
  /** An expression that gives the id of the job at work, or null. */
  question: string;
  /** How long the process may be silent before it counts as blocked. */
  blockedMs: number;
  heapLimit: number;
  processId: string;
  record: StrikeRecord;
  logLevel: string;
};

/** What the thread is told: a job began, a job ended, the process dies of what a job threw and nobody caught. */
export type WatchNews = { began: string } | { ended: string } | { diesOf: string };

/** Where the thread asks, within this process, which job is at work. */
const AT_WORK = 'groundwork.job-at-work';

const BEAT_EVERY_MS = 200;
const BLOCKED_MS = 4000;
const LAST_WORD_MS = 3000;
const THREAD_HEAP_MB = 64;

/**
 * Loads its thread with the first job.
 * @param blockedMs how long the process may be silent before it counts as blocked; less than the heartbeat of a job lasts
 */
export function watchJobs(record: StrikeRecord, log: Pick<Logger, 'level' | 'warn'>, blockedMs = BLOCKED_MS): JobWatch {
  const atWork = new AsyncLocalStorage<string>();
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const written = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const memory = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
  let thread: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  const tell = (news: WatchNews) => thread?.postMessage(news);

  const beat = () => {
    const { heapUsed, rss } = process.memoryUsage();
    memory.set([heapUsed, rss]);
    Atomics.add(beats, 0, 1);
  };
  const leaveLastWord = () => {
    const jobId = atWork.getStore();
    if (jobId === undefined) return;
    tell({ diesOf: jobId });
    Atomics.wait(written, 0, 0, LAST_WORD_MS);
  };
  const start = () => {
    const workerData: WatchStart = {
      beats,
      memory,
      written,
      question: `globalThis[Symbol.for(${JSON.stringify(AT_WORK)})]()`,
      blockedMs,
      heapLimit: getHeapStatistics().heap_size_limit,
      processId: randomUUID(),
      record,
      logLevel: log.level,
    };
    beat();
    timer = setInterval(beat, BEAT_EVERY_MS).unref();
    thread = new Worker(join(import.meta.dirname, 'watch-thread.mjs'), {
      workerData,
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
    });
    thread.unref();
    thread.on('error', (error) => log.warn({ err: error }, 'jobs are no longer watched'));
    Object.defineProperty(globalThis, Symbol.for(AT_WORK), { value: () => atWork.getStore() ?? null, configurable: true });
    process.on('uncaughtExceptionMonitor', leaveLastWord);
  };

  return {
    run: async (jobId, work) => {
      if (!thread) start();
      tell({ began: jobId });
      try {
        return await atWork.run(jobId, work);
      } finally {
        tell({ ended: jobId });
      }
    },
    close: async () => {
      process.off('uncaughtExceptionMonitor', leaveLastWord);
      clearInterval(timer);
      await thread?.terminate();
    },
  };
}
