import { z } from 'zod';
import type { Declared, Handled, Schema, Shape, Stated } from '../declared.ts';
import { everyone } from '../guards/everyone.ts';
import type { Caller } from '../guards/guard.ts';
import { mountEach } from '../mount.ts';
import { receiveExchange } from '../receive.ts';
import { etagOf, isNamed } from '../shared-answer.ts';

/**
 * A page and what it shows, by Accept: HTML unless JSON is asked for. One that is `tagged` carries an ETag and answers 304 to
 * a client that has it.
 */
export type Page = { json: unknown; html(): string; headers?: Record<string, string>; tagged?: true };

type PageRoute = Declared & { shape: Shape; responses: { 200: z.ZodType }; show(request: Handled): Promise<Page> };

/** Declares a public GET route that answers with a page, or with the same as JSON. */
export function pageRoute<P extends Schema = undefined, C extends Caller = null>(
  declared: Stated<C> & {
    params?: P;
    responses: { 200: z.ZodType };
    show(request: Handled<P, undefined, undefined, C>): Promise<Page>;
  },
): PageRoute {
  return { method: 'GET', guard: everyone, ...declared, shape: page } as unknown as PageRoute;
}

const page: Shape<PageRoute> = {
  mount: mountEach(async (exchange) => {
    const { declared, request, reply } = exchange;
    const handled = await receiveExchange(exchange);
    const shown = await declared.show(handled);
    declared.guard.confirm?.(handled.principal);
    reply.header('vary', 'Accept');
    if (shown.headers) reply.headers(shown.headers);
    const asJson = prefersJson(request.headers.accept);
    const text = asJson ? JSON.stringify(declared.responses[200].parse(shown.json)) : shown.html();
    if (shown.tagged) {
      const etag = etagOf(text);
      reply.header('etag', etag);
      if (isNamed(etag, request.headers['if-none-match'])) return reply.status(304).send();
    }
    return reply.type(asJson ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8').send(text);
  }),
  describe: ({ responses }) => ({
    responses: { 200: { content: { 'application/json': { schema: responses[200] }, 'text/html': { schema: z.string() } } } },
  }),
};

/** Whether the client asks for JSON rather than a page. */
export function prefersJson(accept: string | undefined): boolean {
  if (!accept) return false;
  const json = accept.indexOf('application/json');
  const html = accept.indexOf('text/html');
  return json >= 0 && (html < 0 || json < html);
}
