// One of two nodes on one PostgreSQL is ended again and again, as for a new version and as by a power cut, while the other
// writes to channels that clients of it watch. A node that is asked to end closes every socket with 1012; clients that come
// back with their number have missed and doubled nothing.
// Usage: node bench/socket-restart.ts [--times 4] [--postgres postgres://…]
import { setTimeout as pause } from 'node:timers/promises';
import { appendChannelEvent } from '#features/toasts';
import { socketTo, type SocketClient } from '#testing/socket-client.ts';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { call, newCallers, type Client } from './parts/client.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { startInProcess } from './parts/in-process.ts';
import { scratchFolder } from './parts/scratch-folder.ts';
import { freePort, startProcess } from './parts/started-process.ts';

const WATCHERS = 40;
const PROJECTS = 4;
const EVENTS_A_LIFE = 60;
const LONGEST_PAUSE_MS = 20;
const RETRY_MS = 50;
const PATIENCE_MS = 120_000;
const RESTARTING = 1012;

const { times, postgres = 'postgres://postgres@127.0.0.1:5432/postgres' } = drillOptions({ times: 4 });
const verdict = openVerdict();
await using kept = new AsyncDisposableStack();
const database = kept.use(await freshDatabase(postgres));
const folder = kept.use(scratchFolder());
const env = { DATABASE_URL: database.url, ROLES: 'api', SECRETS_KEY: 'ab'.repeat(32) };
const writer = kept.use(await startInProcess(env));
const port = await freePort();
const start = () => startProcess({ dataDir: folder.path, port, env });
let node = await start();

const projects = await Promise.all(
  (await newCallers(writer.url, PROJECTS)).map(async (owner) => ({
    owner,
    id: String((await call(owner, 'POST', '/projects', { body: { title: 'zzqx vorb' } })).body['id']),
  })),
);
const due = times * EVENTS_A_LIFE;
const there = new Set<SocketClient>();
const closes = new Map<number, number>();
/** Whether the node was asked to end, and not cut off. */
let isAsked = true;
const over = AbortSignal.timeout(PATIENCE_MS);
const watching = Promise.all(Array.from({ length: WATCHERS }, (_, n) => watchAll(projects[n % PROJECTS])));
for (let life = 0; life < times; life += 1) {
  while (there.size < WATCHERS && !over.aborted) await pause(RETRY_MS);
  const writing = Promise.all(projects.map(({ id }) => write(id)));
  await pause(Math.random() * EVENTS_A_LIFE * LONGEST_PAUSE_MS * 0.5);
  isAsked = life % 2 === 0;
  await (isAsked ? node.stop() : node.kill());
  node = await start();
  await writing;
}
const seen = await watching;
await node.stop();
for (const { id, order } of seen) {
  if (order.join() !== Array.from({ length: due }, (_, n) => n + 1).join())
    verdict.violated(`a watcher of ${id} saw ${order.length} of ${due} events, or in another order`);
}
say(`sockets ended with ${[...closes].map(([code, count]) => `${code}: ${count}`).join(', ')}`);
verdict.conclude(`${times} restarts under ${WATCHERS} sockets, ${seen.length * due} events of ${PROJECTS} channels read`);

async function write(id: string): Promise<void> {
  const { ctx } = writer;
  for (let n = 0; n < EVENTS_A_LIFE; n += 1) {
    await ctx.db.transaction().execute((tx) => appendChannelEvent(ctx, tx, 'project', id, { event: 'roast.received', data: { n } }));
    await pause(Math.random() * LONGEST_PAUSE_MS);
  }
}

/** Watches until the last event, and goes on from its number whenever its socket has ended. */
async function watchAll(project: { owner: Client; id: string } | undefined): Promise<{ id: string; order: number[] }> {
  if (!project) throw new Error('no project');
  const { owner, id } = project;
  const order: number[] = [];
  const { body } = await call(owner, 'POST', '/v1/sessions/toast-bootstrap', { body: {} });
  while (order.length < due && !over.aborted) {
    const socket = await socketTo(`http://127.0.0.1:${port}/ws?token=${String(body['token'])}`).catch(() => null);
    if (!socket) await pause(RETRY_MS);
    else await readOn(socket, id, order);
  }
  return { id, order };
}

/** Takes events until the last one has come, or the socket has ended. */
async function readOn(socket: SocketClient, id: string, order: number[]): Promise<void> {
  socket.send(JSON.stringify({ type: 'subscribe', channel: 'project', id, after_seq: order.at(-1) ?? 0 }));
  there.add(socket);
  const ended = socket.closed.then(({ code }) => {
    there.delete(socket);
    closes.set(code, (closes.get(code) ?? 0) + 1);
    if (isAsked && order.length < due && code !== RESTARTING) verdict.violated(`a node that was asked to end closed a socket with ${code}`);
    return null;
  });
  while (order.length < due) {
    const text = await Promise.race([socket.next(), ended]);
    if (text === null) return;
    const { type, seq } = JSON.parse(text) as { type: string; seq: number };
    if (type === 'event') order.push(seq);
  }
  socket.close();
  await ended;
}
