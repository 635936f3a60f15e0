import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { malformed, rateLimited, unauthenticated } from '../../lib/errors.ts';
import type { AppContext } from '../context.ts';
import type { Principal } from '../principal.ts';
import { attachment, type FileRoute } from './file-route.ts';
import { prefersJson, type PageRoute } from './page-route.ts';
import type { AnyRoute, Family } from './registry.ts';
import type { Answer, Declared, Handled, JsonRoute, Reply, Responses } from './route.ts';
import { ndjson, type StreamRoute } from './stream-route.ts';
import { check } from './validation.ts';

/** Turns bearer tokens into principals; the auth feature provides it. */
export type Authenticator = {
  authenticate(authorization: string | undefined, accept: 'identity' | 'session' | 'any'): Promise<Principal>;
  /** Renews a session that connects to a stream, and says when and how it ends. */
  watch(principal: Principal, ended: () => void): Promise<() => void>;
};

export type Mounted = { ctx: AppContext; auth: Authenticator; closing: AbortSignal };

const WINDOW = { minute: 60, hour: 3600 } as const;

/** Mounts every declared route on the server; `{name}` in a path becomes `:name`. */
export function mount(server: FastifyInstance, families: readonly Family[], needs: Mounted): void {
  for (const { routes } of families) {
    for (const declared of routes) {
      for (const path of [declared.path, ...(declared.aliases ?? [])]) {
        server.route({
          method: declared.method,
          url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
          handler: handlerOf(declared, needs),
          exposeHeadRoute: false,
        });
      }
    }
  }
}

const handlerOf = (declared: AnyRoute, needs: Mounted): ((request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>) => {
  switch (declared.kind) {
    case 'json':
      return (request, reply) => answerJson(declared, needs, request, reply);
    case 'stream':
      return (request, reply) => answerStream(declared, needs, request, reply);
    case 'page':
      return (request, reply) => answerPage(declared, needs, request, reply);
    case 'file':
      return (request, reply) => answerFile(declared, needs, request, reply);
  }
};

/** What a handler gets; the body is read by those that take one. */
function handledOf(declared: Declared, needs: Mounted, principal: Principal | null, request: FastifyRequest, reply: FastifyReply) {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return {
    ctx: needs.ctx,
    principal,
    params: declared.params ? check(declared.params, request.params, 'path') : undefined,
    query: declared.query ? check(declared.query, request.query, 'query') : undefined,
    body: declared.body ? check(declared.body, bodyOf(request, declared), 'body', declared) : undefined,
    headers: request.headers,
    requestId: request.id,
    signal: gone.signal,
  } as Handled<never, never, never, 'required'>;
}

async function answerJson(declared: JsonRoute, needs: Mounted, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const principal = await identify(declared, needs, request);
  const allowed = await countHit(declared, needs, request, principal);
  if (!allowed.allowed && !declared.onLimited) throw rateLimited(allowed.retryAfter);
  const handled = handledOf(declared, needs, principal, request, reply);
  if (!allowed.allowed) {
    await declared.onLimited?.(handled);
    throw rateLimited(allowed.retryAfter);
  }
  const answer = await declared.handle(handled, answerWith);
  // The route that ends a session answers on it.
  if (declared.bearer !== 'session') refuseRevoked(principal);
  const body: unknown = declared.responses[answer.status]?.parse(answer.body);
  if (answer.headers) reply.headers(answer.headers);
  reply.status(answer.status);
  if (answer.status === 204) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

const answerWith: Reply<Responses> = (status, body, headers): Answer<Responses> => ({ status, body, ...(headers ? { headers } : {}) });

async function answerStream(declared: StreamRoute, needs: Mounted, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { ctx, auth, closing } = needs;
  const principal = await identify(declared, needs, request);
  if (!principal) throw unauthenticated('Missing Bearer token');
  const allowed = await countHit(declared, needs, request, principal);
  if (!allowed.allowed) throw rateLimited(allowed.retryAfter);
  const params = check(declared.params as never, request.params, 'path') as Record<string, string>;
  const query = check(declared.query as never, request.query, 'query') as { cursor: number; include_seq: boolean };
  const followed = await declared.open({ ctx, principal, params, requestId: request.id, cursor: query.cursor });
  const ended = new AbortController();
  const end = () => ended.abort();
  const unwatch = await auth.watch(principal, end);
  closing.addEventListener('abort', end, { once: true });
  ctx.metrics.openStreams.inc();
  reply.raw.once('close', () => {
    end();
    unwatch();
    closing.removeEventListener('abort', end);
    ctx.metrics.openStreams.dec();
  });
  const stream = ndjson(ctx, followed, { cursor: query.cursor, includeSeq: query.include_seq }, ended.signal);
  return reply.type('application/x-ndjson').header('cache-control', 'no-store').header('x-accel-buffering', 'no').send(stream);
}

async function answerPage(declared: PageRoute, needs: Mounted, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const allowed = await countHit(declared, needs, request, null);
  if (!allowed.allowed) throw rateLimited(allowed.retryAfter);
  const params = declared.params ? (check(declared.params, request.params, 'path') as Record<string, string>) : {};
  const page = await declared.show({ ctx: needs.ctx, params, requestId: request.id });
  reply.header('vary', 'Accept');
  if (page.headers) reply.headers(page.headers);
  if (prefersJson(request.headers.accept)) {
    const body: unknown = declared.responses?.[200]?.parse(page.json) ?? page.json;
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  }
  return reply.type('text/html; charset=utf-8').send(page.html());
}

async function answerFile(declared: FileRoute, needs: Mounted, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const principal = await identify(declared, needs, request);
  const allowed = await countHit(declared, needs, request, principal);
  if (!allowed.allowed) throw rateLimited(allowed.retryAfter);
  const file = await declared.handle(handledOf(declared, needs, principal, request, reply));
  refuseRevoked(principal);
  if (file.headers) reply.headers(file.headers);
  if (file.fileName) reply.header('content-disposition', attachment(file.fileName));
  return reply.type(file.contentType).send(typeof file.bytes === 'string' ? file.bytes : Buffer.from(file.bytes));
}

async function identify(declared: Declared, { auth }: Mounted, request: FastifyRequest): Promise<Principal | null> {
  if (declared.auth === 'public') return null;
  return auth.authenticate(request.headers.authorization, declared.bearer ?? 'any');
}

async function countHit(declared: Declared, { ctx }: Mounted, request: FastifyRequest, principal: Principal | null) {
  const { limit } = declared;
  if (!limit) return { allowed: true, retryAfter: 0 };
  const who = limit.by === 'user' && principal ? principal.userId : request.ip;
  const bucket = limit.bucket ?? `${declared.method} ${declared.path}`;
  return ctx.limiter.hit(`${bucket} ${who}`, limit.max, WINDOW[limit.per]);
}

/** A token revoked while its request was being worked must not get the answer any more. */
function refuseRevoked(principal: Principal | null): void {
  if (principal?.credential.kind === 'session' && principal.credential.session.revoked) {
    throw unauthenticated('Invalid token: the session was revoked');
  }
}

function bodyOf(request: FastifyRequest, declared: Declared): unknown {
  if (request.body !== undefined && request.body !== null) return request.body;
  if (declared.emptyBody === 'allowed') return {};
  if (declared.bodyErrors) return {};
  throw malformed('body: required');
}
