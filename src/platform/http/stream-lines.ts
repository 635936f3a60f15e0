import { z } from 'zod';
import { AppError } from '../../lib/errors.ts';
import type { AppContext } from '../context.ts';
import { follow } from '../streams/follow.ts';

export type StreamEvent = { event: string; data: Record<string, unknown> };

/** How events are written, by format: the content type, its schema, and one event. */
export const FORMATS = {
  ndjson: {
    contentType: 'application/x-ndjson',
    schema: z
      .object({ v: z.literal(1), event: z.string(), data: z.looseObject({}) })
      .meta({ id: 'StreamLine', description: 'One line of a stream; `done` is the last.' }),
    write: ({ event, data }: StreamEvent): string => `${JSON.stringify({ v: 1, event, data })}\n`,
  },
  /** Server-sent events (WHATWG HTML, section 9.2). */
  sse: {
    contentType: 'text/event-stream',
    schema: z.string(),
    write: ({ event, data }: StreamEvent): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  },
} as const;
export type Format = keyof typeof FORMATS;

/** What a stream shows: the log to follow, the event that each connection begins with, and where to begin when not at the reader's cursor. */
export type Followed = { key: string; start?: Record<string, unknown>; from?: number };

/** The lines of a log: `{"v":1,"event":…,"data":…}`, exactly those three keys unless `includeSeq` asks for `seq`. */
export async function* logLines(ctx: AppContext, followed: Followed, options: { cursor: number; includeSeq: boolean }, signal: AbortSignal) {
  if (followed.start) yield FORMATS.ndjson.write({ event: 'stream_start', data: followed.start });
  const from = { log: ctx.streams, wakeups: ctx.wakeups, db: ctx.db };
  for await (const { seq, event, data } of follow(from, { key: followed.key, cursor: followed.from ?? options.cursor }, signal)) {
    yield `{"v":1,"event":${JSON.stringify(event)},"data":${data}${options.includeSeq ? `,"seq":${seq}` : ''}}\n`;
  }
}

/** Events that come to be while they are read: those of `events` after the `first`. */
export type Live = {
  first: IteratorResult<StreamEvent>;
  events: AsyncIterator<StreamEvent>;
  format: Format;
  /** Hears of what was thrown and is no error that the product knows. */
  onFailure(error: unknown): void;
};

/** The lines of events: `error` for what is thrown, then `done`; nothing more once `signal` aborts. */
export async function* liveLines({ first, events, format, onFailure }: Live, signal: AbortSignal): AsyncGenerator<string> {
  const { write } = FORMATS[format];
  try {
    for (let next = first; !next.done && !signal.aborted; next = await nextOf(events, signal)) yield write(next.value);
  } catch (error) {
    if (!(error instanceof AppError)) onFailure(error);
    yield write({ event: 'error', data: { message: error instanceof AppError ? error.message : 'Internal error' } });
  } finally {
    // Not waited for: it may be at work on what nobody reads any more.
    events.return?.().catch(onFailure);
  }
  if (!signal.aborted) yield write({ event: 'done', data: {} });
}

/** The next event, or the end when `signal` aborts before there is one. */
export async function nextOf(events: AsyncIterator<StreamEvent>, signal: AbortSignal): Promise<IteratorResult<StreamEvent>> {
  const { promise, resolve } = Promise.withResolvers<IteratorResult<StreamEvent>>();
  const end = () => resolve({ done: true, value: undefined });
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await Promise.race([events.next(), promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
