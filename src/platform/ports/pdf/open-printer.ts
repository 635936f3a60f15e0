import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Paper } from './paper.ts';

/** Sets documents and draws pictures beside the thread that answers requests. */
export type Printer = {
  /** A paper as PDF. @throws PrintFailed */
  pdf(paper: Paper): Promise<Uint8Array>;
  /** An SVG as PNG, so many pixels wide. @throws PrintFailed */
  png(svg: string, width: number): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** It could not be set: the renderer is missing, too busy, too slow, or broke over it. */
export class PrintFailed extends Error {
  override name = 'PrintFailed';
}

export type PrintTask = { kind: 'pdf'; paper: Paper } | { kind: 'png'; svg: string; width: number };
export type PrintAnswer = { bytes: Uint8Array; failed?: never } | { failed: string; bytes?: never };

type Waiting = { task: PrintTask; resolve(bytes: Uint8Array): void; reject(error: PrintFailed): void };
type Press = { worker: Worker; current: Waiting | null; timer: NodeJS.Timeout | undefined };

export type PrinterOptions = { threads?: number; limitMs?: number; idleMs?: number; maxWaiting?: number; script?: URL };

/** A printer whose threads start with the first task, end when idle, and are replaced when one hangs or dies. */
export function openPrinter({
  threads = Math.max(1, Math.min(2, availableParallelism() - 1)),
  limitMs = 20_000,
  idleMs = 60_000,
  maxWaiting = 40,
  script = new URL('./print-worker.ts', import.meta.url),
}: PrinterOptions = {}): Printer {
  const presses = new Set<Press>();
  const waiting: Waiting[] = [];
  let isClosed = false;

  const submit = (task: PrintTask): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new PrintFailed('the printer is closed'));
      if (waiting.length >= maxWaiting) return reject(new PrintFailed(`${maxWaiting} documents are waiting already`));
      waiting.push({ task, resolve, reject });
      feed();
    });

  function feed(): void {
    while (waiting.length > 0) {
      const press = [...presses].find(({ current }) => current === null) ?? (presses.size < threads ? startPress() : undefined);
      const next = press && waiting.shift();
      if (!press || !next) return;
      give(press, next);
    }
  }

  function give(press: Press, next: Waiting): void {
    clearTimeout(press.timer);
    press.current = next;
    press.timer = setTimeout(() => discard(press, `took longer than ${limitMs} ms`), limitMs);
    press.worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    press.worker.postMessage(next.task);
  }

  function startPress(): Press {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: 512 }, env: {} });
    const press: Press = { worker, current: null, timer: undefined };
    presses.add(press);
    worker.unref();
    worker.on('message', (answer: PrintAnswer) => {
      const done = press.current;
      rest(press);
      if (answer.bytes) done?.resolve(answer.bytes);
      else done?.reject(new PrintFailed(answer.failed));
      feed();
    });
    worker.on('error', (error) => discard(press, String(error)));
    worker.on('exit', () => discard(press, 'the renderer ended'));
    return press;
  }

  function rest(press: Press): void {
    clearTimeout(press.timer);
    press.current = null;
    press.worker.unref();
    press.timer = setTimeout(() => discard(press, 'idle'), idleMs);
    press.timer.unref();
  }

  function discard(press: Press, why: string): void {
    if (!presses.delete(press)) return;
    clearTimeout(press.timer);
    press.current?.reject(new PrintFailed(why));
    press.current = null;
    void press.worker.terminate();
    feed();
  }

  return {
    pdf: (paper) => submit({ kind: 'pdf', paper }),
    png: (svg, width) => submit({ kind: 'png', svg, width }),
    close: async () => {
      isClosed = true;
      for (const { reject } of waiting.splice(0)) reject(new PrintFailed('the printer is closed'));
      const workers = [...presses].map(({ worker }) => worker);
      for (const press of presses) discard(press, 'the printer is closed');
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}
