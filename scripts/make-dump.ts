// Makes a dump of a database that an earlier version of the service filled over HTTP: one of everything, and work in flight.
// `tests/contract/earlier-version.test.ts` opens it with the code of today.
// Usage: node scripts/make-dump.ts --checkout <folder with that version, installed> --name <name> [--postgres postgres://…]
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { signIdentityToken } from '../src/features/auth/index.ts';
import { startScriptedModel } from '#testing/scripted-model-server.ts';
import { call, follow, startResearch, type Client } from '../bench/parts/client.ts';
import { freshDatabase } from '../bench/parts/fresh-database.ts';
import { scratchFolder } from '../bench/parts/scratch-folder.ts';
import { freePort, startProcess } from '../bench/parts/started-process.ts';

const FOLDER = join(import.meta.dirname, '../tests/contract/dumps');
const USER = 'somebody-of-before';
const IDEA = 'A habit tracking app with streaks and reminders';
const PATIENCE_MS = 60_000;
const MOST_CALLS = 100;

const { values } = parseArgs({
  options: {
    checkout: { type: 'string' },
    name: { type: 'string' },
    postgres: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
});
const { checkout, name } = values;
if (!checkout || !name) throw new Error('--checkout and --name are needed');

await using database = await freshDatabase(values.postgres);
using folder = scratchFolder();
const setting = { dataDir: folder.path, port: await freePort(), checkout, env: { DATABASE_URL: database.url } };
const ids = { ...(await fill()), cut_job_id: await cutOff() };
const dumped = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', database.url], { maxBuffer: 2 ** 30, encoding: 'utf8' });
// Commands to psql, which no database understands.
const dump = dumped.replaceAll(/^\\(?:un)?restrict .*\n/gm, '');
mkdirSync(FOLDER, { recursive: true });
writeFileSync(join(FOLDER, `${name}.sql.gz`), gzipSync(dump, { level: 9 }));
writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify({ user: USER, ids }, null, 2)}\n`);

/** One of everything, finished. */
async function fill(): Promise<Record<string, string>> {
  await using service = await startProcess(setting);
  const client = await signIn(service.url);
  const begun = await send(client, 'POST', '/projects/research', { idea: IDEA });
  const [project, job] = [text(begun, 'project_id'), text(begun, 'job_id')];
  await settle(client, `/research/${job}/status`);
  const shared = await send(client, 'POST', `/research/${job}/share`);
  const features = await send(client, 'POST', '/feature-research', {
    idea: IDEA,
    research_id: job,
    features: [{ id: 'streaks', name: 'Streaks', source: 'own' }],
  });
  await settle(client, `/feature-research/${text(features, 'job_id')}`);
  const graph = text(
    await send(client, 'POST', '/build-graphs', {
      idea: IDEA,
      project_id: project,
      features: [{ id: 'streaks', label: 'Streaks', source: 'research' }],
    }),
    'id',
    'graph_id',
  );
  const tree = await settle(client, `/build-graphs/${graph}`);
  const node = firstNode(tree);
  await send(client, 'POST', `/build-nodes/${node}/risk`, {});
  await send(client, 'POST', `/build-nodes/${node}/expand`, {});
  const brief = text(await send(client, 'POST', '/briefs', { project_id: project, research_id: job }), 'id', 'brief_id');
  await settle(client, `/briefs/${brief}`);
  await send(client, 'POST', `/briefs/${brief}/sections/positioning/regenerate`, {});
  await settle(client, `/briefs/${brief}`);
  const card = text(await send(client, 'POST', '/ideas', { idea: `${IDEA}, as a card` }), 'card_id', 'id');
  await send(client, 'POST', '/products/events', { event: 'card_opened', card_id: card });
  await settle(client, `/products/${card}`);
  return {
    project_id: project,
    job_id: job,
    feature_job_id: text(features, 'job_id'),
    graph_id: graph,
    node_id: node,
    brief_id: brief,
    card_id: card,
    share_token: text(shared, 'share_token', 'token'),
  };
}

/** A research that was under way when its process was killed. */
async function cutOff(): Promise<string> {
  await using model = await startScriptedModel({ faults: Array.from({ length: MOST_CALLS }, () => 'hang' as const) });
  const service = await startProcess({ ...setting, env: { ...setting.env, LLM_B_BASE_URL: model.url, LLM_B_MODEL: 'scripted' } });
  const client = await signIn(service.url);
  const job = await startResearch(client, `${IDEA}, cut off`);
  for await (const { event } of follow(client, job)) if (event === 'stage') break;
  await service.kill();
  return job;
}

async function signIn(url: string): Promise<Client> {
  const token = await signIdentityToken(join(folder.path, 'identity-key.json'), { userId: USER, issuer: url }, 600);
  return { url, token };
}

async function send(client: Client, method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await call(client, method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Waits until something of the service's is ready, and gives it. */
async function settle(client: Client, path: string): Promise<Record<string, unknown>> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const body = await send(client, 'GET', path);
    const status = String(body['status'] ?? (body['card'] as { state?: string } | undefined)?.state);
    if (['completed', 'ready'].includes(status)) return body;
    if (status === 'failed' || Date.now() > deadline) throw new Error(`${path} is ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
}

/** The first of these fields that is a text. */
function text(body: Record<string, unknown>, ...fields: string[]): string {
  const found = fields.map((field) => body[field]).find((value) => typeof value === 'string');
  if (typeof found !== 'string') throw new Error(`none of ${fields.join(', ')} in ${JSON.stringify(body).slice(0, 300)}`);
  return found;
}

function firstNode(body: Record<string, unknown>): string {
  const [first] = (body['nodes'] ?? body['roots'] ?? []) as { id: string }[];
  if (!first) throw new Error(`no node in ${JSON.stringify(body).slice(0, 300)}`);
  return first.id;
}
