// `GET /projects` against a bare handler that runs the same statements on the same database in the same process.
import fastify from 'fastify';
import pg from 'pg';
import { call, newCaller, type Client } from '../parts/client.ts';
import { median, milliseconds, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startInProcess, type InProcess } from '../parts/in-process.ts';
import { openLoad, type LoadGenerator } from '../parts/load.ts';

const ROUNDS = 7;
const ROUND_MS = 1200;
const CONNECTIONS = 16;
const PROJECTS = 5;

type Statement = { text: string; values: unknown[] };

await using kept = new AsyncDisposableStack();
const load = kept.use(await openLoad());
for (const place of await places(kept)) await compare(place, load);

async function compare({ name, env }: Place, load: LoadGenerator): Promise<void> {
  // Without workers: what they ask of the database must not be among the recorded statements.
  await using service = await startInProcess({ ...env, ROLES: 'api' });
  const caller = await newCaller(service.url);
  for (let n = 0; n < PROJECTS; n += 1) await call(caller, 'POST', '/projects', { body: { title: ideaOf(n) } });
  const statements = await statementsOf(() => call(caller, 'GET', '/projects'));
  await using bare = await openBare(service, statements);
  const burst = (url: string) => load.run({ url, token: caller.token, connections: CONNECTIONS, ms: ROUND_MS });
  await burst(`${service.url}/projects`);
  await burst(bare.url);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ours: await burst(`${service.url}/projects`), theirs: await burst(bare.url) });
  const failed = rounds.reduce((sum, { ours, theirs }) => sum + ours.failed + theirs.failed, 0);
  report({
    measure: `GET /projects on ${name}, ${statements.length} statements${failed > 0 ? `, ${failed} FAILED` : ''}`,
    value: `${Math.round(median(rounds.map(({ ours }) => ours.perSecond)))}/s, p50 ${milliseconds(median(rounds.map(({ ours }) => ours.p50)))}`,
    compared: `bare handler ${Math.round(median(rounds.map(({ theirs }) => theirs.perSecond)))}/s, p50 ${milliseconds(median(rounds.map(({ theirs }) => theirs.p50)))}`,
    ratio: `${median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)).toFixed(2)} (aim 0.80 or more)`,
  });
}

/** What a request asks of the database, recorded at the driver. */
async function statementsOf(request: () => Promise<unknown>): Promise<Statement[]> {
  await request();
  const statements: Statement[] = [];
  const original = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...given: unknown[]): unknown {
    const [first, values] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    statements.push(typeof first === 'string' ? { text: first, values: values ?? [] } : { text: first.text, values: first.values ?? values ?? [] });
    return original.apply(this, given);
  };
  pg.Client.prototype.query = recording as unknown as typeof pg.Client.prototype.query;
  await request();
  pg.Client.prototype.query = original as unknown as typeof pg.Client.prototype.query;
  return statements;
}

async function openBare({ database }: InProcess, statements: readonly Statement[]): Promise<AsyncDisposable & Pick<Client, 'url'>> {
  const server = fastify({ logger: false });
  server.get('/projects', async () => {
    const answers: unknown[][] = [];
    for (const { text, values } of statements) answers.push((await database.query(text, values)).rows);
    return { items: answers[0] };
  });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/projects`, [Symbol.asyncDispose]: () => server.close() };
}
