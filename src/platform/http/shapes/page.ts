import { z } from 'zod';
import type { Declared, Handled, Schema, Shape, Stated } from '../declared.ts';
import { everyone } from '../guards/everyone.ts';
import type { Caller } from '../guards/guard.ts';
import { mountEach } from '../mount.ts';
import { receiveExchange } from '../receive.ts';

/** A page and what it shows, by Accept: HTML unless JSON is asked for. */
export type Page = { json: unknown; html(): string; headers?: Record<string, string> };

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
    if (!prefersJson(request.headers.accept)) return reply.type('text/html; charset=utf-8').send(shown.html());
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(declared.responses[200].parse(shown.json)));
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
