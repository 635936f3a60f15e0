import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { IdeaInterpretation } from '#features/research';
import { cleanText } from '#lib/clean-text.ts';
import type { ProgressDisplay } from './progress-display.ts';

type Market = { id: string; name: string };

/**
 * Asks which of some markets is meant. Enter, and whatever is no number of one, leaves it open.
 * @throws the reason of `signal` when it is aborted
 */
export async function askMarket(
  markets: readonly Market[],
  { input, output }: { input: Readable; output: Writable },
  signal: AbortSignal,
): Promise<string | undefined> {
  signal.throwIfAborted();
  const choices = markets.map(({ name }, at) => `  ${at + 1}  ${cleanText(name)}\n`).join('');
  output.write(`Which market is meant?\n${choices}Number (Enter: none of these): `);
  // Not as a terminal: that one would keep Ctrl-C for itself.
  const lines = createInterface({ input, terminal: false, signal });
  try {
    for await (const line of lines) return markets[Number(line.trim()) - 1]?.id;
  } finally {
    lines.close();
  }
  output.write('\n');
  signal.throwIfAborted();
  return undefined;
}

/** Asks on a terminal where no market is sure; undefined where there is none to ask on. */
export function chooser(display: ProgressDisplay, signal: AbortSignal): ((about: IdeaInterpretation) => Promise<string | undefined>) | undefined {
  const { stdin: input, stderr: output } = process;
  if (!input.isTTY || !output.isTTY) return undefined;
  return async ({ markets, certainty = 'sure' }) => {
    if (certainty === 'sure' || markets.length === 0) return undefined;
    display.hold();
    return askMarket(markets, { input, output }, signal);
  };
}
