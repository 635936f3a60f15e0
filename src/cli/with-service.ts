import type { Run } from './command.ts';
import { connect, type Connected } from './connect.ts';
import { openDisplay } from './open-display.ts';
import type { ProgressDisplay } from './progress-display.ts';
import type { StageLabels } from './progress.ts';

type Work<T> = (connected: Connected, display: ProgressDisplay) => Promise<T>;

/**
 * Does something at a service, with its progress on standard error. Whatever happens, a service that was started for it
 * has stopped afterwards.
 */
export async function withService<T>(options: { url: string | undefined; stages: StageLabels }, run: Run, work: Work<T>): Promise<T> {
  const display = openDisplay(process.stderr, options.stages, run.env);
  let connected: Connected | undefined;
  try {
    connected = await connect(options.url, run, (message) => display.show({ event: 'headline', data: { message } }));
    return await work(connected, display);
  } finally {
    if (run.signal.aborted) display.show({ event: 'headline', data: { message: 'Stopping …' } });
    await connected?.stop(run.signal.aborted ? 0 : undefined);
    display.end();
    if (run.signal.aborted) process.stderr.write(`${goodbye(connected)}\n`);
  }
}

const goodbye = (connected: Connected | undefined): string => {
  if (!connected) return 'Stopped before anything began.';
  return connected.embedded
    ? 'Stopped. The same command goes on where it was.'
    : `Stopped following. What was started goes on at ${connected.client.url}; the same command goes on from there.`;
};
