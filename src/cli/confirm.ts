import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/**
 * Asks a question; yes is `y` or `yes`, everything else, also the end of the input, is no.
 * @throws the reason of `signal` when it is aborted
 */
export async function confirm(question: string, { input, output }: { input: Readable; output: Writable }, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  output.write(`${question} [y/N] `);
  // Not as a terminal: that one would keep Ctrl-C for itself.
  const lines = createInterface({ input, terminal: false, signal });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
  } finally {
    lines.close();
  }
  // Without an answer the question has not ended its line.
  output.write('\n');
  signal.throwIfAborted();
  return false;
}
