// Two nodes on one PostgreSQL. Toasts published on either reach every socket of their user exactly once, wherever it is;
// channels that are cut off at random and taken up again with their number lose and double nothing.
// Usage: node bench/realtime.ts [--times 1] [--sockets 2000] [--toasts 500] [--postgres postgres://…]
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { appendChannelEvent, deliverToast, Toast } from '#features/toasts';
import { socketTo, type SocketClient } from '#testing/socket-client.ts';
import { openVerdict, say } from './drills/options.ts';
import { call, newCallers, type Client } from './parts/client.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { startInProcess, type InProcess } from './parts/in-process.ts';

const SOCKETS_EACH = 4;
const AT_ONCE = 50;
const WATCHERS = 60;
const PROJECTS = 6;
const EVENTS = 300;
const LONGEST_PAUSE_MS = 10;
const PATIENCE_MS = 120_000;

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    sockets: { type: 'string', default: '2000' },
    toasts: { type: 'string', default: '500' },
    postgres: { type: 'string', default: 'postgres://postgres@127.0.0.1:5432/postgres' },
  },
});
const [times, sockets, toasts] = [Number(values.times), Number(values.sockets), Number(values.toasts)];
const verdict = openVerdict();
for (let round = 0; round < times; round += 1) await oneRound();
verdict.conclude(
  `${times} × ${sockets} sockets on two nodes, ${toasts} toasts, ${WATCHERS} watchers of ${PROJECTS} channels with ${EVENTS} events each`,
);

type Nodes = readonly [InProcess, InProcess];
type Member = Client & { userId: string };
type Listening = { userId: string; received: string[]; socket: SocketClient };

