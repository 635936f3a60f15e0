// Runs the benchmarks, each in a process of its own, and prints a table. Nothing is asserted.
// Usage: npm run bench [-- names…]; BENCH_DATABASE_URL=postgres://… measures on PostgreSQL as well.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Row } from './parts/figures.ts';
import { scratchFolder } from './parts/scratch-folder.ts';

const BENCHMARKS = {
  start: 'how soon it answers, and what it holds when idle',
  idle: 'what it asks its database while nobody asks for anything',
  'projects-list': 'an authenticated list against a bare handler with the same statements',
  'own-time': 'our own time per research',
  'hundred-at-once': 'a hundred researches that begin together',
  'critical-path': 'one research against what it has to wait for',
  'follow-latency': "from an event's commit to the client's line",
  'rule-analyst': 'researches without any network',
  'build-graph': 'build graphs with a model, against the calls they have to wait for',
  'graph-pdf': 'a plan of 500 nodes set as PDF',
  schedules: 'what a tick costs with ten thousand schedules',
  'toast-fanout': 'toasts to thousands of sockets against a bare ws server',
  'slow-reader': 'toasts to a thousand sockets beside one that takes nothing',
  growth: 'what one caller can make grow: briefs, graphs, projects',
  'billing-webhook': 'events of the billing provider, recorded and worked',
  'share-page': 'a shared page against a bare handler with the same bytes',
} as const;
type Name = keyof typeof BENCHMARKS;

const LONGEST_MS = 180_000;
const isName = (text: string): text is Name => text in BENCHMARKS;
const print = (text: string): void => void process.stdout.write(`${text}\n`);

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !isName(name));
if (unknown.length > 0) {
  print(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHMARKS).join(', ')}.`);
  process.exit(2);
}
const names = asked.length > 0 ? asked.filter(isName) : (Object.keys(BENCHMARKS) as Name[]);
using scratch = scratchFolder();
const started = performance.now();
print(`Node ${process.version}, ${availableParallelism()} processors, load ${loadavg()[0]?.toFixed(1)} before it began`);
for (const name of names) {
  print(`\n${name}: ${BENCHMARKS[name]}`);
  await run(name);
}
print(`\n${Math.round((performance.now() - started) / 1000)} s, load ${loadavg()[0]?.toFixed(1)} at the end`);

async function run(name: Name): Promise<void> {
  const child = spawn(process.execPath, ['--expose-gc', join(import.meta.dirname, 'benchmarks', `${name}.ts`)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // What a benchmark that is cut off leaves behind goes with this folder.
    env: { ...process.env, TMPDIR: scratch.path },
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
  createInterface({ input: child.stdout }).on('line', (line) => printRow(JSON.parse(line) as Row));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(limit);
  if (code !== 0) print(`  ${name} ended with ${code === null ? `no answer within ${LONGEST_MS / 1000} s` : `code ${code}`}`);
}

function printRow({ measure, value, compared, ratio }: Row): void {
  print(`  ${measure}`);
  print(`    ${'measured'.padEnd(12)}${value}`);
  if (compared !== undefined) print(`    ${'compared'.padEnd(12)}${compared}`);
  if (ratio !== undefined) print(`    ${'ratio'.padEnd(12)}${ratio}`);
}
