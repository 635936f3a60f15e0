// From an event's commit to the line at the client, with a thousand followers, against a bare server that writes to as many.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { machineClock, median, milliseconds, percentile, ratioOf, report } from '../parts/figures.ts';
import { openFollowers, type Followers } from '../parts/follower.ts';
import { places, type Place } from '../parts/fresh-database.ts';
import { startInProcess, type InProcess } from '../parts/in-process.ts';
import { openStreams, type OpenStream } from '../parts/stream-rows.ts';

const FOLLOWERS = 1000;
const HOT_EVENTS = 25;
const HOT_EVERY_MS = 150;
const SPREAD_EVERY_MS = 4;

type Latencies = { p50: number; p99: number };
type Write = (event: number) => Promise<void>;

await using kept = new AsyncDisposableStack();
const bareHot = await measureBare(HOT_EVENTS, HOT_EVERY_MS, (responses, line) => {
  for (const response of responses) response.write(line);
});
const bareSpread = await measureBare(FOLLOWERS, SPREAD_EVERY_MS, (responses, line, n) => void responses[n]?.write(line));
for (const [n, place] of (await places(kept)).entries()) await measure(place, n === 0);

async function measure(place: Place, isFirst: boolean): Promise<void> {
  await using service = await startInProcess(place.env);
  await measureHot(service, place.name, isFirst);
  await measureSpread(service, place.name);
}

async function measureHot(service: InProcess, name: string, isFirst: boolean): Promise<void> {
  const { caller, streams } = await openStreams(service, 1);
  const [stream] = streams;
  if (!stream) return;
  const memory = await settledMemory();
  await using followers = await openFollowers({ urls: Array.from({ length: FOLLOWERS }, () => stream.url), token: caller.token });
  // A process keeps what it once used: only its first measurement says something.
  if (isFirst) reportMemory(name, memory, await settledMemory());
  const found = await writeAndTime(followers, HOT_EVENTS, FOLLOWERS, HOT_EVERY_MS, (n) => append(service, stream, n));
  reportLatencies(`one stream with ${FOLLOWERS} followers on ${name}`, found, bareHot);
}

async function measureSpread(service: InProcess, name: string): Promise<void> {
  const { caller, streams } = await openStreams(service, FOLLOWERS);
  await using followers = await openFollowers({ urls: streams.map(({ url }) => url), token: caller.token });
  const found = await writeAndTime(followers, FOLLOWERS, 1, SPREAD_EVERY_MS, async (n) => {
    const stream = streams[n];
    if (stream) await append(service, stream, n);
  });
  reportLatencies(`${FOLLOWERS} streams with a follower each on ${name}`, found, bareSpread);
}

async function append({ ctx }: InProcess, { key }: OpenStream, n: number): Promise<void> {
  await ctx.streams.append(ctx.db, key, [{ event: 'progress', data: { message: 'measured', n } }]);
}

/** Writes the events one by one and waits until every follower has what it is to get. @throws Error when lines are missing */
async function writeAndTime(followers: Followers, events: number, followersEach: number, everyMs: number, write: Write): Promise<Latencies> {
  await followers.arrivals();
  const committed: number[] = [];
  for (let n = 0; n < events; n += 1) {
    const due = pause(everyMs);
    await write(n);
    committed[n] = machineClock();
    await due;
  }
  const times: number[] = [];
  for (let look = 0; look < 100 && times.length < events * followersEach; look += 1) {
    // A line may be there before the writer was told of its commit: it took no time then.
    for (const [n, at] of await followers.arrivals()) times.push(Math.max(0, at - (committed[n] ?? Number.NaN)));
    if (times.length < events * followersEach) await pause(100);
  }
  if (times.length !== events * followersEach) throw new Error(`${times.length} of ${events * followersEach} lines arrived`);
  return { p50: median(times), p99: percentile(times, 0.99) };
}

function reportLatencies(what: string, found: Latencies, bare: Latencies): void {
  report({
    measure: `commit to line, ${what}`,
    value: `p50 ${milliseconds(found.p50)}, p99 ${milliseconds(found.p99)}`,
    compared: `bare writes p50 ${milliseconds(bare.p50)}, p99 ${milliseconds(bare.p99)}`,
    ratio: `p50 ${ratioOf(found.p50, bare.p50)}, p99 ${ratioOf(found.p99, bare.p99)}`,
  });
}

type Memory = { heap: number; all: number };

function reportMemory(name: string, before: Memory, after: Memory): void {
  const each = (bytes: number): string => `${(bytes / FOLLOWERS / 1000).toFixed(1)} kB`;
  report({
    measure: `memory per follower on ${name}, ${FOLLOWERS} of one stream`,
    value: `${each(after.heap - before.heap)} of heap, ${each(after.all - before.all)} of the process`,
  });
}

async function settledMemory(): Promise<Memory> {
  for (let round = 0; round < 3; round += 1) {
    (globalThis as { gc?: () => void }).gc?.();
    await pause(50);
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, all: rss };
}

/** A server without database, session or log that keeps the responses and writes lines to them. */
async function measureBare(
  events: number,
  everyMs: number,
  write: (responses: readonly ServerResponse[], line: string, n: number) => void,
): Promise<Latencies> {
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses[Number(request.url?.slice(1))] = response;
    response.write('{"v":1}\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const urls = Array.from({ length: FOLLOWERS }, (_, n) => `http://127.0.0.1:${port}/${n}`);
  await using followers = await openFollowers({ urls, token: '' });
  const isHot = events < FOLLOWERS;
  const found = await writeAndTime(followers, events, isHot ? FOLLOWERS : 1, everyMs, async (n) => {
    write(responses, `{"v":1,"event":"progress","data":{"message":"measured","n":${n}}}\n`, n);
  });
  server.closeAllConnections();
  server.close();
  return found;
}
