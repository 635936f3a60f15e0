import type { AnyRoute, Family } from './declared.ts';
import { pathsOf } from './mount.ts';
import { limitText } from './route-limits.ts';

export type RegisteredRoute = { method: string; path: string; auth: string; client: string; family: string; limit: string; declared: AnyRoute };

/** Every route that answers, aliases included, in the interface's order. */
export const registryOf = (families: readonly Family[]): RegisteredRoute[] =>
  families.flatMap(({ family, routes }) =>
    routes.flatMap((declared) =>
      pathsOf(declared).map((path) => ({
        method: declared.method,
        path,
        auth: declared.guard.auth,
        client: declared.client ?? (declared.guard.auth === 'public' ? 'any' : 'web, mobile, agents'),
        family,
        limit: declared.limit ? limitText(declared.limit) : '',
        declared,
      })),
    ),
  );
