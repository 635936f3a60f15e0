// From publishing a toast to each socket's client, at 1,000 and at 5,000 sockets, against a bare `ws` server that sends the
// same text to as many. The clients are in a process of their own.
import { setTimeout as pause } from 'node:timers/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { hubTopicOf } from '../../src/features/toasts/topics.ts';
import { call, newCallers } from '../parts/client.ts';
import { machineClock, median, milliseconds, percentile, ratioOf, report } from '../parts/figures.ts';
import type { Followers } from '../parts/follower.ts';
import { startInProcess, type InProcess } from '../parts/in-process.ts';
import { openListeners } from '../parts/listener.ts';

const SOCKETS = [1000, 5000];
const PER_TURN = [1, 4];
const ROUNDS = 12;
const SOCKETS_EACH = 20;
const TOPIC = 'all';
/** Until then every message is written; what the arrivals cost to collect is not counted. */
const WRITTEN_MS = 300;
const EVERY_MS = 20;

type Found = { p50: number; p99: number; cpu: number };
type Memory = { heap: number; all: number };
/** `memory` of one socket, in bytes. */
type Side = { memory: Memory; byTurn: Map<number, Found> };

const toastOf = (n: number) => ({
  type: 'toast',
  toast: { id: '00000000-0000-4000-8000-000000000000', topic: TOPIC, title: 'A research is complete', body: 'x'.repeat(160), metadata: { n } },
});

for (const count of SOCKETS) {
  const bare = await measureBare(count);
  const ours = await measureOurs(count);
  report({
    measure: `memory per socket, ${count} sockets`,
    value: inWords(ours.memory),
    compared: `bare ws ${inWords(bare.memory)}`,
    ratio: `of heap ${ratioOf(ours.memory.heap, bare.memory.heap)}`,
  });
  for (const perTurn of PER_TURN) {
    const [found, compared] = [ours.byTurn.get(perTurn), bare.byTurn.get(perTurn)];
    if (!found || !compared) continue;
    const words = ({ p50, p99, cpu }: Found): string => `p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)}, ${cpu.toFixed(1)} µs of processor each`;
    report({
      measure: `a toast to ${count} sockets, ${perTurn} in a turn`,
      value: words(found),
      compared: `bare ws ${words(compared)}`,
      ratio: `p50 ${ratioOf(found.p50, compared.p50)}, p99 ${ratioOf(found.p99, compared.p99)}, processor ${ratioOf(found.cpu, compared.cpu)}`,
    });
  }
}

async function measureOurs(count: number): Promise<Side> {
  await using service = await startInProcess({ ROLES: 'api' });
  const urls = await addresses(service, count);
  // Waited for here, since the service goes with this function.
  return await measure(urls, (n) => void service.ctx.hub.publish({ topic: hubTopicOf(TOPIC) }, toastOf(n)));
}

/** An address with a token for each socket, as many to a user as one may open. */
async function addresses({ url }: InProcess, count: number): Promise<string[]> {
  const callers = await newCallers(url, Math.ceil(count / SOCKETS_EACH));
  const tokens: string[] = [];
  for (const caller of callers) {
    const { body } = await call(caller, 'POST', '/v1/sessions/toast-bootstrap', { body: { default_topics: [TOPIC] } });
    for (let n = 0; n < SOCKETS_EACH && tokens.length < count; n += 1) tokens.push(String(body['token']));
  }
  return tokens.map((token) => `${url.replace(/^http/, 'ws')}/api/v1/realtime?token=${token}`);
}

async function measureBare(count: number): Promise<Side> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const side = await measure(
    Array.from({ length: count }, () => url),
    (n) => {
      const text = JSON.stringify(toastOf(n));
      for (const client of server.clients) client.send(text);
    },
  );
  for (const client of server.clients) client.terminate();
  server.close();
  return side;
}

async function measure(urls: readonly string[], publish: (n: number) => void): Promise<Side> {
  const before = await settledMemory();
  await using listeners = await openListeners(urls);
  const after = await settledMemory();
  const memory = { heap: (after.heap - before.heap) / urls.length, all: (after.all - before.all) / urls.length };
  const byTurn = new Map<number, Found>();
  for (const perTurn of PER_TURN) {
    // What is compiled on the way is no part of it.
    await rounds(listeners, urls.length, { perTurn, count: 3 }, publish);
    byTurn.set(perTurn, await rounds(listeners, urls.length, { perTurn, count: ROUNDS }, publish));
  }
  return { memory, byTurn };
}

/** @throws Error when messages are missing */
async function rounds(
  listeners: Followers,
  sockets: number,
  { perTurn, count }: { perTurn: number; count: number },
  publish: (n: number) => void,
): Promise<Found> {
  const sentAt: number[] = [];
  const times: number[] = [];
  let used = 0;
  for (let round = 0; round < count; round += 1) {
    const start = process.cpuUsage();
    for (let part = 0; part < perTurn; part += 1) {
      sentAt[round * perTurn + part] = machineClock();
      publish(round * perTurn + part);
    }
    const due = sockets * perTurn * (round + 1);
    await pause(WRITTEN_MS);
    const { user, system } = process.cpuUsage(start);
    used += user + system;
    for (let look = 0; look < 500 && times.length < due; look += 1) {
      await pause(EVERY_MS);
      for (const [n, at] of await listeners.arrivals()) times.push(at - (sentAt[n] ?? Number.NaN));
    }
    if (times.length !== due) throw new Error(`${times.length} of ${due} messages arrived`);
  }
  return { p50: median(times), p99: percentile(times, 0.99), cpu: used / (sockets * perTurn * count) };
}

function inWords({ heap, all }: Memory): string {
  return `${(heap / 1000).toFixed(1)} kB of heap, ${(all / 1000).toFixed(1)} kB of the process`;
}

async function settledMemory(): Promise<Memory> {
  for (let round = 0; round < 3; round += 1) {
    (globalThis as { gc?: () => void }).gc?.();
    await pause(50);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, all: rss };
}
