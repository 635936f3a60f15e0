// Sends hostile texts at full length to every text field of every route, waits for the work that follows, and looks for
// answers of 500, failed jobs and stalls of the event loop.
// Usage: node bench/hostile-texts.ts [--only "POST /research"] [--postgres postgres://…] [--stall 100]
//
// The stalls are measured inside the service's process (`parts/loop-watch.ts`): the longest time in which no timer had
// its turn, and what of it the main thread computed. The second is held against the limit: the first also counts what
// other programs took of the processor. A job that ends as EMPTY_INPUT or EMPTY_OUTPUT ended as the interface says for a
// text that names no product, or none that anything is known of; it is counted and is no fault.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { signIdentityToken } from '../src/features/auth/index.ts';
import { hostileIdeas, hostileTexts, type HostileText } from '#testing/hostile-texts.ts';
import { openVerdict, say } from './drills/options.ts';
import { call, newCaller, type Answered, type Client } from './parts/client.ts';
import { machineClock } from './parts/figures.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { freePort, startProcess } from './parts/started-process.ts';
import { sample, textFields, type TextField } from './parts/text-fields.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, text: { type: 'string' }, postgres: { type: 'string' }, stall: { type: 'string', default: '100' } },
});
const LIMIT_MS = Number(options.stall);
const PATIENCE_MS = 120_000;
const LOOK_EVERY_MS = 15;
/** Requests of one caller: fewer than any limit per minute. */
const PER_CALLER = 4;
const BY_THE_INTERFACE = new Set(['EMPTY_INPUT', 'EMPTY_OUTPUT']);

const verdict = openVerdict();
await using kept = new AsyncDisposableStack();
const folder = kept.use(scratchFolder());
const dataDir = join(folder.path, 'data');
const loopLog = join(folder.path, 'loop.log');
const database = options.postgres ? kept.use(await freshDatabase(options.postgres)) : null;
const service = kept.use(
  await startProcess({
    dataDir,
    port: await freePort(),
    env: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'parts/loop-watch.ts')}`,
      LOOP_LOG: loopLog,
      ...(database ? { DATABASE_URL: database.url } : {}),
    },
  }),
);

/** What a caller has for routes that speak of something: all of it made once per few requests. */
type Owned = { client: Client; ids: ReadonlyMap<string, string> };
type Tally = { requests: number; statuses: Map<string, number>; jobs: number; asStated: Map<string, number>; failed: number };

type End = { id: string; status: string; code: string };

const counted = new Set<string>();
let used = 0;
let isWarm = false;
let owned: Owned | undefined;
const fields = textFields().filter(({ name }) => !options.only || name.includes(options.only));
await warmUp();
isWarm = true;
const started = performance.now();
let requests = 0;
for (const field of fields) {
  const tally = newTally();
  const windows: { from: number; name: string }[] = [];
  for (const text of textsFor(field)) {
    windows.push({ from: machineClock(), name: text.name });
    await ask(field, text, tally);
  }
  requests += tally.requests;
  tell(field, tally, windows);
}
verdict.conclude(
  `${requests} requests to ${fields.length} text fields on ${database ? 'PostgreSQL' : 'PGlite'} in ${Math.round((performance.now() - started) / 1000)} s`,
);

/** Ideas are also sent behind the words of a sound one: alone, many are refused as saying nothing. */
function textsFor({ steps }: TextField): readonly HostileText[] {
  const isRead = ['idea', 'title', 'description'].includes(steps.at(-1) ?? '');
  const all = isRead ? [...hostileTexts, ...hostileIdeas] : hostileTexts;
  return all.filter(({ name }) => !options.text || name === options.text);
}

async function ask(field: TextField, { name, text }: HostileText, tally: Tally): Promise<void> {
  if (!owned || used >= PER_CALLER) [owned, used] = [await newOwned(), 0];
  used += 1;
  const { ids } = owned;
  const client = field.path === '/auth/rebind' ? await signedIn() : owned.client;
  const written = text(field.maxLength);
  const fill = { steps: field.steps, text: written, idOf: (own: string) => ids.get(own) };
  const encoded = encodeURIComponent(written.toWellFormed()).slice(0, 7000);
  const path = field.path.replaceAll(/\{(\w+)\}/g, (_, own: string) =>
    field.place === 'path' && own === field.steps[0] ? encoded : (ids.get(own) ?? (own === 'id' ? (ids.get('project_id') ?? '') : randomUUID())),
  );
  const query = field.place === 'query' ? `?${field.steps[0]}=${encoded}` : '';
  const answer = await call(client, field.method, `${path}${query}`, field.body ? { body: sample(field.body, fill) } : {}).catch((error: unknown) => {
    verdict.violated(`${field.name}, ${name}: no answer (${String(error)})`);
    return undefined;
  });
  tally.requests += 1;
  if (!answer) return;
  const code = String(answer.status);
  tally.statuses.set(code, (tally.statuses.get(code) ?? 0) + 1);
  if (answer.status >= 500) verdict.violated(`${field.name}, ${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
  if (answer.status === 202 || answer.status === 201) await settle(owned, tally, `${field.name}, ${name}`, answer);
}

/** Waits until nothing of a caller's is under way any more, and counts how it ended. */
async function settle({ client }: Owned, tally: Tally, what: string, answer?: Answered): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const ends = await endsOf(client, answer);
    if (ends.every(({ status }) => ['completed', 'ready', 'failed'].includes(status))) return count(ends, tally, what);
    if (performance.now() > deadline) return verdict.violated(`${what}: not ended after ${PATIENCE_MS / 1000} s: ${JSON.stringify(ends)}`);
    await pause(LOOK_EVERY_MS);
  }
}

