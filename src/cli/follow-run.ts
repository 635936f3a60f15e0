import { z } from 'zod';
import type { Client, StreamLine } from './client.ts';
import { RunFailed } from './command.ts';
import type { ProgressDisplay } from './progress-display.ts';

const StageData = z.object({ name: z.string(), status: z.enum(['started', 'completed', 'failed']) });
const ProgressData = z.object({ message: z.string() });
const RetryData = z.object({ attempt: z.number(), source: z.string() });
const ErrorData = z.object({ message: z.string(), code: z.string().default('') });

type Followed = {
  /** Of the stream. */
  path: string;
  /** What is followed, as the reader is told when it fails without a message. */
  what: string;
  /** Set before the names of its stages where several runs are shown together. */
  prefix?: string;
  /** What happened before is no progress any more. */
  quiet?: boolean;
  /** What the run sends beside its stages. */
  onEvent?: (line: StreamLine) => void | Promise<void>;
};

/**
 * Follows a run to its end, showing what happens.
 * @throws RunFailed with the run's own message when it failed, CommandError when it could not be followed
 */
export async function followRun(
  client: Client,
  { path, what, prefix = '', quiet = false, onEvent }: Followed,
  display: ProgressDisplay,
  signal: AbortSignal,
): Promise<void> {
  let failure: RunFailed | undefined;
  for await (const line of client.follow(path, signal)) {
    if ('attempt' in line)
      display.show({ event: 'headline', data: { message: `The connection was lost; trying to get it back (${line.attempt}) …` } });
    else if (line.event === 'error') {
      const { message, code } = ErrorData.catch({ message: `The ${what} failed.`, code: '' }).parse(line.data);
      failure = new RunFailed(message, code);
      display.show({ event: 'error', data: { message } });
    } else {
      await onEvent?.(line);
      if (!quiet) showStep(line, prefix, display);
    }
  }
  if (failure) throw failure;
}

/** Events that this version does not know are passed over, as the interface asks of its clients. */
function showStep({ event, data }: StreamLine, prefix: string, display: ProgressDisplay): void {
  const stage = event === 'stage' ? StageData.safeParse(data) : undefined;
  if (stage?.success) display.show({ event: 'stage', data: { ...stage.data, name: prefix + stage.data.name } });
  const progress = event === 'progress' ? ProgressData.safeParse(data) : undefined;
  if (progress?.success) display.show({ event: 'progress', data: progress.data });
  const retry = event === 'retry' ? RetryData.safeParse(data) : undefined;
  if (retry?.success) display.show({ event: 'retry', data: retry.data });
}
