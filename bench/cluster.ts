// Several processes on one PostgreSQL: what one does holds on the others, and work outlives the process that has it.
// Usage: node bench/cluster.ts [--times 1] [--postgres postgres://…]
import { setTimeout as pause } from 'node:timers/promises';
import { startScriptedModel } from '#testing/scripted-model-server.ts';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { startCluster, type Cluster } from './drills/processes.ts';
import { call, follow, newCaller, newCallers, startResearch, type Client } from './parts/client.ts';
import { percentile } from './parts/figures.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { ideaOf } from './parts/ideas.ts';

const MODEL_MS = 700;
const CALLS = 4;
const RESEARCHES = 16;
const STAGGER_MS = 40;
const HEARTBEAT_MS = 12_000;
/** What ends this long after a worker was lost was on it. */
const LATE_MS = 6000;
const REVOKED_WITHIN_MS = 100;
const LIMIT = 10;

const { times, postgres } = drillOptions({ times: 1, postgres: 'postgres://postgres@127.0.0.1:5432/postgres' });
const verdict = openVerdict();
const check = (holds: boolean, what: string): void => (holds ? say(`ok  ${what}`) : verdict.violated(what));
for (let round = 0; round < times; round += 1) await oneRound(String(postgres));
verdict.conclude(`${times} × two API processes and two workers`);

