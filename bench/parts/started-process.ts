import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type StartedProcess = AsyncDisposable & {
  url: string;
  pid: number;
  /** What it logged as a warning or worse, oldest first. */
  complaints: string[];
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Bytes of memory: now, and at the most so far. */
  memory(): { now: number; most: number };
  /** Milliseconds of processor time it used so far. */
  cpu(): Promise<number>;
};

export type Setting = {
  dataDir: string;
  port: number;
  env?: Record<string, string>;
  /** The checkout whose service is started; this one without. */
  checkout?: string;
};

const HERE = join(import.meta.dirname, '../..');
const READY = /Groundwork (is up|works in the background)/;

export type Launched = { child: ChildProcess; complaints: string[]; ready: Promise<void> };

/** Launches `src/main.mjs`, with nothing of the surrounding settings but what a process needs to run. */
export const launch = (setting: Setting): Launched => launched(process.execPath, [join(setting.checkout ?? HERE, 'src/main.mjs')], setting);

/** Launches `npm start` as a process group of its own, as a supervisor does; `endGroup` ends all of it. */
export const launchGroup = (setting: Setting): Launched => launched('npm', ['start'], setting, { cwd: HERE, detached: true });

function launched(
  command: string,
  args: readonly string[],
  { dataDir, port, env = {} }: Setting,
  how: { cwd?: string; detached?: boolean } = {},
): Launched {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  const own = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}), HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const child = spawn(command, args, { ...how, env: { ...own, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  const complaints: string[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (READY.test(line)) resolve();
      else if (!/"level":[1-3]0/.test(line)) complaints.push(line);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code}: ${complaints.slice(-5).join('\n')}`)));
  });
  ready.catch(() => {});
  return { child, complaints, ready };
}

/** The service as a process of its own, once it is up. @throws Error with its last words when it does not come up */
export async function startProcess(setting: Setting): Promise<StartedProcess> {
  const { child, complaints, ready } = launch(setting);
  await ready;
  const url = `http://127.0.0.1:${setting.port}`;
  const pid = child.pid ?? 0;
  return {
    url,
    pid,
    complaints,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    memory: () => ({ now: fromStatus(pid, 'VmRSS'), most: fromStatus(pid, 'VmHWM') }),
    cpu: async () => secondsIn(await (await fetch(`${url}/metrics`)).text()) * 1000,
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  };
}

export async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Ends every process of a group at once and waits for the first of them alone, as a supervisor does that starts the next one. */
export async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** A port that nobody listens on; kept over restarts, so that clients find the service again. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A line of `/proc/<pid>/status` in bytes (proc_pid_status(5)); NaN where there is no such file. */
function fromStatus(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}

const secondsIn = (metrics: string): number => Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
