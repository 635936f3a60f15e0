// Attacks the service with malformed, boundary and random requests over raw sockets, and lists what it should not have done.
// Usage: node bench/fuzz.ts [--count 100000] [--seed 1] [--lanes 8] [--port 8080] [--every 10000]
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { openVerdict, say } from './drills/options.ts';
import { runFuzz } from './fuzz/run-fuzz.ts';
import type { Tally } from './fuzz/tally.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { freePort, startProcess, type StartedProcess } from './parts/started-process.ts';

const QUIET_MS = 3000;
const LONGEST_QUIET_MS = 600_000;

const { values } = parseArgs({
  options: { count: { type: 'string' }, seed: { type: 'string' }, lanes: { type: 'string' }, port: { type: 'string' }, every: { type: 'string' } },
});
const count = Number(values.count ?? 100_000);
const seed = Number(values.seed ?? 1);
const every = Number(values.every ?? 10_000);

const verdict = openVerdict();
using folder = scratchFolder();
await using service = await startProcess({ dataDir: folder.path, port: values.port ? Number(values.port) : await freePort() });
const started = performance.now();
let printed = 0;
printUse(service, 0);
const tally = await runFuzz({
  url: service.url,
  keyFile: join(folder.path, 'identity-key.json'),
  count,
  seed,
  lanes: Number(values.lanes ?? 8),
  progress: (sent) => {
    if (sent < printed + every) return;
    printed = sent;
    printUse(service, sent);
  },
});
const seconds = (performance.now() - started) / 1000;
const failed = await failedJobs(service);
printUse(service, count);
printTally(tally);
printComplaints(service.complaints);
for (const { name, what, request } of tally.violations) verdict.violated(`${name}: ${what}\n    ${request}`);
for (const job of failed) verdict.violated(job);
verdict.conclude(`${count} requests with seed ${seed} in ${Math.round(seconds)} s (${Math.round(count / seconds)}/s)`);

function printUse({ memory, pid }: StartedProcess, sent: number): void {
  const { now, most } = memory();
  const open = readdirSync(`/proc/${pid}/fd`).length;
  const time = Math.round((performance.now() - started) / 1000);
  say(
    `${String(sent).padStart(7)} sent  ${String(time).padStart(4)} s  memory ${megabytes(now)} (most ${megabytes(most)})  data ${megabytes(sizeOf(folder.path))}  ${open} files open`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`.padStart(7);
}

/** Bytes of all files in a folder; those that vanish meanwhile count nothing. */
function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Waits until no background job ends any more, and gives those that failed. */
async function failedJobs({ url }: StartedProcess): Promise<string[]> {
  const deadline = performance.now() + LONGEST_QUIET_MS;
  let before = '';
  let quietSince = performance.now();
  while (performance.now() < deadline && performance.now() - quietSince < QUIET_MS) {
    const now = (await jobCounts(url)).join('\n');
    if (now !== before) quietSince = performance.now();
    before = now;
    await pause(250);
  }
  const counts = await jobCounts(url);
  say(counts.map((line) => `  ${line}`).join('\n'));
  return counts.filter((line) => line.includes('outcome="failed"'));
}

async function jobCounts(url: string): Promise<string[]> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
  return lines.filter((line) => line.startsWith('job_duration_seconds_count'));
}

function printTally({ statuses, slowest }: Tally): void {
  for (const [name, own] of [...statuses].sort(([one], [other]) => one.localeCompare(other))) {
    const counts = [...own].sort().map(([status, times]) => `${status}×${times}`);
    say(`  ${name.padEnd(60)} ${`${Math.round(slowest.get(name) ?? 0)} ms`.padStart(9)}  ${counts.join(' ')}`);
  }
}

function printComplaints(lines: readonly string[]): void {
  const kinds = new Map<string, { times: number; first: string }>();
  for (const line of lines) {
    const text = [/"msg":"((?:[^"\\]|\\.)*)"/, /"message":"((?:[^"\\]|\\.)*)"/].map((part) => part.exec(line)?.[1] ?? '').join(': ');
    const kind = kinds.get(text) ?? { times: 0, first: line };
    kind.times += 1;
    kinds.set(text, kind);
  }
  if (kinds.size === 0) say('  nothing was logged as a warning or worse');
  for (const [text, { times, first }] of kinds) say(`  logged ${times} times: ${text}\n    ${first.slice(0, 700)}`);
}
