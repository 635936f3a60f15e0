// What one caller can make grow: bytes written per regenerated section, nodes of one graph, and an account of 10,000 projects.
import { createProject, normaliseProject } from '#features/projects';
import { followNdjson } from '#testing/read-ndjson.ts';
import { call, follow, newCaller, type Client } from '../parts/client.ts';
import { megabytes, milliseconds, percentile, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startInProcess, type InProcess } from '../parts/in-process.ts';

const SECTIONS = ['positioning', 'features', 'market_map', 'mvp_angle'];
const REGENERATED = 300;
const EXPANDING_MS = 20_000;
const POSTED = 100;
const POSTED_LENGTH = 20_000;
const PROJECTS = 10_000;
const SEARCHES = 200;

await using kept = new AsyncDisposableStack();
for (const place of await places(kept)) {
  await using service = await startInProcess({ ...place.env, WORKER_CONCURRENCY: '4' });
  const caller = await newCaller(service.url);
  await regenerate(place, service, caller);
  await expand(place, service, caller);
  await fillAccount(place, service);
}

/** Asks for sections anew: all at once, and what was refused again. */
async function regenerate(place: Place, service: InProcess, caller: Client): Promise<void> {
  const projectId = String((await call(caller, 'POST', '/projects', { body: { title: ideaOf(1) } })).body['id']);
  const started = await call(caller, 'POST', '/research', { body: { idea: ideaOf(1), project_id: projectId } });
  for await (const _line of follow(caller, String(started.body['job_id'])));
  const briefId = String((await call(caller, 'POST', '/briefs', { body: { project_id: projectId } })).body['brief_id']);
  const written = async () => {
    for await (const _line of followNdjson(`${caller.url}/briefs/${briefId}/events`, caller.token));
  };
  await written();
  const before = await bytesOf(service);
  for (let left = REGENERATED, burst = REGENERATED; left > 0;) {
    await forgetLimits(service);
    const asked = Array.from({ length: Math.min(left, burst) }, (_, n) =>
      call(caller, 'POST', `/briefs/${briefId}/sections/${SECTIONS[n % SECTIONS.length] ?? ''}/regenerate`),
    );
    const taken = (await Promise.all(asked)).filter(({ status }) => status === 200).length;
    left -= taken;
    burst = Math.max(SECTIONS.length, taken);
    await written();
  }
  const after = await bytesOf(service);
  report({
    measure: `${REGENERATED} regenerated sections of one brief on ${place.name}`,
    value: `${kilobytes((after.written - before.written) / REGENERATED)} written to the log and ${kilobytes((after.stored - before.stored) / REGENERATED)} stored a section`,
  });
}

/** Takes every node apart that can be, and what comes of it, until nothing can or the time is over. */
async function expand(place: Place, service: InProcess, caller: Client): Promise<void> {
  const features = Array.from({ length: 20 }, (_, n) => ({ id: `f${n}`, label: `Shared list of kind ${n}`, source: 'manual' }));
  const created = await call(caller, 'POST', '/build-graphs', { body: { idea: ideaOf(2), features } });
  const graphId = String(created.body['graph_id']);
  const grown = async () => {
    for await (const _line of followNdjson(`${caller.url}/build-graphs/${graphId}/events`, caller.token));
  };
  await grown();
  const started = performance.now();
  const asked = new Set<string>();
  let refused = 0;
  for (let fresh: string[] = ['']; fresh.length > 0 && performance.now() - started < EXPANDING_MS;) {
    const { rows } = await service.database.query('select id from build_nodes where graph_id = $1 and expanded_at is null', [graphId]);
    fresh = (rows as { id: string }[]).map(({ id }) => id).filter((id) => !asked.has(id));
    for (const id of fresh) {
      if (performance.now() - started > EXPANDING_MS) break;
      asked.add(id);
      await forgetLimits(service);
      if ((await call(caller, 'POST', `/build-nodes/${id}/expand`)).status !== 202) refused += 1;
    }
    await grown();
  }
  const { rows } = await service.database.query('select count(*)::int as count from build_nodes where graph_id = $1', [graphId]);
  const seconds = Math.round((performance.now() - started) / 1000);
  report({
    measure: `a graph whose every node was asked to be taken apart for ${seconds} s on ${place.name}`,
    value: `${(rows[0] as { count: number }).count} nodes, ${refused} of ${asked.size} requests refused`,
  });
}

