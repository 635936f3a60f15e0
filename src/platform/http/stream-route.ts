import { Readable } from 'node:stream';
import { z } from 'zod';
import type { AppContext } from '../context.ts';
import type { Principal } from '../principal.ts';
import { follow } from '../streams/follow.ts';
import type { Declared, Limit } from './route.ts';
import { flag, wholeNumber } from './vocabulary.ts';

/** What a stream shows: the log to follow, the event that each connection begins with, and where to begin when not at the reader's cursor. */
export type Followed = { key: string; start?: Record<string, unknown>; from?: number };

export type StreamRoute = Declared & {
  kind: 'stream';
  open(request: { ctx: AppContext; principal: Principal; params: Record<string, string>; requestId: string; cursor: number }): Promise<Followed>;
};

const StreamQuery = z.object({
  cursor: wholeNumber({ standard: 0, min: 0 }).describe('replay events after this sequence number, then go live'),
  include_seq: flag().describe('put the sequence number of each stored event on its line'),
});

/** Declares an NDJSON stream over an event log: replay after `cursor`, then live, `done` last. */
export function streamRoute<P extends z.ZodType>(declared: {
  path: string;
  summary: string;
  params: P;
  limit?: Limit;
  open(request: { ctx: AppContext; principal: Principal; params: z.output<P>; requestId: string; cursor: number }): Promise<Followed>;
}): StreamRoute {
  return { method: 'GET', auth: 'stream', query: StreamQuery, ...declared, kind: 'stream' } as unknown as StreamRoute;
}

/** The lines of a stream: `{"v":1,"event":…,"data":…}`, exactly those three keys unless `includeSeq` asks for `seq`. */
export function ndjson(ctx: AppContext, followed: Followed, options: { cursor: number; includeSeq: boolean }, signal: AbortSignal): Readable {
  return Readable.from(lines(ctx, followed, options, signal), { objectMode: false, highWaterMark: 16 * 1024 });
}

async function* lines(ctx: AppContext, followed: Followed, options: { cursor: number; includeSeq: boolean }, signal: AbortSignal) {
  if (followed.start) yield `${JSON.stringify({ v: 1, event: 'stream_start', data: followed.start })}\n`;
  const from = { log: ctx.streams, wakeups: ctx.wakeups, db: ctx.db };
  for await (const { seq, event, data } of follow(from, { key: followed.key, cursor: followed.from ?? options.cursor }, signal)) {
    yield `{"v":1,"event":${JSON.stringify(event)},"data":${data}${options.includeSeq ? `,"seq":${seq}` : ''}}\n`;
  }
}
