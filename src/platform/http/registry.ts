import type { FileRoute } from './file-route.ts';
import type { PageRoute } from './page-route.ts';
import type { JsonRoute, Limit } from './route.ts';
import type { StreamRoute } from './stream-route.ts';

export type AnyRoute = JsonRoute | StreamRoute | PageRoute | FileRoute;
export type Family = { family: string; routes: readonly AnyRoute[] };

export type RegisteredRoute = { method: string; path: string; auth: string; client: string; family: string; limit: string; declared: AnyRoute };

/** Every route that answers, aliases included, in the interface's order. */
export const registryOf = (families: readonly Family[]): RegisteredRoute[] =>
  families.flatMap(({ family, routes }) =>
    routes.flatMap((declared) =>
      [declared.path, ...(declared.aliases ?? [])].map((path) => ({
        method: declared.method,
        path,
        auth: declared.auth,
        client: declared.client ?? (declared.auth === 'public' ? 'any' : 'web, mobile, agents'),
        family,
        limit: declared.limit ? limitText(declared.limit) : '',
        declared,
      })),
    ),
  );

const limitText = ({ max, per, by }: Limit): string => `${max} per ${per} per ${by === 'ip' ? 'IP' : 'user'}`;
