// From the start of the process to its first healthy answer, on a new folder and on a used one, and its memory when idle;
// beside it what opening the embedded database of the same folder takes alone.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { machineClock, median, megabytes, milliseconds, ratioOf, report } from '../parts/figures.ts';
import { scratchFolder } from '../parts/scratch-folder.ts';
import { freePort, startProcess, type Setting, type StartedProcess } from '../parts/started-process.ts';

const ROUNDS = 3;
const USED_PER_ROUND = 2;
/** By then what is loaded after a start is loaded. */
const IDLE_AFTER_MS = 12_000;

type Started = { ms: number; idle: number };

const port = await freePort();
const [empty, used, bare]: [Started[], Started[], number[]] = [[], [], []];
for (let round = 0; round < ROUNDS; round += 1) {
  using folder = scratchFolder();
  const setting = { dataDir: join(folder.path, 'data'), port };
  empty.push(await startOnce(setting));
  for (let start = 0; start < USED_PER_ROUND; start += 1) used.push(await startOnce(setting));
  bare.push(await openAlone(join(setting.dataDir, 'postgres')));
}
for (const [what, starts] of Object.entries({ 'a new folder': empty, 'a used folder': used })) {
  const times = starts.map(({ ms }) => ms);
  report({
    measure: `healthy after a start on ${what}`,
    value: `${milliseconds(median(times))}, ${milliseconds(Math.min(...times))} to ${milliseconds(Math.max(...times))}`,
    ...(starts === used ? { compared: `${milliseconds(median(bare))} to open its database alone`, ratio: ratioOf(median(times), median(bare)) } : {}),
  });
  report({
    measure: `memory ${IDLE_AFTER_MS / 1000} s after a start on ${what}`,
    value: `${megabytes(median(starts.map(({ idle }) => idle)))}, at most ${megabytes(Math.max(...starts.map(({ idle }) => idle)))}`,
  });
}

async function startOnce(setting: Setting): Promise<Started> {
  const began = machineClock();
  await using service: StartedProcess = await startProcess(setting);
  const answer = await fetch(`${service.url}/health`);
  if (!answer.ok) throw new Error(`not healthy after its start: ${answer.status}`);
  const ms = machineClock() - began;
  await pause(IDLE_AFTER_MS);
  return { ms, idle: service.memory().now };
}

/** A process that does nothing but open the database and answer one statement. */
async function openAlone(dir: string): Promise<number> {
  const began = machineClock();
  const program = `import { PGlite } from '@electric-sql/pglite'; const db = new PGlite(process.argv[1]); await db.query('select 1'); process.exit(0);`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program, dir], { cwd: import.meta.dirname });
  return machineClock() - began;
}
