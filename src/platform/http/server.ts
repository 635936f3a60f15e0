import type { Socket } from 'node:net';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { newRequestId } from '../../lib/ids.ts';
import type { AppContext } from '../context.ts';
import { answerTo } from './error-answers.ts';
import { mount, type Authenticator } from './mount.ts';
import type { Family } from './registry.ts';

export type Server = {
  fastify: FastifyInstance;
  /** Address it listens on, as a URL. */
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
    trustProxy: ctx.config.http.trustProxy,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    exposeHeadRoutes: false,
    // Zod checks what comes in and goes out; the compilers of JSON Schema that would be loaded are never asked.
    schemaController: { compilersFactory: { buildValidator: () => notAsked, buildSerializer: () => notAsked } },
    clientErrorHandler: refuseGarbage,
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
      done(null, JSON.parse(body as string));
    } catch {
      done(Object.assign(new Error('malformed JSON'), { code: 'FST_ERR_CTP_INVALID_JSON_BODY' }));
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
    const streamed = reply.getHeader('content-type') === 'application/x-ndjson';
    if (!streamed) ctx.metrics.requests.observe({ method: request.method, route, status: String(reply.statusCode) }, seconds);
    ctx.log.debug({ requestId: request.id, method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request');
    done();
  });
  server.setErrorHandler((error, request, reply) => {
    const answer = answerTo(error, request.id);
    if (answer.status >= 500) {
      ctx.log[answer.status === 500 ? 'error' : 'warn']({ err: error, requestId: request.id, route: request.routeOptions.url }, 'request failed');
    }
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
    listen: (options) => server.listen(options),
    close: async () => {
      closing.abort();
      await server.close();
    },
  };
}

function notAsked(): never {
  throw new Error('a route is declared by Zod schemas, not by JSON Schema');
}

/** Answers bytes that are no HTTP request, which no hook ever sees. */
function refuseGarbage(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const body = JSON.stringify({ detail: 'This is no HTTP request' });
  const head = [
    'HTTP/1.1 400 Bad Request',
    `x-request-id: ${newRequestId()}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
