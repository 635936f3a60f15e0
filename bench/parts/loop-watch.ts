// Loaded into the service by `--import`: writes each stall of its event loop to the file that LOOP_LOG names.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { machineClock } from './figures.ts';

const EVERY_MS = 5;
const WORTH_TELLING_MS = 20;

const file = process.env['LOOP_LOG'];
if (file && isMainThread && process.argv[1]?.endsWith('main.mjs')) watch(file);

/** A line per stall: when it ended by the machine's clock, how long nothing else had its turn, and what of it this thread computed. */
function watch(path: string): void {
  let [last, busy] = [machineClock(), processorTime()];
  const look = setInterval(() => {
    const [now, used] = [machineClock(), processorTime()];
    const stall = now - last - EVERY_MS;
    if (stall > WORTH_TELLING_MS) appendFileSync(path, `${JSON.stringify({ at: now, stall, computed: used - busy })}\n`);
    [last, busy] = [machineClock(), processorTime()];
  }, EVERY_MS);
  look.unref();
}

/** Milliseconds of processor time that this thread has used. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
