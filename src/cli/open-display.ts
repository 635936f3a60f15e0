import type { WriteStream } from 'node:tty';
import type { Env } from '#platform/config/env.ts';
import { liveDisplay, plainDisplay, type ProgressDisplay } from './progress-display.ts';
import type { StageLabels } from './progress.ts';

/** A display that redraws itself on a terminal; plain lines elsewhere, on a build server, and where colours are not wanted. */
export function openDisplay(stream: WriteStream, labels: StageLabels, env: Env): ProgressDisplay {
  // Some terminals do not say how large they are; nothing can be redrawn there.
  const redrawable = stream.isTTY && stream.columns > 0 && stream.rows > 0;
  return redrawable && env['NO_COLOR'] === undefined && env['CI'] === undefined ? liveDisplay(stream, labels) : plainDisplay(stream, labels);
}
