import { messageOf } from '#lib/errors.ts';
import { openThreads, type ThreadOptions } from '../../threads/open-threads.ts';
import type { Document } from '../document.ts';

/** Sets documents and draws pictures beside the thread that answers requests. */
export type Printer = {
  /** A document as PDF. @throws PrintFailed */
  pdf(document: Document): Promise<Uint8Array>;
  /** An SVG as PNG, so many pixels wide. @throws PrintFailed */
  png(svg: string, width: number): Promise<Uint8Array>;
  close(): Promise<void>;
};

/** It could not be set: the renderer is missing, too busy, too slow, or broke over it. */
export class PrintFailed extends Error {
  override name = 'PrintFailed';
}

export type PrintTask = { kind: 'pdf'; document: Document } | { kind: 'png'; svg: string; width: number };
export type PrintAnswer = { bytes: Uint8Array; failed?: never } | { failed: string; bytes?: never };

export type PrinterOptions = Partial<Pick<ThreadOptions, 'threads' | 'limitMs' | 'maxWaiting' | 'script'>>;

/** A printer on threads of its own, which start with the first document. */
export function openPrinter(options: PrinterOptions = {}): Printer {
  const script = new URL('./print-worker.ts', import.meta.url);
  const threads = openThreads<PrintTask, PrintAnswer>({ script, name: 'renderer', limitMs: 20_000, maxWaiting: 40, memoryMb: 512, ...options });
  const print = async (task: PrintTask): Promise<Uint8Array> => {
    const answer = await threads.run(task).catch((error: unknown) => ({ failed: messageOf(error) }));
    if ('bytes' in answer && answer.bytes) return answer.bytes;
    throw new PrintFailed(answer.failed);
  };
  return {
    pdf: (document) => print({ kind: 'pdf', document }),
    png: (svg, width) => print({ kind: 'png', svg, width }),
    close: () => threads.close(),
  };
}
