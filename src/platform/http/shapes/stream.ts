import { z } from 'zod';
import type { Declared, Handled, Schema, Shape, Stated } from '../declared.ts';
import type { Caller } from '../guards/guard.ts';
import { stream } from '../guards/stream.ts';
import { mountEach } from '../mount.ts';
import { type Exchange, receiveExchange } from '../receive.ts';
import type { Principal } from '../../principal.ts';
import { sendStream } from '../send-stream.ts';
import { type Followed, type Format, FORMATS, type Live, liveLines, logLines, nextOf, type StreamEvent } from '../stream-lines.ts';
import { flag, wholeNumber } from '../vocabulary.ts';

const StreamQuery = z.object({
  cursor: wholeNumber({ standard: 0, min: 0 }).describe('replay events after this sequence number, then go live'),
  include_seq: flag().describe('put the sequence number of each stored event on its line'),
});
type Opened<P, C> = Handled<P, typeof StreamQuery, undefined, C> & { cursor: number };

type FollowingRoute = Declared & { shape: Shape; open(request: Opened<Schema, Caller>): Promise<Followed> };

/** Declares an NDJSON stream over an event log: replay after `cursor`, then live, `done` last. */
export function streamRoute<P extends z.ZodType, C extends Caller = Principal>(
  declared: Stated<C> & { params: P; open(request: Opened<P, C>): Promise<Followed> },
): FollowingRoute {
  return { method: 'GET', guard: stream, query: StreamQuery, ...declared, shape: following } as unknown as FollowingRoute;
}

const following: Shape<FollowingRoute> = {
  mount: mountEach(async (exchange) => {
    const handled = (await receiveExchange(exchange)) as Omit<Opened<Schema, Caller>, 'cursor'>;
    const { cursor, include_seq: includeSeq } = handled.query;
    const followed = await exchange.declared.open({ ...handled, cursor });
    const linesUntil = (signal: AbortSignal) => logLines(handled.ctx, followed, { cursor, includeSeq }, signal);
    return sendStream(exchange, handled as never, FORMATS.ndjson.contentType, linesUntil);
  }),
  describe: () => ({ responses: describeStream('ndjson') }),
};

type LiveRoute = Declared & { shape: Shape; body: z.ZodType; format: Format; events(request: Handled): AsyncIterable<StreamEvent> };

/**
 * Declares a POST route that answers its body with events as they come to be, `done` last. What is thrown before the
 * first event is answered as an error; what is thrown later becomes `error` and `done`. The request's `signal` aborts
 * when the reader leaves, its session ends, or the service closes: what the route still makes then is read by nobody.
 */
export function postStreamRoute<B extends z.ZodType, P extends Schema = undefined, C extends Caller = Principal>(
  declared: Stated<C> & {
    params?: P;
    body: B;
    /** NDJSON without; `sse` writes server-sent events. */
    format?: Format;
    events(request: Handled<P, undefined, B, C>): AsyncIterable<StreamEvent>;
  },
): LiveRoute {
  return { method: 'POST', guard: stream, format: 'ndjson', ...declared, shape: live } as unknown as LiveRoute;
}

const live: Shape<LiveRoute> = {
  mount: mountEach(async (exchange) => {
    const { declared, needs } = exchange;
    const handled = await receiveExchange(exchange);
    const ended = new AbortController();
    const signal = AbortSignal.any([handled.signal, ended.signal, needs.closing]);
    const events = declared.events({ ...handled, signal })[Symbol.asyncIterator]();
    const begun = { events, first: await nextOf(events, signal), format: declared.format, onFailure: logFailure(exchange) };
    return sendStream(exchange, handled, FORMATS[declared.format].contentType, (over) => linesOf(begun, over, ended));
  }),
  describe: ({ body, format }) => ({
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: describeStream(format),
  }),
};

function linesOf(begun: Live, over: AbortSignal, ended: AbortController): AsyncGenerator<string> {
  over.addEventListener('abort', () => ended.abort(), { once: true });
  if (over.aborted) ended.abort();
  return liveLines(begun, over);
}

const logFailure =
  ({ needs, request }: Exchange) =>
  (err: unknown) =>
    needs.ctx.log.error({ err, requestId: request.id, route: request.routeOptions.url }, 'a stream failed');

const describeStream = (format: Format) => ({
  200: {
    description: format === 'ndjson' ? 'NDJSON events' : 'Server-sent events',
    content: { [FORMATS[format].contentType]: { schema: FORMATS[format].schema } },
  },
});
