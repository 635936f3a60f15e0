import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Work beside the thread that answers requests, one task at a time on each of a few threads. */
export type Threads<Task, Answer> = {
  /** What the script answers to a task. @throws ThreadFailed; the signal's reason, after which nobody waits for the answer */
  run(task: Task, signal?: AbortSignal): Promise<Answer>;
  /** Starts a thread where none runs, so that the first task does not wait for it. */
  prepare(): void;
  close(): Promise<void>;
};

/** There is no answer: the thread could not start, died or took too long, or too many tasks wait. */
export class ThreadFailed extends Error {
  override name = 'ThreadFailed';
}

export type ThreadOptions = {
  /** A module that answers every message with one. */
  script: URL;
  /** What it is called in errors. */
  name: string;
  threads?: number;
  /** How long one task may take, the start of its thread included. */
  limitMs: number;
  /** A thread without work ends after this time. */
  idleMs?: number;
  maxWaiting: number;
  memoryMb: number;
};

type Waiting<Task, Answer> = { task: Task; resolve(answer: Answer): void; reject(error: unknown): void };
type Running<Task, Answer> = { worker: Worker; current: Waiting<Task, Answer> | null; timer: NodeJS.Timeout | undefined };

/** Threads that start with the first task, end when idle, and are replaced when one hangs or dies. */
export function openThreads<Task, Answer>({
  script,
  name,
  threads = Math.max(1, Math.min(2, availableParallelism() - 1)),
  limitMs,
  idleMs = 60_000,
  maxWaiting,
  memoryMb,
}: ThreadOptions): Threads<Task, Answer> {
  const running = new Set<Running<Task, Answer>>();
  const waiting: Waiting<Task, Answer>[] = [];
  let isClosed = false;

  function feed(): void {
    while (waiting.length > 0) {
      const free = [...running].find(({ current }) => current === null) ?? (running.size < threads ? start() : undefined);
      const next = free && waiting.shift();
      if (!free || !next) return;
      give(free, next);
    }
  }

  function give(thread: Running<Task, Answer>, next: Waiting<Task, Answer>): void {
    clearTimeout(thread.timer);
    thread.current = next;
    thread.timer = setTimeout(() => discard(thread, `took longer than ${limitMs} ms`), limitMs);
    thread.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.worker.postMessage(next.task);
  }

  function start(): Running<Task, Answer> {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: memoryMb }, env: {} });
    const thread: Running<Task, Answer> = { worker, current: null, timer: undefined };
    running.add(thread);
    worker.unref();
    worker.on('message', (answer: Answer) => {
      const done = thread.current;
      rest(thread);
      done?.resolve(answer);
      feed();
    });
    worker.on('error', (error) => discard(thread, String(error)));
    worker.on('exit', () => discard(thread, `the ${name} ended`));
    return thread;
  }

  function rest(thread: Running<Task, Answer>): void {
    clearTimeout(thread.timer);
    thread.current = null;
    thread.worker.unref();
    thread.timer = setTimeout(() => discard(thread, 'idle'), idleMs);
    thread.timer.unref();
  }

  function discard(thread: Running<Task, Answer>, why: string): void {
    if (!running.delete(thread)) return;
    clearTimeout(thread.timer);
    thread.current?.reject(new ThreadFailed(why));
    thread.current = null;
    void thread.worker.terminate();
    feed();
  }

  function enqueue(entry: Waiting<Task, Answer>): void {
    if (isClosed) throw new ThreadFailed(`the ${name} is closed`);
    if (waiting.length >= maxWaiting) throw new ThreadFailed(`${maxWaiting} tasks for the ${name} are waiting already`);
    waiting.push(entry);
    feed();
  }

  return {
    run: async (task, signal) => {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const entry: Waiting<Task, Answer> = { task, resolve, reject };
      const leave = (): void => {
        const place = waiting.indexOf(entry);
        if (place >= 0) waiting.splice(place, 1);
        reject(signal?.reason);
      };
      enqueue(entry);
      signal?.addEventListener('abort', leave, { once: true });
      try {
        return await promise;
      } finally {
        signal?.removeEventListener('abort', leave);
      }
    },
    prepare: () => {
      if (!isClosed && running.size === 0) rest(start());
    },
    close: async () => {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new ThreadFailed(`the ${name} is closed`));
      const workers = [...running].map(({ worker }) => worker);
      for (const thread of running) discard(thread, `the ${name} is closed`);
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