function pick<T>(list: readonly T[]): T {
  const found = list[randomInt(list.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

async function oneRound(): Promise<void> {
  await using kept = new AsyncDisposableStack();
  const database = kept.use(await freshDatabase(values.postgres));
  const start = () => startInProcess({ DATABASE_URL: database.url, ROLES: 'api', SECRETS_KEY: 'ab'.repeat(32) });
  const nodes: Nodes = [kept.use(await start()), kept.use(await start())];
  const members = await openMembers(nodes, Math.ceil(sockets / SOCKETS_EACH));
  const started = performance.now();
  const listening = await inBatches(
    Array.from({ length: sockets }, (_, n) => n),
    (n) => listen(members[n % members.length], nodes[n % 3 === 0 ? 0 : 1]),
  );
  say(`${listening.length} sockets in ${Math.round(performance.now() - started)} ms`);
  await Promise.all([sendToasts(nodes, members, listening), watchChannels(nodes, members)]);
  for (const { socket } of listening) socket.close();
}

async function openMembers([node]: Nodes, count: number): Promise<Member[]> {
  const callers = await newCallers(node.url, count);
  return inBatches(callers, async (caller) => {
    const { body } = await call(caller, 'POST', '/v1/sessions/toast-bootstrap', { body: {} });
    return { ...caller, userId: String((body['default_topics'] as string[])[0]).replace('user:', '') };
  });
}

async function tokenOf(member: Member): Promise<string> {
  return String((await call(member, 'POST', '/v1/sessions/toast-bootstrap', { body: {} })).body['token']);
}

async function listen(member: Member | undefined, { url }: InProcess): Promise<Listening> {
  if (!member) throw new Error('no member');
  const socket = await socketTo(`${url}/api/v1/realtime?token=${await tokenOf(member)}`);
  const listening: Listening = { userId: member.userId, received: [], socket };
  await socket.next();
  socket.raw.addEventListener('message', ({ data }) => {
    const { type, toast } = JSON.parse(String(data)) as { type: string; toast?: { id: string } };
    if (type === 'toast' && toast) listening.received.push(toast.id);
  });
  return listening;
}

/** Every toast to a random user on a random node; afterwards each of its sockets has it once. */
async function sendToasts(nodes: Nodes, members: readonly Member[], listening: readonly Listening[]): Promise<void> {
  const sent = new Map<string, string[]>();
  const started = performance.now();
  await inBatches(
    Array.from({ length: toasts }, (_, n) => n),
    async (n) => {
      const { userId } = pick(members);
      const toast = Toast.parse({ title: `Toast ${n}` });
      const { outcome, toastId } = await deliverToast(pick(nodes).ctx, { userId, topic: `user:${userId}`, toast });
      if (outcome !== 'delivered') verdict.violated(`toast ${n} was ${outcome}`);
      sent.set(userId, [...(sent.get(userId) ?? []), toastId]);
    },
  );
  const due = (userId: string): readonly string[] => sent.get(userId) ?? [];
  const deadline = performance.now() + PATIENCE_MS;
  while (listening.some(({ userId, received }) => received.length < due(userId).length) && performance.now() < deadline) await pause(20);
  say(`${toasts} toasts in ${Math.round(performance.now() - started)} ms`);
  // Whatever is sent twice comes a moment later.
  await pause(1000);
  for (const { userId, received } of listening) {
    if (received.toSorted().join() !== due(userId).toSorted().join())
      verdict.violated(`a socket has ${received.length} toasts, ${new Set(received).size} different ones, of ${due(userId).length}`);
  }
  say(`${listening.reduce((sum, { received }) => sum + received.length, 0)} frames arrived`);
}

async function watchChannels(nodes: Nodes, members: readonly Member[]): Promise<void> {
  const projects = await Promise.all(
    Array.from({ length: PROJECTS }, async (_, n) => {
      const owner = members[n] ?? pick(members);
      return { owner, id: String((await call(owner, 'POST', '/projects', { body: { title: `zzqx vorb ${n}` } })).body['id']) };
    }),
  );
  const writing = Promise.all(projects.map(({ id }) => writeAll(nodes, id)));
  const seen = await Promise.all(
    Array.from({ length: WATCHERS }, async (_, n) => {
      const { owner, id } = projects[n % PROJECTS] ?? pick(projects);
      return { id, ...(await watchOne(nodes, owner, id)) };
    }),
  );
  await writing;
  let cuts = 0;
  for (const { id, order, cut } of seen) {
    cuts += cut;
    if (order.join() !== Array.from({ length: EVENTS }, (_, n) => n + 1).join())
      verdict.violated(`a watcher of ${id} saw ${order.length} of ${EVENTS} events, or in another order`);
  }
  say(`${seen.length * EVENTS} events of channels read, ${cuts} sockets cut and taken up again`);
}

async function writeAll(nodes: Nodes, id: string): Promise<void> {
  const one = async (from: number): Promise<void> => {
    for (let n = from; n < EVENTS; n += 3) {
      const { ctx } = pick(nodes);
      await ctx.db.transaction().execute((tx) => appendChannelEvent(ctx, tx, 'project', id, { event: 'roast.received', data: { n } }));
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  };
  await Promise.all([0, 1, 2].map(one));
}

/** Watches until the last event; is cut off after some of them, and goes on from there on a random node. */
async function watchOne(nodes: Nodes, member: Member, id: string): Promise<{ order: number[]; cut: number }> {
  const order: number[] = [];
  const token = await tokenOf(member);
  let cut = -1;
  while (order.length < EVENTS) {
    cut += 1;
    const socket = await socketTo(`${pick(nodes).url}/ws?token=${token}`);
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'project', id, after_seq: order.at(-1) ?? 0 }));
    for (let left = 1 + randomInt(80); left > 0 && order.length < EVENTS;) {
      const { type, seq } = JSON.parse(await socket.next()) as { type: string; seq: number };
      if (type !== 'event') continue;
      order.push(seq);
      left -= 1;
    }
    socket.close();
    await socket.closed;
  }
  return { order, cut };
}

async function inBatches<T, R>(list: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < list.length; at += AT_ONCE) done.push(...(await Promise.all(list.slice(at, at + AT_ONCE).map(work))));
  return done;
}