function count(ends: readonly End[], tally: Tally, what: string): void {
  for (const { id, status, code } of ends) {
    if (counted.has(id)) continue;
    counted.add(id);
    tally.jobs += 1;
    if (status !== 'failed') continue;
    if (BY_THE_INTERFACE.has(code)) tally.asStated.set(code, (tally.asStated.get(code) ?? 0) + 1);
    else {
      tally.failed += 1;
      verdict.violated(`${what}: a job failed with ${code}`);
    }
  }
}

/** The entries of a list, in its envelope or bare. */
async function listOf({ url, token }: Client, path: string): Promise<Record<string, unknown>[]> {
  const answer = (await (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json()) as unknown;
  const list: unknown = Array.isArray(answer) ? answer : (answer as { items?: unknown }).items;
  return (list ?? []) as Record<string, unknown>[];
}

/** Everything that a caller has set off. */
async function endsOf(client: Client, answer?: Answered): Promise<End[]> {
  const projects = await listOf(client, '/projects?limit=100');
  const begun = (await Promise.all(projects.map(({ project_id: id }) => listOf(client, `/projects/${String(id)}/research`)))).flat();
  const researches = (await Promise.all(begun.map((row) => jobOf(client, String(row['job_id'] ?? row['id']))))).flat();
  const graphs = await listOf(client, '/build-graphs?limit=100');
  const briefs = await listOf(client, '/briefs?limit=100');
  const jobId = answer?.body['job_id'];
  const own = jobId ? await jobOf(client, String(jobId)) : [];
  return [...researches, ...graphs, ...briefs, ...own].map((row) => ({
    id: String(row['job_id'] ?? row['id']),
    status: String(row['status']),
    code: String((row['error'] as { code?: unknown } | null)?.code ?? (row['error_detail'] as { code?: unknown } | null)?.code ?? 'no code'),
  }));
}

/** A research or a feature research by its id. */
async function jobOf(client: Client, id: string): Promise<Record<string, unknown>[]> {
  const research = await call(client, 'GET', `/research/${id}/status`);
  if (research.status === 200) return [{ ...research.body, id }];
  const features = await call(client, 'GET', `/feature-research/${id}`);
  return features.status === 200 ? [{ ...features.body, id }] : [];
}

/** A fresh caller with a project, a finished research, a graph and a brief. */
async function newOwned(): Promise<Owned> {
  const client = await newCaller(service.url);
  if (isWarm && !needsThings()) return { client, ids: new Map() };
  const begun = await call(client, 'POST', '/projects/research', { body: { idea: `A habit tracking app with streaks, ${randomUUID()}` } });
  const [project, job] = [String(begun.body['project_id']), String(begun.body['job_id'])];
  const ids = new Map([
    ['project_id', project],
    ['research_id', job],
    ['job_id', job],
  ]);
  const idle = newTally();
  await settle({ client, ids }, idle, 'preparing');
  const brief = await call(client, 'POST', '/briefs', { body: { project_id: project, research_id: job } });
  const graph = await call(client, 'POST', '/build-graphs', {
    body: { idea: 'A habit tracking app', features: [{ id: 'streaks', label: 'Streaks', source: 'research' }], project_id: project },
  });
  ids.set('brief_id', String(brief.body['id'] ?? brief.body['brief_id']));
  ids.set('graph_id', String(graph.body['id'] ?? graph.body['graph_id']));
  await settle({ client, ids }, idle, 'preparing');
  const tree = await call(client, 'GET', `/build-graphs/${ids.get('graph_id') ?? ''}`);
  ids.set('node_id', firstNode(tree.body) ?? randomUUID());
  return { client, ids };
}

/** Somebody whom the identity provider knows, for the one route that anonymous callers may not use. */
async function signedIn(): Promise<Client> {
  const token = await signIdentityToken(join(dataDir, 'identity-key.json'), { userId: `user-${randomUUID()}`, issuer: service.url }, 600);
  return { url: service.url, token };
}

/** The first work of each kind loads what it needs; that is told by itself. */
async function warmUp(): Promise<void> {
  const from = machineClock();
  const { client, ids } = await newOwned();
  const body = {
    idea: 'A habit tracking app',
    features: [{ id: 'corner', name: 'Quiet corner for wombats', source: 'own' }],
    research_id: ids.get('research_id'),
  };
  const begun = await call(client, 'POST', '/feature-research', { body });
  if (begun.status !== 202) verdict.violated(`warming up: ${begun.status} ${JSON.stringify(begun.body)}`);
  await settle({ client, ids }, newTally(), 'warming up', begun);
  await pause(2000);
  const first = readStalls().filter(({ at }) => at >= from);
  say(`first work of each kind: longest stall ${whole(longestOf(first, 'stall'))} ms, computed at most ${whole(longestOf(first, 'computed'))} ms`);
}

function newTally(): Tally {
  return { requests: 0, statuses: new Map(), jobs: 0, asStated: new Map(), failed: 0 };
}

/** Whether any of the fields asked about speaks of something that a caller has. */
function needsThings(): boolean {
  return fields.some(({ path, body }) => path.includes('{') || JSON.stringify(body ?? {}).includes('_id'));
}

function firstNode(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { nodes, roots } = value as { nodes?: { id: string }[]; roots?: { id: string }[] };
  return (nodes ?? roots)?.[0]?.id ?? Object.values(value).map(firstNode).find(Boolean);
}

function tell({ name }: TextField, tally: Tally, windows: readonly { from: number; name: string }[]): void {
  const stalls = readStalls().filter(({ at }) => at >= (windows[0]?.from ?? 0));
  const worst = stalls.toSorted((left, right) => right.computed - left.computed)[0];
  const during = (at: number): string => windows.findLast(({ from }) => from <= at)?.name ?? 'nothing';
  for (const { at, computed, stall } of stalls.filter((entry) => Math.min(entry.computed, entry.stall) > LIMIT_MS))
    verdict.violated(`${name}, ${during(at)}: the loop computed for ${Math.round(computed)} ms (stalled ${Math.round(stall)} ms)`);
  const statuses = [...tally.statuses].sort().map(([code, times]) => `${times} × ${code}`);
  const stated = [...tally.asStated].map(([code, times]) => `, ${times} ended as ${code}`).join('');
  const stall = worst
    ? `longest stall ${whole(longestOf(stalls, 'stall'))} ms, computed at most ${Math.round(worst.computed)} ms (${during(worst.at)})`
    : 'no stall over 20 ms';
  say(`${name}: ${tally.requests} requests, ${statuses.join(', ')}; ${tally.jobs} jobs, ${tally.failed} failed${stated}; ${stall}`);
}

type Stall = { at: number; stall: number; computed: number };

function longestOf(stalls: readonly Stall[], measure: 'stall' | 'computed'): number {
  return Math.max(0, ...stalls.map((stall) => stall[measure]));
}

function whole(value: number): string {
  return String(Math.round(value));
}

function readStalls(): Stall[] {
  try {
    const lines = readFileSync(loopLog, 'utf8').trimEnd().split('\n');
    return lines.filter(Boolean).map((line) => JSON.parse(line) as Stall);
  } catch {
    return [];
  }
}