async function oneRound(serverUrl: string): Promise<void> {
  await using kept = new AsyncDisposableStack();
  const database = kept.use(await freshDatabase(serverUrl));
  const model = kept.use(await startScriptedModel({ latencyMs: MODEL_MS }));
  const failed: string[] = [];
  const cluster = await startCluster(kept, database.url, { LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' }, (why) => failed.push(why));
  check(failed.length === 0, `four processes start at once on an empty database${failed.length > 0 ? `; ${failed.length} ended: ${failed[0]}` : ''}`);
  await followElsewhere(cluster);
  await shareLimit(cluster);
  await revokeElsewhere(cluster);
  await loseWorker(cluster);
}

/** Started on one process, followed on the other, worked on a third. */
async function followElsewhere({ apis: [here, there] }: Cluster): Promise<void> {
  const caller = await newCaller(here.url);
  const jobId = await startResearch(caller, ideaOf(0));
  const times: number[] = [];
  const events: string[] = [];
  for await (const { event } of follow({ ...caller, url: there.url }, jobId)) {
    events.push(event);
    times.push(performance.now());
  }
  check(
    events.at(-1) === 'done' && events.includes('result'),
    `a research started on one process is followed to its end on the other: ${events.length} lines`,
  );
  const live = new Set(times.map((at) => Math.round(at / (MODEL_MS / 2)))).size;
  check(live >= 4, `its lines came as it went, at ${live} different times`);
}

/** The limit of `POST /research` counts over both processes. */
async function shareLimit({ apis: [here, there] }: Cluster): Promise<void> {
  const caller = await newCaller(here.url);
  const urls = Array.from({ length: LIMIT + 1 }, (_, n) => (n % 2 === 0 ? here.url : there.url));
  const statuses: number[] = [];
  for (const [n, url] of urls.entries())
    statuses.push((await call({ ...caller, url }, 'POST', '/research', { body: { idea: ideaOf(100 + n) } })).status);
  const together = await newCaller(here.url);
  const raced = await Promise.all(urls.map((url, n) => call({ ...together, url }, 'POST', '/research', { body: { idea: ideaOf(200 + n) } })));
  check(
    statuses.slice(0, LIMIT).every((status) => status === 202) && statuses.at(-1) === 429,
    `split over both, request ${LIMIT + 1} within a minute is refused: ${statuses.join(' ')}`,
  );
  const refused = raced.filter(({ status }) => status === 429);
  check(
    refused.length === 1 && Number(refused[0]?.headers.get('retry-after')) > 0,
    `of ${LIMIT + 1} at the same time ${refused.length} is refused, with Retry-After`,
  );
}

/** A session revoked on one process is refused on the other, which had it in memory, and its stream there ends. */
async function revokeElsewhere({ apis: [here, there] }: Cluster): Promise<void> {
  const refusedAfter: number[] = [];
  const closedAfter: number[] = [];
  const withDone: string[] = [];
  for (let n = 0; n < 10; n += 1) {
    const caller = await newCaller(here.url);
    const elsewhere = { ...caller, url: there.url };
    const jobId = await startResearch(caller, ideaOf(300 + n));
    const stream = follow(elsewhere, jobId);
    await stream.next();
    await call(elsewhere, 'GET', '/projects');
    const closed = drain(stream).then((last) => ({ last, at: performance.now() }));
    await call(caller, 'DELETE', '/auth/session');
    const revokedAt = performance.now();
    while ((await call(elsewhere, 'GET', '/projects')).status !== 401);
    refusedAfter.push(performance.now() - revokedAt);
    const { last, at } = await closed;
    closedAfter.push(Math.max(0, at - revokedAt));
    if (last === 'done') withDone.push(jobId);
  }
  const longest = (values: number[]): string => `p50 ${Math.round(percentile(values, 0.5))} ms, longest ${Math.round(Math.max(...values))} ms`;
  check(Math.max(...refusedAfter) <= REVOKED_WITHIN_MS, `a session revoked on one process is refused on the other: ${longest(refusedAfter)}`);
  check(Math.max(...closedAfter) <= REVOKED_WITHIN_MS, `its stream there ends: ${longest(closedAfter)}`);
  check(withDone.length === 0, 'and ends without done');
}

/** The last event of a stream; one that was cut off ends there. */
async function drain(stream: AsyncGenerator<{ event: string }>): Promise<string> {
  let last = '';
  try {
    for await (const { event } of stream) last = event;
  } catch (error) {
    // The other side ended the connection.
    if (!(error instanceof TypeError)) throw error;
  }
  return last;
}

/** A worker that is ended in the middle delays its researches by no more than the heartbeat and two seconds, and they complete. */
async function loseWorker({ apis: [here, there], workers: [lost] }: Cluster): Promise<void> {
  const callers = await newCallers(here.url, RESEARCHES);
  const started = performance.now();
  const runs: ReturnType<typeof timed>[] = [];
  for (const [n, caller] of callers.entries()) {
    runs.push(timed({ ...caller, url: n % 2 === 0 ? here.url : there.url }, ideaOf(400 + n)));
    // One by one, so that both workers get their share.
    await pause(STAGGER_MS);
  }
  await pause(MODEL_MS);
  await lost.kill();
  const killedAt = performance.now() - started;
  const ended = await Promise.all(runs);
  const undisturbed = ended.filter(({ ms }) => ms < killedAt + LATE_MS);
  // Where the lost worker had all of them, what one has to wait for stands in for what is usual.
  const usual = Math.max(CALLS * MODEL_MS, ...undisturbed.map(({ ms }) => ms));
  const delays = ended.filter((run) => !undisturbed.includes(run)).map(({ ms }) => ms - usual);
  check(
    ended.every(({ last }) => last === 'done'),
    `all ${RESEARCHES} researches complete after a worker was ended`,
  );
  check(delays.length > 0, `it had ${delays.length} of them`);
  check(
    ended.every(({ doubled }) => doubled === 0),
    'no stage was told twice',
  );
  check(Math.max(0, ...delays) <= HEARTBEAT_MS, `they were late by ${delays.map((ms) => (ms / 1000).toFixed(1)).join(', ') || 'nothing'} s`);
}

async function timed(client: Client, idea: string): Promise<{ ms: number; last: string; doubled: number }> {
  const started = performance.now();
  const jobId = await startResearch(client, idea);
  const stages: string[] = [];
  let last = '';
  for await (const { event, data } of follow(client, jobId)) {
    last = event;
    if (event === 'stage') stages.push(`${String(data['name'])} ${String(data['status'])}`);
  }
  return { ms: performance.now() - started, last, doubled: stages.length - new Set(stages).size };
}
