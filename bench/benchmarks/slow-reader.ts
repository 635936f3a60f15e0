// A client that takes nothing among 1,000 that do: what it costs them, how much waits for it, and how it is sent away.
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { hubTopicOf } from '../../src/features/toasts/topics.ts';
import { call, newCaller, newCallers } from '../parts/client.ts';
import { machineClock, milliseconds, percentile, ratioOf, report } from '../parts/figures.ts';
import { startInProcess } from '../parts/in-process.ts';
import { openListeners } from '../parts/listener.ts';

const SOCKETS = 1000;
const SOCKETS_EACH = 20;
const ROUNDS = 30;
const EVERY_MS = 20;
const PATIENCE_MS = 30_000;
const [ALL, BULK] = ['all', 'bulk'];
const PIECE = 'x'.repeat(8192);
/** Of what the slow one alone follows; its own machine takes some megabytes for it first. */
const PIECES_A_ROUND = 64;
/** What a socket and its outbox may hold, and one message over. */
const MOST_BYTES = 65_536 + 262_144 + 16_384;

const toastOf = (n: number, body: string) => ({ type: 'toast', toast: { title: 'A research is complete', body, metadata: { n } } });

await using service = await startInProcess({ ROLES: 'api' });
const { ctx, url, server } = service;
const addressOf = (token: string): string => `${url.replace(/^http/, 'ws')}/api/v1/realtime?token=${token}`;
const tokenFor = async (caller: Awaited<ReturnType<typeof newCaller>>, topics: readonly string[]) =>
  (await call(caller, 'POST', '/v1/sessions/toast-bootstrap', { body: { default_topics: topics } })).body['token'] as string;

const callers = await newCallers(url, SOCKETS / SOCKETS_EACH);
const tokens = await Promise.all(callers.map((caller) => tokenFor(caller, [ALL])));
await using listeners = await openListeners(tokens.flatMap((token) => Array.from({ length: SOCKETS_EACH }, () => addressOf(token))));
await joined(SOCKETS);
await arrivalTimes(() => {});
const without = await arrivalTimes(() => {});

const slowToken = await tokenFor(await newCaller(url), [ALL, BULK]);
const [[served], slow] = await Promise.all([once(server.fastify.server, 'connection') as Promise<[Socket]>, openSlow(addressOf(slowToken))]);
await joined(SOCKETS + 1);
let most = 0;
const bulk = (): void => {
  for (let piece = 0; piece < PIECES_A_ROUND; piece += 1) ctx.hub.publish({ topic: hubTopicOf(BULK) }, toastOf(0, PIECE));
};
const watch = setInterval(() => (most = Math.max(most, served.writableLength)), 1);
const beside = await arrivalTimes(bulk);
const deadline = performance.now() + PATIENCE_MS;
for (let isThere = true; isThere && performance.now() < deadline; await pause(1)) {
  isThere = ctx.hub.publish({ topic: hubTopicOf(BULK) }, toastOf(0, PIECE)) > 0;
}
clearInterval(watch);
slow.resume();
const [code] = (await once(slow, 'close')) as [number];
if (code !== 1013) throw new Error(`the slow reader was closed with ${code}`);
if (most > MOST_BYTES) throw new Error(`${most} bytes waited for the slow reader`);

report({
  measure: `a toast to ${SOCKETS} sockets beside one that takes nothing`,
  value: `p99 ${milliseconds(percentile(beside, 0.99))}, closed with ${code}, at most ${Math.round(most / 1000)} kB in its socket`,
  compared: `without it p99 ${milliseconds(percentile(without, 0.99))}`,
  ratio: ratioOf(percentile(beside, 0.99), percentile(without, 0.99)),
});

/** A client knows that it is connected before the hub does. */
async function joined(count: number): Promise<void> {
  while ([...ctx.hub.users()].reduce((sum, userId) => sum + ctx.hub.counts(userId).sockets, 0) < count) await pause(EVERY_MS);
}

async function openSlow(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.pause();
  return socket;
}

/** From publishing to each of the other clients. @throws Error when messages are missing */
async function arrivalTimes(meanwhile: () => void): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const sentAt = machineClock();
    ctx.hub.publish({ topic: hubTopicOf(ALL) }, toastOf(round, PIECE.slice(0, 160)));
    meanwhile();
    const due = SOCKETS * (round + 1);
    for (let look = 0; look < 500 && times.length < due; look += 1) {
      await pause(EVERY_MS);
      for (const [, at] of await listeners.arrivals()) times.push(at - sentAt);
    }
    if (times.length !== due) throw new Error(`${times.length} of ${due} messages arrived`);
  }
  return times;
}
