import type { z } from 'zod';
import type { AppContext } from '../context.ts';
import type { Principal } from '../principal.ts';

export type AuthMode = 'required' | 'stream' | 'public';
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
export type Limit = { max: number; per: 'minute' | 'hour'; by: 'user' | 'ip'; bucket?: string };

export const perUser = (max: number, per: Limit['per'] = 'minute', bucket?: string): Limit => ({
  max,
  per,
  by: 'user',
  ...(bucket ? { bucket } : {}),
});
export const perIp = (max: number, per: Limit['per'] = 'minute'): Limit => ({ max, per, by: 'ip' });

/** The shape of a declaration. */
type RouteKind = 'json' | 'stream' | 'page' | 'file';

declare const answered: unique symbol;
export type Responses = Record<number, z.ZodType>;
export type Answer<R> = { status: number; body: unknown; headers?: Record<string, string>; [answered]?: R };
export type Reply<R extends Responses> = <S extends keyof R & number>(status: S, body: z.input<R[S]>, headers?: Record<string, string>) => Answer<R>;
type Out<T> = T extends z.ZodType ? z.output<T> : undefined;
type Schema = z.ZodType | undefined;

export type Handled<P, Q, B, A extends AuthMode> = {
  ctx: AppContext;
  principal: A extends 'public' ? Principal | null : Principal;
  params: Out<P>;
  query: Out<Q>;
  body: Out<B>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  requestId: string;
  signal: AbortSignal;
};

/** What every declaration says, whatever its shape. */
export type Declared = {
  kind: RouteKind;
  method: Method;
  path: string;
  /** Further paths that answer the same, sharing its limit. */
  aliases?: readonly string[];
  summary: string;
  auth: AuthMode;
  /** Only identity tokens, only session tokens, or any bearer. */
  bearer?: 'identity' | 'session' | 'any';
  limit?: Limit;
  /** Called instead of the handler when the limit is exceeded and the body is valid; the answer stays 429. */
  onLimited?: (request: Handled<undefined, undefined, never, 'required'>) => Promise<void>;
  /** Statuses that body errors get here, where the interface differs from the general rule. */
  bodyErrors?: { status: 'malformed' | 'invalid'; detail?: string };
  /** An absent body, `{}` included, counts as this. */
  emptyBody?: 'allowed';
  /** Error statuses that the interface states for it beyond those that its inputs imply. */
  errors?: readonly number[];
  /** Which clients call it, as `GET /status` prints it. */
  client?: string;
  params?: Schema;
  query?: Schema;
  body?: Schema;
  responses?: Responses;
};

export type JsonRoute = Declared & {
  kind: 'json';
  responses: Responses;
  handle(request: Handled<Schema, Schema, Schema, AuthMode>, reply: Reply<Responses>): Promise<Answer<Responses>>;
};

/**
 * Declares a JSON route. From it come the mounting, the checked input, the legal answers, the limit, the OpenAPI entry
 * and the line in the registry.
 */
export function route<P extends Schema, Q extends Schema, B extends Schema, R extends Responses, A extends AuthMode = 'required'>(
  declared: Omit<Declared, 'kind' | 'auth' | 'params' | 'query' | 'body' | 'responses' | 'onLimited'> & {
    auth?: A;
    params?: P;
    query?: Q;
    body?: B;
    responses: R;
    onLimited?: (request: Handled<P, Q, B, A>) => Promise<void>;
    handle(request: Handled<P, Q, B, A>, reply: Reply<R>): Promise<Answer<R>>;
  },
): JsonRoute {
  return { auth: 'required', ...declared, kind: 'json' } as unknown as JsonRoute;
}