async function fillAccount(place: Place, service: InProcess): Promise<void> {
  const caller = await newCaller(service.url);
  const long = `${ideaOf(3)} `.repeat(POSTED_LENGTH).slice(0, POSTED_LENGTH - 20);
  const started = performance.now();
  const usedBefore = process.cpuUsage();
  let userId = '';
  for (let n = 0; n < POSTED; n += 1) {
    await forgetLimits(service);
    const made = await call(caller, 'POST', '/projects', { body: { title: ideaOf(n), description: `${n} ${long}` } });
    userId = String(made.body['user_id']);
  }
  await idle(service);
  report({
    measure: `${POSTED} projects of ${POSTED_LENGTH / 1000} kB, posted and seeded, on ${place.name}`,
    value: `${((performance.now() - started) / 1000).toFixed(1)} s, ${milliseconds(processorSince(usedBefore) / POSTED)} of processor each`,
  });
  await addProjects(service, userId, PROJECTS - POSTED);
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let n = 0; n < SEARCHES; n += 1) {
    await forgetLimits(service);
    const from = performance.now();
    const found = await call(caller, 'GET', `/projects/search?q=${encodeURIComponent(ideaOf(n))}`);
    times.push(performance.now() - from);
    if (found.status !== 200) throw new Error(`the search answered ${found.status}`);
  }
  const used = processorSince(before);
  report({
    measure: `a search among ${PROJECTS} projects of one account on ${place.name}`,
    value: `p95 ${milliseconds(percentile(times, 0.95))}, p50 ${milliseconds(percentile(times, 0.5))}, the first ${milliseconds(times[0] ?? 0)} (aim p95 50 ms); ${milliseconds(used / SEARCHES)} of processor`,
  });
  const from = performance.now();
  await call(caller, 'POST', '/projects', { body: { title: 'One more' } });
  await idle(service);
  report({ measure: `one more project beside them, seeded, on ${place.name}`, value: milliseconds(performance.now() - from) });
}

/** Projects with a vector each, without what follows a project that is posted. */
async function addProjects({ ctx }: InProcess, userId: string, count: number): Promise<void> {
  const silent = { streams: ctx.streams, events: { publish: async () => {} } };
  for (let from = 0; from < count; from += 500) {
    await ctx.db.transaction().execute(async (tx) => {
      for (let n = from; n < Math.min(count, from + 500); n += 1) {
        await createProject(silent, tx, userId, { project: normaliseProject(`Project ${n}`, ''), embedding: randomVector() });
      }
    });
  }
}

function randomVector(): number[] {
  const vector = Array.from({ length: 512 }, () => Math.random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Bytes of the write-ahead log so far, and of all tables with their indexes. */
async function bytesOf({ database }: InProcess): Promise<{ written: number; stored: number }> {
  const { rows } = await database.query(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as written, pg_database_size(current_database())::float8 as stored`,
  );
  return rows[0] as { written: number; stored: number };
}

/** Milliseconds of processor time of this process. */
function processorSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

async function idle({ database }: InProcess): Promise<void> {
  for (;;) {
    const { rows } = await database.query(`select from jobs.job where state in ('created', 'retry', 'active') and start_after <= now() limit 1`);
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function forgetLimits({ database }: InProcess): Promise<void> {
  await database.query('delete from rate_windows');
}

function kilobytes(bytes: number): string {
  return bytes > 5e6 ? megabytes(bytes) : `${Math.round(bytes / 1000)} kB`;
}
