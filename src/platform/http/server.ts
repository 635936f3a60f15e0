import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError, malformed } from '../../lib/errors.ts';
import { newRequestId } from '../../lib/ids.ts';
import { readJson } from '../../lib/read-json.ts';
import type { TrustedProxies } from '../config/trusted-proxies.ts';
import type { AppContext } from '../context.ts';
import { createHttpServer, refuseUnreadable } from './connections.ts';
import type { Family } from './declared.ts';
import { answerTo } from './error-answers.ts';
import type { Authenticator } from './guards/guard.ts';
import { mount } from './mount.ts';
import { FORMATS } from './stream-lines.ts';
import { whyNotListening } from './why-not-listening.ts';
import { httpMetrics } from './http-metrics.ts';

export type Server = {
  fastify: FastifyInstance;
  /** Address it listens on, as a URL. @throws ConfigError when HOST and PORT cannot be had */
  listen(options: { host: string; port: number }): Promise<string>;
  /** Stops accepting, ends open streams without `done`, lets short requests end. */
  close(): Promise<void>;
};

/** The HTTP server over the declared routes; `extend` adds what is not a declared route (documentation, metrics). */
export function createServer(
  ctx: AppContext,
  auth: Authenticator,
  families: readonly Family[],
  extend?: (server: FastifyInstance) => Promise<void> | void,
): Server {
  const closing = new AbortController();
  const server = fastify({
    logger: false,
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: ctx.config.http.bodyLimit,
    trustProxy: believed(ctx.config.http.trustProxy),
    serverFactory: (handle) => createHttpServer(handle),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    exposeHeadRoutes: false,
    // Zod checks what comes in and goes out; the compilers of JSON Schema that would be loaded are never asked.
    schemaController: { compilersFactory: { buildValidator: () => notAsked, buildSerializer: () => notAsked } },
    clientErrorHandler: refuseUnreadable,
    // Before a route is found, so before any hook.
    frameworkErrors: (error, request, framework) => {
      const reply = framework as unknown as FastifyReply;
      const answer = answerTo(error, request.id);
      reply.status(answer.status).header('x-request-id', request.id).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
    },
  });
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, undefined);
    try {
      done(null, readJson(body as string));
    } catch (error) {
      done(error instanceof AppError ? error : Object.assign(new Error('malformed JSON'), { code: 'FST_ERR_CTP_INVALID_JSON_BODY' }));
    }
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    // The idle connections were closed before this one became idle; kept alive, it would hold the stop up for a minute.
    if (closing.signal.aborted) request.raw.socket.end();
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1000;
    const streamed = STREAMED.includes(String(reply.getHeader('content-type')));
    if (!streamed) httpMetrics(ctx.metrics).requests.observe({ method: request.method, route, status: String(reply.statusCode) }, seconds);
    ctx.log.debug({ requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    // A client that leaves while it sends is no failure, though it looks like a lost connection to the database.
    const answer = answerTo(request.raw.complete ? error : cutShort(error), request.id);
    if (answer.status >= 500) {
      ctx.log[answer.status === 500 ? 'error' : 'warn']({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed');
    }
    takeTheRest(request, reply);
    return reply.status(answer.status).headers(answer.headers).type('application/json; charset=utf-8').send(JSON.stringify(answer.body));
  });
  server.setNotFoundHandler((_request, reply) =>
    reply
      .status(404)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ detail: 'Not found' })),
  );
  if (extend) server.register(async (scope) => extend(scope));
  mount(server, families, { ctx, auth, closing: closing.signal });
  return {
    fastify: server,
    listen: (options) =>
      server.listen(options).catch((error: unknown) => {
        throw whyNotListening(error, options);
      }),
    close: async () => {
      closing.abort();
      await server.close();
    },
  };
}

/** Content types of answers whose length in time says nothing of the service. */
const STREAMED: readonly string[] = Object.values(FORMATS).map(({ contentType }) => contentType);

/** Whose `X-Forwarded-For` Fastify takes the client's address from. */
const believed = (proxies: TrustedProxies) =>
  typeof proxies === 'number' ? proxies > 0 && ((_address: string, hop: number) => hop < proxies) : [...proxies];

/** Lets the client finish what it sends: were its connection cut meanwhile, the answer would be lost with it. */
function takeTheRest(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  request.raw.resume();
}

const cutShort = (error: unknown): unknown =>
  (error as { code?: unknown }).code === 'ECONNRESET' ? malformed('The request ended before it was whole') : error;

function notAsked(): never {
  throw new Error('a route is declared by Zod schemas, not by JSON Schema');
}
