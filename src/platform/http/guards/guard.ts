import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../lib/errors.ts';
import type { Principal } from '../../principal.ts';

/** Turns bearer tokens into principals; the auth feature provides it. */
export type Authenticator = {
  authenticate(authorization: string | undefined, accept: 'identity' | 'session' | 'any'): Promise<Principal>;
  /** Renews a session that connects to a stream, and says when and how it ends. */
  watch(principal: Principal, ended: () => void): Promise<() => void>;
};

/** Whom a guard let in: a principal, an actor, or whatever a lookup found. Limits and rows are those of `userId`. */
export type Caller = { userId: string | null } | null;

/** What a guard may look at; `body` is the raw bytes on a webhook. */
type Asked = Pick<FastifyRequest, 'headers' | 'params' | 'query' | 'body'>;

/** One credential as OpenAPI shows it. */
export type Security = {
  name: string;
  scheme: { description: string } & (
    | { type: 'http'; scheme: 'bearer'; bearerFormat?: string }
    | { type: 'apiKey'; in: 'header' | 'query'; name: string }
  );
};

/** Decides who may call a route. A route names one; `every` makes one of several. */
export type Guard<C extends Caller = Caller> = {
  /** How `GET /status` calls it. */
  auth: string;
  /** The credentials that a caller presents, all of them. */
  security: readonly Security[];
  /** A caller without credentials is let in as well. */
  optional?: true;
  /** What the description of its routes says, where no security scheme can. */
  note?: string;
  /** Statuses of its refusals. */
  refusals: readonly number[];
  /** @throws AppError when the caller is not let in */
  admit(request: Asked, auth: Authenticator): Promise<C>;
  /** Looks at the caller once more before the answer goes out. @throws AppError when it is to have none */
  confirm?(caller: C): void;
  /** Tells a stream or a socket when its caller may no longer be there; gives what stops the watching. */
  watch?(caller: C, ended: () => void, auth: Authenticator): Promise<() => void>;
};

/** A refusal because no credential was presented at all; a socket closes with another code for it. */
export class NoCredential extends AppError {
  constructor(detail: string) {
    super('unauthenticated', detail);
  }
}
