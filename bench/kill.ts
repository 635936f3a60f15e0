// Ends the service at random moments while researches are under way, and checks that nothing acknowledged is lost or doubled.
// Usage: node bench/kill.ts [--times 100] [--postgres postgres://…]
import { setTimeout as pause } from 'node:timers/promises';
import { startScriptedModel } from '#testing/scripted-model-server.ts';
import { advance, checkKept, isEnded, isSettled, newAttempt, progressOf, settleAll, type Attempt, type Violation } from './drills/acknowledged.ts';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { percentile } from './parts/figures.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { numberIn } from './parts/ideas.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { end, freePort, launch, startProcess, type Setting } from './parts/started-process.ts';

const IN_FLIGHT = 30;
const MODEL_MS = 40;
const CALLS = 4;
/** Things acknowledged and events of one research from its beginning to its end, about. */
const PROGRESS_EACH = 18;
const LOOK_EVERY_MS = 5;
const LONGEST_LIFE_MS = 30_000;
const START_KILL_SHARE = 0.15;
const LOOKED_AT_AGAIN = 15;
const PATIENCE_MS = 120_000;

const { times, postgres } = drillOptions({ times: 100 });
const verdict = openVerdict();
await using kept = new AsyncDisposableStack();
const folder = kept.use(scratchFolder());
const calls = new Map<number, number>();
const model = kept.use(await startScriptedModel({ latencyMs: MODEL_MS, answer: ({ prompt }) => countCall(prompt) }));
const database = postgres ? kept.use(await freshDatabase(postgres)) : null;
const setting: Setting = {
  dataDir: folder.path,
  port: await freePort(),
  env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted', ...(database ? { DATABASE_URL: database.url } : {}) },
};
const attempts: Attempt[] = [];
const starts: number[] = [];
const complaints = new Map<string, number>();
let kills = 0;
const violated: Violation = ({ number, jobId, cuts }, what) =>
  verdict.violated(`attempt ${number} (research ${jobId ?? 'not acknowledged'}, ${cuts} cuts): ${what}`);

const started = performance.now();
while (kills < times) {
  if (kills > 0 && Math.random() < START_KILL_SHARE) await killWhileStarting();
  else await oneLife();
  if (kills % 10 === 0) say(`${kills} kills, ${attempts.length} researches, ${attempts.filter(isEnded).length} completed`);
}
await lastLife();
for (const attempt of attempts) checkCalls(attempt);
say([...complaints].map(([message, count]) => `  logged ${count} times: ${message}`).join('\n') || '  nothing was logged as a warning or worse');
verdict.conclude(
  `${kills} kills in ${Math.round((performance.now() - started) / 1000)} s on ${database ? 'PostgreSQL' : 'PGlite'}, ${attempts.length} researches ` +
    `(${attempts.filter(({ cuts }) => cuts > 0).length} of them cut), ${[...calls.values()].reduce((sum, count) => sum + count, 0)} model calls, ` +
    `start p50 ${Math.round(percentile(starts, 0.5))} ms, longest ${Math.round(Math.max(...starts))} ms`,
);

/** Starts the service, looks after what was acknowledged, fills up to thirty researches and ends it at a random moment. */
async function oneLife(): Promise<void> {
  const service = await startTimed();
  await checkSome();
  const missing = IN_FLIGHT - attempts.filter((attempt) => !isSettled(attempt)).length;
  for (let n = 0; n < missing; n += 1) attempts.push(newAttempt(attempts.length));
  const life = new AbortController();
  const open = attempts.filter((attempt) => !isSettled(attempt));
  const work = Promise.all(open.map((attempt) => advance(attempt, service.url, life.signal, violated)));
  await randomProgress(open);
  for (const attempt of open) if (attempt.asked && !isEnded(attempt)) attempt.cuts += 1;
  await service.kill();
  life.abort();
  kills += 1;
  await work;
  keepComplaints(service.complaints);
}

/**
 * Until a random part of the work is done, wherever that is: the speed of the machine does not decide what is cut. On a
 * server, work of a process that is gone is taken up only after its heartbeat ended; some lives last that long.
 */
async function randomProgress(open: readonly Attempt[]): Promise<void> {
  const deadline = performance.now() + (database ? Math.random() ** 2 * LONGEST_LIFE_MS : LONGEST_LIFE_MS);
  const progress = (): number => open.reduce((sum, attempt) => sum + progressOf(attempt), 0);
  const enough = progress() + Math.random() * (open.length * PROGRESS_EACH - progress());
  while (performance.now() < deadline && progress() < enough && !open.every(isSettled)) await pause(LOOK_EVERY_MS);
}

async function killWhileStarting(): Promise<void> {
  const { child } = launch(setting);
  await pause(Math.random() * percentile(starts, 0.5));
  for (const attempt of attempts) if (attempt.asked && !isEnded(attempt)) attempt.cuts += 1;
  await end(child, 'SIGKILL');
  kills += 1;
}

/** Lets everything end, then looks at all of it. */
async function lastLife(): Promise<void> {
  await using service = await startTimed();
  await settleAll(attempts, service.url, PATIENCE_MS, violated);
  keepComplaints(service.complaints);
}

async function checkSome(): Promise<void> {
  const settled = attempts.filter(isSettled);
  const some = Array.from({ length: Math.min(LOOKED_AT_AGAIN, settled.length) }, () => settled[Math.floor(Math.random() * settled.length)]);
  const open = attempts.filter((attempt) => !isSettled(attempt));
  for (const attempt of [...open, ...some]) if (attempt) await checkKept(attempt, violated);
}

async function startTimed() {
  const launched = performance.now();
  const service = await startProcess(setting);
  starts.push(performance.now() - launched);
  return service;
}

function countCall(prompt: string): undefined {
  const number = numberIn(prompt);
  if (number !== null) calls.set(number, (calls.get(number) ?? 0) + 1);
  // What was asked is not needed again, and thousands of prompts would fill the memory.
  model.calls.length = 0;
}

function checkCalls(attempt: Attempt): void {
  const made = calls.get(attempt.number) ?? 0;
  if (made > CALLS + attempt.cuts) violated(attempt, `${made} model calls`);
  if (made < CALLS) violated(attempt, `only ${made} model calls were seen`);
}

function keepComplaints(lines: readonly string[]): void {
  const texts = [/"msg":"((?:[^"\\]|\\.)*)"/, /"why":"([^"]*)"/, /"err":\{[^}]*?"message":"((?:[^"\\]|\\.)*)"/];
  for (const line of lines) {
    const found = texts.flatMap((text) => text.exec(line)?.[1]?.slice(0, 120) ?? []);
    const text = found.join(': ') || line.slice(0, 120);
    complaints.set(text, (complaints.get(text) ?? 0) + 1);
  }
}
