// Two hundred followers while racing writers append: what each reads from its cursor on is the live order, nothing lost or doubled.
// Usage: node bench/followers.ts [--times 1] [--postgres postgres://…]
import { setTimeout as pause } from 'node:timers/promises';
import { drillOptions, openVerdict, say } from './drills/options.ts';
import { followNdjson } from '#testing/read-ndjson.ts';
import type { Client } from './parts/client.ts';
import { freshDatabase } from './parts/fresh-database.ts';
import { startInProcess, type InProcess } from './parts/in-process.ts';
import { openStreams, type OpenStream } from './parts/stream-rows.ts';

const FOLLOWERS = 200;
const STREAMS = 4;
const WRITERS = 6;
const EVENTS_EACH = 60;
const LONGEST_PAUSE_MS = 12;
/** Of those that follow, this share is cut off again and again and goes on with its cursor. */
const CUT_SHARE = 0.4;
const PATIENCE_MS = 60_000;

type Followed = { stream: number; cursor: number; cuts: number; seen: { seq: number; text: string }[]; doneAt: number | null };

const { times, postgres } = drillOptions({ times: 1 });
const verdict = openVerdict();
for (let round = 0; round < times; round += 1) await oneRound();
verdict.conclude(`${times} × ${FOLLOWERS} followers of ${STREAMS} streams with ${WRITERS} writers each on ${postgres ? 'PostgreSQL' : 'PGlite'}`);

async function oneRound(): Promise<void> {
  await using kept = new AsyncDisposableStack();
  const database = postgres ? kept.use(await freshDatabase(postgres)) : null;
  const service = kept.use(await startInProcess(database ? { DATABASE_URL: database.url } : {}));
  const { caller, streams } = await openStreams(service, STREAMS);
  const started = performance.now();
  const written = Promise.all(streams.map((stream) => writeAll(service, stream)));
  const followers = Array.from({ length: FOLLOWERS }, (_, n) => followOne(streams, caller, n));
  const heads = await written;
  const seen = await Promise.all(followers);
  for (const [n, stream] of streams.entries()) {
    const order = await wholeOrder(service, stream);
    if (order.length !== heads[n]) verdict.violated(`stream ${n}: ${order.length} events are stored, its head is ${heads[n]}`);
    for (const followed of seen.filter((other) => other.stream === n)) compare(followed, order);
  }
  const lines = seen.reduce((sum, { seen: got }) => sum + got.length, 0);
  const cuts = seen.reduce((sum, { cuts: count }) => sum + count, 0);
  say(`${lines} lines read in ${Math.round(performance.now() - started)} ms, ${cuts} connections cut and taken up again`);
}

/** Races several writers, then ends the stream; gives its head. */
async function writeAll({ ctx }: InProcess, { key }: OpenStream): Promise<number> {
  const oneWriter = async (writer: number): Promise<void> => {
    for (let n = 0; n < EVENTS_EACH; n += 1) {
      const together = Math.random() < 0.2 ? 3 : 1;
      const events = Array.from({ length: together }, (_, part) => ({
        event: 'progress',
        data: { message: `writer ${writer}, event ${n}.${part}` },
      }));
      await ctx.db.transaction().execute((tx) => ctx.streams.append(tx, key, events));
      await pause(Math.random() * LONGEST_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => oneWriter(writer)));
  return ctx.streams.append(ctx.db, key, [{ event: 'done', data: {} }], { close: true });
}

/** Follows from a random cursor until `done`; begins at a random moment. */
async function followOne(streams: readonly OpenStream[], { token }: Client, n: number): Promise<Followed> {
  const stream = n % STREAMS;
  const followed: Followed = { stream, cursor: n % 3 === 0 ? 0 : Math.floor(Math.random() * EVENTS_EACH * WRITERS), cuts: 0, seen: [], doneAt: null };
  const isCut = Math.random() < CUT_SHARE;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  await pause(Math.random() * EVENTS_EACH * LONGEST_PAUSE_MS);
  while (followed.doneAt === null && !patience.aborted) {
    const cut = new AbortController();
    const upTo = isCut ? 1 + Math.floor(Math.random() * 80) : Number.POSITIVE_INFINITY;
    const cursor = followed.seen.at(-1)?.seq ?? followed.cursor;
    try {
      await readSome(`${streams[stream]?.url}?include_seq=true&cursor=${cursor}`, token, followed, upTo, AbortSignal.any([cut.signal, patience]));
    } catch (error) {
      if (!patience.aborted) throw error;
    }
    cut.abort();
    if (followed.doneAt === null) followed.cuts += 1;
  }
  return followed;
}

async function readSome(url: string, token: string, followed: Followed, upTo: number, signal: AbortSignal): Promise<void> {
  let read = 0;
  for await (const { event, data, seq } of followNdjson(url, token, signal)) {
    if (event === 'stream_start') continue;
    followed.seen.push({ seq: seq ?? Number.NaN, text: `${event} ${JSON.stringify(data)}` });
    if (event === 'done') followed.doneAt = seq ?? Number.NaN;
    read += 1;
    if (read >= upTo) return;
  }
}

async function wholeOrder({ ctx }: InProcess, { key }: OpenStream): Promise<string[]> {
  const events = await ctx.streams.read(key, 0, 1_000_000);
  return events.map(({ event, data }) => `${event} ${JSON.stringify(JSON.parse(data))}`);
}

function compare({ stream, cursor, seen }: Followed, order: readonly string[]): void {
  const expected = order.slice(cursor);
  const label = `a follower of stream ${stream} from ${cursor}`;
  // Beyond the end, `done` is sent once more under its own number.
  if (expected.length === 0) {
    if (seen.length !== 1 || seen[0]?.seq !== order.length) verdict.violated(`${label} beyond the end read ${seen.length} lines`);
    return;
  }
  if (seen.length !== expected.length) verdict.violated(`${label} read ${seen.length} of ${expected.length} events`);
  const wrong = seen.findIndex(({ seq, text }, index) => seq !== cursor + index + 1 || text !== expected[index]);
  if (wrong >= 0) verdict.violated(`${label}: line ${wrong} is event ${seen[wrong]?.seq} "${seen[wrong]?.text}", not "${expected[wrong]}"`);
}
