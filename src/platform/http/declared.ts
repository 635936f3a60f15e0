import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { ZodOpenApiContentObject } from 'zod-openapi';
import type { AppContext } from '../context.ts';
import type { Authenticator, Caller, Guard } from './guards/guard.ts';
import type { Limit } from './route-limits.ts';

export type Schema = z.ZodType | undefined;
export type Responses = Record<number, z.ZodType>;
type Out<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a route's own code gets: who asks, and the checked parts of the request. */
export type Handled<P = Schema, Q = Schema, B = Schema, C = Caller> = {
  ctx: AppContext;
  /** Whom the guard let in. */
  principal: C;
  params: Out<P>;
  query: Out<Q>;
  body: Out<B>;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Whom a limit by principal counts: the user, or a salted hash of address and `User-Agent`. */
  principalKey(): string;
  /** What that was for the same caller before the installation's keys were renewed. */
  earlierPrincipalKeys(): readonly string[];
  requestId: string;
  /** Aborts when nobody takes the answer any more. */
  signal: AbortSignal;
};

/** What every declaration says, whatever its shape. */
export type Declared = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  /** Further paths that answer the same, sharing its limit. */
  aliases?: readonly string[];
  summary: string;
  /** What a caller must know beyond the summary. */
  description?: string;
  /** Who may call. */
  guard: Guard;
  limit?: Limit;
  /** Called instead of the handler when the limit is exceeded and the body is valid; the answer stays 429. */
  onLimited?: (request: Handled<undefined, undefined, never>) => Promise<void>;
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

/** What the maker of any shape is told. */
export type Stated<C extends Caller> = Pick<Declared, 'path' | 'aliases' | 'summary' | 'description' | 'limit' | 'errors' | 'client'> & {
  guard?: Guard<C>;
};

export type Mounted = { ctx: AppContext; auth: Authenticator; closing: AbortSignal };

/** A declared route at one of its paths, written as the server takes it (`:name`). */
export type Placed<R> = { url: string; declared: R };

/** A shape's piece of a route's entry in the OpenAPI document. */
export type Described = {
  requestBody?: { required: boolean; content: ZodOpenApiContentObject };
  /** By status, what it answers when all goes well; `content` by type. */
  responses: Record<string, { description?: string; content?: ZodOpenApiContentObject }>;
  /** Statuses that the shape itself refuses with. */
  errors?: readonly number[];
  /** The guard, the limit and the checks refuse in another way than by a status. */
  refusesOtherwise?: true;
  extensions?: Record<`x-${string}`, unknown>;
};

/** How routes of one kind are put on the server and described. */
export type Shape<R = AnyRoute> = {
  mount(server: FastifyInstance, routes: readonly Placed<R>[], needs: Mounted): void;
  describe(declared: R): Described;
};

/** A declared route of whichever shape. */
export type AnyRoute = Declared & { shape: Shape };
export type Family = { family: string; routes: readonly AnyRoute[] };
