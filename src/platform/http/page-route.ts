import type { z } from 'zod';
import type { AppContext } from '../context.ts';
import type { Declared, Limit } from './route.ts';

/** A page and what it shows, by Accept: HTML unless JSON is asked for. */
export type Page = { json: unknown; html(): string; headers?: Record<string, string> };

export type PageRoute = Declared & {
  kind: 'page';
  show(request: { ctx: AppContext; params: Record<string, string>; requestId: string }): Promise<Page>;
};

export function pageRoute<P extends z.ZodType | undefined = undefined>(declared: {
  path: string;
  summary: string;
  params?: P;
  limit?: Limit;
  client?: string;
  responses: { 200: z.ZodType };
  show(request: { ctx: AppContext; params: P extends z.ZodType ? z.output<P> : undefined; requestId: string }): Promise<Page>;
}): PageRoute {
  return { method: 'GET', auth: 'public', ...declared, kind: 'page' } as unknown as PageRoute;
}

/** Whether the client asks for JSON rather than a page. */
export function prefersJson(accept: string | undefined): boolean {
  if (!accept) return false;
  const json = accept.indexOf('application/json');
  const html = accept.indexOf('text/html');
  return json >= 0 && (html < 0 || json < html);
}
