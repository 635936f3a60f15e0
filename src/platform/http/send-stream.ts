import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Handled } from './declared.ts';
import type { Exchange } from './receive.ts';
import { httpMetrics } from './http-metrics.ts';
import { whenOver } from './when-over.ts';

/** How long a stream that was ended waits for its reader to take what was sent. */
const UNREAD_MS = 5000;

/**
 * Sends lines as they come, until they end, the reader leaves, its guard says that it may read no longer, or the service
 * closes. @param linesUntil gives the lines; its signal aborts for any of these reasons
 */
export async function sendStream(
  exchange: Exchange,
  { ctx, principal }: Handled,
  contentType: string,
  linesUntil: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<FastifyReply> {
  const { declared, needs, request, reply } = exchange;
  const ended = new AbortController();
  const end = () => {
    ended.abort();
    // A reader that takes nothing any more would keep the ended stream, and a stop of the service waiting.
    if (!reply.raw.writableEnded) request.raw.socket.setTimeout?.(UNREAD_MS);
  };
  const unwatch = await declared.guard.watch?.(principal, end, needs.auth);
  needs.closing.addEventListener('abort', end, { once: true });
  if (needs.closing.aborted) end();
  httpMetrics(ctx.metrics).openStreams.inc();
  whenOver(request, reply, () => {
    end();
    unwatch?.();
    needs.closing.removeEventListener('abort', end);
    httpMetrics(ctx.metrics).openStreams.dec();
  });
  const stream = Readable.from(linesUntil(ended.signal), { objectMode: false, highWaterMark: 16 * 1024 });
  return reply.type(contentType).header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(stream);
}
