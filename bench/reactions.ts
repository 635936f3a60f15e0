// Ends the service at random moments while reactions that fail at random follow a thousand events, and checks that each
// had its effect exactly once per event.
// Usage: node bench/reactions.ts [--times 100] [--postgres postgres://…]
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { REACTIONS, type Said, type Totals } from './drills/reactions.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { end } from './parts/started-process.ts';

const EVENTS = 1000;
/** Steps of all reactions from the first to the last, about: each takes three, and some are taken again. */
const STEPS = EVENTS * REACTIONS.length * 4;
/** Shares of the kills that come while the process starts, and within a moment after a step. */
const START_KILL_SHARE = 0.1;
const AFTER_STEP_MS = 4;
const LONGEST_LIFE_MS = 30_000;
const PATIENCE_MS = 180_000;

const { times, postgres } = drillOptions({ times: 100 });
const verdict = openVerdict();
await using kept = new AsyncDisposableStack();
const folder = kept.use(scratchFolder());
const database = postgres ? kept.use(await freshDatabase(postgres)) : null;
let kills = 0;
const progress: { steps: number; totals: Totals } = { steps: 0, totals: { events: 0, done: 0, gaveUp: 0, missing: 0, doubled: 0 } };

const started = performance.now();
while (kills < times) {
  await oneLife(kills > 0 && Math.random() < START_KILL_SHARE);
  if (kills % 20 === 0) say(`${kills} kills, ${progress.totals.events} events, ${progress.totals.done} reactions done, ${progress.steps} steps`);
}
await lastLife();
verdict.conclude(
  `${kills} kills in ${Math.round((performance.now() - started) / 1000)} s on ${database ? 'PostgreSQL' : 'PGlite'}: ${progress.totals.events} events, ` +
    `${progress.totals.done} of ${EVENTS * REACTIONS.length} reactions done, ${progress.totals.missing} without their effect, ${progress.totals.doubled} with more than one, ` +
    `${progress.totals.gaveUp} gave up, ${progress.steps} steps taken`,
);

async function oneLife(endsAtOnce: boolean): Promise<void> {
  const child = launch();
  const enough = progress.steps + (endsAtOnce ? 0 : 1 + Math.random() * ((2 * STEPS) / times));
  const deadline = performance.now() + (endsAtOnce ? Math.random() * 1000 : LONGEST_LIFE_MS);
  while (performance.now() < deadline && progress.steps < enough && isUp(child)) await pause(1);
  if (!isUp(child)) verdict.violated(`the process ended by itself with code ${child.exitCode}`);
  await pause(Math.random() * AFTER_STEP_MS);
  await end(child, 'SIGKILL');
  kills += 1;
}

/** Until every reaction has ended. */
async function lastLife(): Promise<void> {
  const child = launch();
  const deadline = performance.now() + PATIENCE_MS;
  const isOver = () => progress.totals.events === EVENTS && progress.totals.done + progress.totals.gaveUp === EVENTS * REACTIONS.length;
  while (!isOver() && performance.now() < deadline && isUp(child)) await pause(50);
  await end(child, 'SIGKILL');
  if (!isOver()) verdict.violated(`not over after ${PATIENCE_MS / 1000} s`);
  const { totals } = progress;
  if (totals.missing > 0) verdict.violated(`${progress.totals.missing} reactions had no effect`);
  if (totals.doubled > 0) verdict.violated(`${progress.totals.doubled} reactions had their effect more than once`);
  if (totals.gaveUp > 0) verdict.violated(`${progress.totals.gaveUp} reactions gave up`);
}

function launch(): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const settings = { DATA_DIR: folder.path, PORT: '0', LOG_LEVEL: 'fatal', ...(database ? { DATABASE_URL: database.url } : {}) };
  const child = fork(join(import.meta.dirname, 'drills/reacting-service.ts'), [String(EVENTS)], {
    env: { PATH, HOME, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (said: Said) => {
    if ('step' in said) progress.steps += 1;
    else progress.totals = said;
  });
  return child;
}

function isUp({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
