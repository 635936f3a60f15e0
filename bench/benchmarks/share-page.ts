// `GET /share/{share_token}` as browsers of many addresses ask for it (each may ask 30 times a minute), against a bare
// handler that sends the same bytes from memory.
import fastify from 'fastify';
import { call, newCaller, research, startResearch, type Client } from '../parts/client.ts';
import { median, milliseconds, report } from '../parts/figures.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { ideaOf } from '../parts/ideas.ts';
import { startInProcess } from '../parts/in-process.ts';
import { openLoad, type LoadGenerator } from '../parts/load.ts';

const ROUNDS = 5;
const ROUND_MS = 1200;
const CONNECTIONS = 16;

await using kept = new AsyncDisposableStack();
const load = kept.use(await openLoad());
for (const place of await places(kept)) await compare(place, load);

async function compare({ name, env }: Place, load: LoadGenerator): Promise<void> {
  await using service = await startInProcess({ ...env, TRUST_PROXY: 'true' });
  const caller = await newCaller(service.url);
  // The second request for an idea that is known gives its id at once.
  await research(caller, ideaOf(0));
  const shared = await call(caller, 'POST', `/research/${await sharedId(caller)}/share`);
  const page = `${service.url}${new URL(String(shared.body['share_url'])).pathname}`;
  const html = await (await fetch(page)).text();
  await using bare = await openBare(html);
  const burst = (url: string) => load.run({ url, token: '', connections: CONNECTIONS, ms: ROUND_MS, fromMany: true });
  await burst(page);
  await burst(bare.url);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push({ ours: await burst(page), theirs: await burst(bare.url) });
  const failed = rounds.reduce((sum, { ours, theirs }) => sum + ours.failed + theirs.failed, 0);
  report({
    measure: `GET /share/{share_token} on ${name}, ${Math.round(html.length / 1000)} kB${failed > 0 ? `, ${failed} FAILED` : ''}`,
    value: `${Math.round(median(rounds.map(({ ours }) => ours.perSecond)))}/s, p50 ${milliseconds(median(rounds.map(({ ours }) => ours.p50)))}, p99 ${milliseconds(median(rounds.map(({ ours }) => ours.p99)))}`,
    compared: `the same bytes from memory ${Math.round(median(rounds.map(({ theirs }) => theirs.perSecond)))}/s, p50 ${milliseconds(median(rounds.map(({ theirs }) => theirs.p50)))}`,
    ratio: median(rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)).toFixed(2),
  });
}

async function sharedId(caller: Client): Promise<string> {
  const again = await call(caller, 'POST', '/research', { body: { idea: ideaOf(0) } });
  return again.status === 200 ? String(again.body['job_id']) : startResearch(caller, ideaOf(0));
}

async function openBare(html: string): Promise<AsyncDisposable & Pick<Client, 'url'>> {
  const server = fastify({ logger: false });
  server.get('/page', (_request, reply) => reply.type('text/html; charset=utf-8').send(html));
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return { url: `${url}/page`, [Symbol.asyncDispose]: () => server.close() };
}
