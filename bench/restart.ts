// Ends the process group of `npm start` at random moments under load and starts it again at once, as a supervisor does.
// Every start must succeed, also when the holder's number belongs to another process by then; of two starts on one folder
// exactly one succeeds and the other says why.
// Usage: node bench/restart.ts [--times 50]
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startScriptedModel } from '#testing/scripted-model-server.ts';
import { advance, checkKept, isEnded, isSettled, newAttempt, settleAll, type Attempt, type Violation } from './drills/acknowledged.ts';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { percentile } from './parts/figures.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { endGroup, freePort, launchGroup, type Launched, type Setting } from './parts/started-process.ts';

const IN_FLIGHT = 30;
const MODEL_MS = 40;
const LONGEST_LIFE_MS = 4000;
const START_LIMIT_MS = 5000;
const REUSED_EVERY = 5;
const TRIES = 20;
const PATIENCE_MS = 120_000;
const REFUSAL_MS = 15_000;

const { times } = drillOptions({ times: 50 });
const verdict = openVerdict();
await using kept = new AsyncDisposableStack();
const folder = kept.use(scratchFolder());
const model = kept.use(await startScriptedModel({ latencyMs: MODEL_MS, answer: () => forget() }));
const setting: Setting = { dataDir: folder.path, port: await freePort(), env: { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' } };
const url = `http://127.0.0.1:${setting.port}`;
const attempts: Attempt[] = [];
const starts: number[] = [];
let failedStarts = 0;
let waited = 0;
const violated: Violation = ({ number, jobId }, what) => verdict.violated(`attempt ${number} (research ${jobId ?? 'not acknowledged'}): ${what}`);

await endGroup((await start('first')).child);
for (let kill = 1; kill <= times; kill += 1) {
  const isReused = kill % REUSED_EVERY === 0;
  // The holder's number was given to a process that lives: this one.
  if (isReused) writeFileSync(join(folder.path, 'service.json'), JSON.stringify({ pid: process.pid, url }));
  await oneLife(isReused ? `start ${kill}, with a number that another process has` : `start ${kill}`);
  if (kill % 10 === 0)
    say(`${kill} kills, ${failedStarts} starts failed, ${attempts.length} researches, ${attempts.filter(isEnded).length} completed`);
}
await twoAtOnce();
await lastLife();
verdict.conclude(
  `${times} kills of the group: ${failedStarts} of ${starts.length + failedStarts} starts failed, start p50 ${Math.round(percentile(starts, 0.5))} ms, ` +
    `longest ${Math.round(Math.max(...starts))} ms, ${waited} waited for the folder, ${attempts.length} researches, load average ${loadavg()[0]?.toFixed(1)}`,
);

function forget(): undefined {
  // What was asked is not needed again, and thousands of prompts would fill the memory.
  model.calls.length = 0;
}

/** Starts until it succeeds; every start that does not is a violation. */
async function start(name: string): Promise<Launched> {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const began = performance.now();
    const service = launchGroup(setting);
    try {
      await service.ready;
      const took = performance.now() - began;
      starts.push(took);
      if (service.complaints.some((line) => line.includes('waiting for the data folder'))) waited += 1;
      if (took > START_LIMIT_MS && name !== 'first') verdict.violated(`${name} took ${Math.round(took)} ms`);
      return service;
    } catch {
      failedStarts += 1;
      verdict.violated(`${name} failed at try ${tried}: ${service.complaints.at(-1) ?? 'without a word'}`);
    }
  }
  throw new Error(`${name} failed ${TRIES} times`);
}

async function oneLife(name: string): Promise<void> {
  const service = await start(name);
  for (const attempt of attempts.filter((one) => !isSettled(one))) await checkKept(attempt, violated);
  while (attempts.filter((attempt) => !isSettled(attempt)).length < IN_FLIGHT) attempts.push(newAttempt(attempts.length));
  const life = new AbortController();
  const work = Promise.all(attempts.map((attempt) => advance(attempt, url, life.signal, violated)));
  await pause(Math.random() * LONGEST_LIFE_MS);
  await endGroup(service.child);
  life.abort();
  void work.catch(() => {});
}

async function twoAtOnce(): Promise<void> {
  const [one, other] = [launchGroup(setting), launchGroup({ ...setting, port: await freePort() })];
  const outcomes = await Promise.all([one, other].map(outcomeOf));
  say(`two starts at once: ${outcomes.join(' | ')}`);
  if (outcomes.filter((outcome) => outcome === 'up').length !== 1) verdict.violated('of two starts at once not exactly one came up');
  const refusal = outcomes.find((outcome) => outcome !== 'up') ?? '';
  if (!refusal.includes(folder.path) || !/process \d+/.test(refusal) || !refusal.includes('http://'))
    verdict.violated(`the refusal does not say where: ${refusal}`);
  await Promise.all([endGroup(one.child), endGroup(other.child)]);
}

/** `up`, or the last words of a start that did not succeed. */
async function outcomeOf({ child, complaints, ready }: Launched): Promise<string> {
  const ended = once(child, 'exit');
  const late = pause(REFUSAL_MS, 'neither up nor ended', { ref: false });
  return Promise.race([ready.then(() => 'up'), late]).catch(async () => {
    const [code] = (await ended) as [number | null];
    return `exit ${code}: ${complaints.join(' ')}`;
  });
}

/** Lets everything end, then looks at all of it. */
async function lastLife(): Promise<void> {
  const service = await start('last start');
  await settleAll(attempts, url, PATIENCE_MS, violated);
  await endGroup(service.child);
}
