// Ends the service at random moments while feature researches, build graphs and briefs are under way: all of them end, nothing
// is told or written twice, and the revisions of a brief have no gap.
// Usage: node bench/kill-chain.ts [--times 20] [--postgres postgres://…]; `--times` is how many of each kind.
import { setTimeout as pause } from 'node:timers/promises';
import {
  advance,
  checkRun,
  deviceOf,
  isSettled,
  isUnderWay,
  KINDS,
  newRun,
  progressOf,
  type Ground,
  type Run,
  type Violation,
} from './drills/chain.ts';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { call, research } from './parts/client.ts';
import { percentile } from './parts/figures.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { startGraphModel } from './parts/graph-model.ts';
import { ideaOf } from './parts/ideas.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { freePort, startProcess, type Setting } from './parts/started-process.ts';

const MODEL_MS = 40;
/** How much of what there is to do is done in one life, at the most. */
const SHARE_OF_A_LIFE = 0.12;
/** Things acknowledged and events of one run, about. */
const PROGRESS_EACH = 30;
const LOOK_EVERY_MS = 3;
/** On a server, work of a process that is gone is taken up only after its heartbeat ended. */
const LONGEST_LIFE_MS = 20_000;
const MOST_KILLS = 200;
const PATIENCE_MS = 120_000;

const { times, postgres } = drillOptions({ times: 20 });
const verdict = openVerdict();
await using kept = new AsyncDisposableStack();
const folder = kept.use(scratchFolder());
const model = kept.use(await startGraphModel([6, 3], MODEL_MS));
const database = postgres ? kept.use(await freshDatabase(postgres)) : null;
const setting: Setting = {
  dataDir: folder.path,
  port: await freePort(),
  env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted', ...(database ? { DATABASE_URL: database.url } : {}) },
};
const violated: Violation = (run, what) => verdict.violated(`${run.kind} ${run.number} (${run.id ?? 'not acknowledged'}, ${run.cuts} cuts): ${what}`);

const started = performance.now();
const runs = (await grounds()).flatMap((ground, number) => KINDS.map((kind) => newRun(kind, number, ground)));
say(`${times} researches stand; ${runs.length} runs begin`);
const starts: number[] = [];
let kills = 0;
while (kills < MOST_KILLS && !runs.every(isSettled)) {
  await oneLife();
  if (kills % 10 === 0) say(`${kills} kills, ${runs.filter(isSettled).length} of ${runs.length} runs are over`);
}
await lastLife();
const of = (kind: Run['kind']): string => `${runs.filter((run) => run.kind === kind && isSettled(run) && !run.isBroken).length} ${kind}`;
verdict.conclude(
  `${kills} kills in ${Math.round((performance.now() - started) / 1000)} s on ${database ? 'PostgreSQL' : 'PGlite'}: ${KINDS.map(of).join(', ')} ended; ` +
    `${runs.filter(({ cuts }) => cuts > 0).length} of ${runs.length} were cut, ${runs.reduce((sum, { cuts }) => sum + cuts, 0)} times together; ` +
    `${runs.reduce((sum, { lines }) => sum + lines.length, 0)} events, ${runs.reduce((sum, { revisions }) => sum + revisions.length, 0)} rewrites acknowledged; ` +
    `start p50 ${Math.round(percentile(starts, 0.5))} ms`,
);

/** Projects with a completed research each, before anything is cut. */
async function grounds(): Promise<Ground[]> {
  await using service = await startProcess(setting);
  const one = async (number: number): Promise<Ground> => {
    const session = await call({ url: service.url, token: '' }, 'POST', '/auth/anonymous', { body: { device_id: deviceOf(number) } });
    const client = { url: service.url, token: String(session.body['token']) };
    const idea = ideaOf(number);
    await research(client, idea);
    const again = await call(client, 'POST', '/projects/research', { body: { idea } });
    return { client, idea, projectId: String(again.body['project_id']), researchId: String(again.body['job_id']) };
  };
  const made: Ground[] = [];
  for (let number = 0; number < times; number += 1) made.push(await one(number));
  return made;
}

async function oneLife(): Promise<void> {
  const launched = performance.now();
  const service = await startProcess(setting);
  starts.push(performance.now() - launched);
  const life = new AbortController();
  const open = runs.filter((run) => !isSettled(run));
  const work = Promise.all(open.map((run) => advance(run, service.url, life.signal, violated)));
  await randomProgress(open);
  for (const run of open) if (isUnderWay(run)) run.cuts += 1;
  await service.kill();
  life.abort();
  kills += 1;
  await work;
}

async function randomProgress(open: readonly Run[]): Promise<void> {
  const deadline = performance.now() + (database ? Math.random() ** 2 * LONGEST_LIFE_MS : LONGEST_LIFE_MS);
  const progress = (): number => open.reduce((sum, run) => sum + progressOf(run), 0);
  const enough = progress() + Math.random() * SHARE_OF_A_LIFE * runs.length * PROGRESS_EACH;
  while (performance.now() < deadline && progress() < enough && !open.every(isSettled)) await pause(LOOK_EVERY_MS);
}

/** Lets everything end, then looks at all of it. */
async function lastLife(): Promise<void> {
  await using service = await startProcess(setting);
  const life = new AbortController();
  const work = Promise.all(runs.map((run) => advance(run, service.url, life.signal, violated)));
  await Promise.race([work, pause(PATIENCE_MS, undefined, { ref: false })]);
  life.abort();
  await work;
  for (const run of runs) {
    if (!isSettled(run)) violated(run, `is not over after ${PATIENCE_MS / 1000} s`);
    else await checkRun(run, violated);
  }
}
