import type { FastifyReply, FastifyRequest } from 'fastify';
import { malformed, rateLimited } from '../../lib/errors.ts';
import type { Declared, Handled, Mounted } from './declared.ts';
import { addressOf, countedOf, countHit, earlierNamesOf, isSpared, principalOf, type Limit } from './route-limits.ts';
import { check } from './validation.ts';
import { whenOver } from './when-over.ts';

/** One request to a declared route. */
export type Asking<R extends Declared = Declared> = { declared: R; needs: Mounted; request: FastifyRequest };

/** A request that is answered over HTTP. */
export type Exchange<R extends Declared = Declared> = Asking<R> & { reply: FastifyReply };

type Reading = {
  signal: AbortSignal;
  /** Reads the body once the path and the query have passed their checks; it is the one that was parsed without. */
  readBody?: () => unknown;
};

const ALLOWED = { allowed: true, retryAfter: 0 };

/**
 * What a shape's own code gets of a request: the guard lets it in, the limit counts it, its parts are checked.
 * @throws AppError of the guard, `rate_limited`, `malformed` or `invalid`
 */
export async function receive(asking: Asking, reading: Reading): Promise<Handled> {
  const { declared, needs, request } = asking;
  const principal = await declared.guard.admit(request, needs.auth);
  // A key is part of what is checked first; all else is counted before.
  const counted = declared.limit?.by === 'key' ? ALLOWED : await count(asking, { principal });
  if (!counted.allowed && !declared.onLimited) throw rateLimited(counted.retryAfter);
  const handled = {
    ctx: needs.ctx,
    principal,
    ...(await checked(asking, reading)),
    principalKey: () => principalOf(principal, request, needs.ctx.secrets),
    earlierPrincipalKeys: () => earlierNamesOf(principal, request, needs.ctx.secrets),
    requestId: request.id,
    signal: reading.signal,
  } as Handled;
  const { allowed, retryAfter } = declared.limit?.by === 'key' ? await count(asking, handled) : counted;
  if (allowed) return handled;
  await declared.onLimited?.(handled as never);
  throw rateLimited(retryAfter);
}

/** The same for an answer over HTTP: its signal aborts when the client leaves before it has the answer. */
export function receiveExchange(exchange: Exchange, readBody?: Reading['readBody']): Promise<Handled> {
  const { request, reply } = exchange;
  const gone = new AbortController();
  whenOver(request, reply, () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return receive(exchange, { signal: gone.signal, ...(readBody ? { readBody } : {}) });
}

async function checked({ declared, request }: Asking, { readBody }: Reading) {
  const params = declared.params ? check(declared.params, request.params, 'path') : undefined;
  const query = declared.query ? check(declared.query, request.query, 'query') : undefined;
  const read = readBody ? await readBody() : undefined;
  const body = declared.body ? check(declared.body, readBody ? read : parsedBody(request, declared), 'body', declared) : undefined;
  return { params, query, body, headers: request.headers };
}

async function count({ declared, needs, request }: Asking, { principal, ...parts }: Partial<Handled> & Pick<Handled, 'principal'>) {
  const limit: Limit | undefined = declared.limit;
  if (!limit || isSpared(limit, request)) return ALLOWED;
  const route = `${declared.method} ${declared.path}`;
  const { ctx } = needs;
  const hit = await countHit(ctx, limit, route, countedOf(limit, { caller: principal, sender: request, parts }, ctx.secrets));
  if (!hit.allowed || limit.ofAddress === undefined) return hit;
  return countHit(ctx, { ...limit, max: limit.ofAddress }, route, addressOf(request, ctx.secrets));
}

function parsedBody(request: FastifyRequest, declared: Declared): unknown {
  if (request.body !== undefined && request.body !== null) return request.body;
  if (declared.emptyBody === 'allowed') return {};
  if (declared.bodyErrors) return {};
  throw malformed('body: required');
}
