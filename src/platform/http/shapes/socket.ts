import type { FastifyInstance, FastifyReply } from 'fastify';
import type { WebSocketServer } from 'ws';
import type { Mounted, Placed, Schema, Shape, Stated } from '../declared.ts';
import { acceptSockets, refuseUnreadable } from '../connections.ts';
import type { Caller, Guard } from '../guards/guard.ts';
import type { Limit } from '../route-limits.ts';
import { CLOSE, type Connecting, converse, type Hear, type SocketRoute } from '../socket.ts';

const STANDARD = { maxMessageBytes: 64 * 1024, idleSeconds: 60 };

/** How long a socket that was closed waits for its client to agree. */
const AGREE_MS = 2000;

/**
 * Declares a WebSocket. `connect` is called once the guard let the caller in, and gives what hears each text message, one
 * after the other; what comes before is kept. `signal` aborts when the socket is closed. A caller without a credential is
 * closed with 4002, one whose credential does not hold with 4001, a message of more than `maxMessageBytes` with 1009, a
 * client that says nothing for `idleSeconds` with 1001, and everybody with 1012 when the service closes.
 */
export function socketRoute<C extends Caller, P extends Schema = undefined, Q extends Schema = undefined>(
  declared: Stated<C> & {
    guard: Guard<C>;
    params?: P;
    query?: Q;
    maxMessageBytes?: number;
    idleSeconds?: number;
    connect(request: Connecting<P, Q, C>): Hear | Promise<Hear>;
  },
): SocketRoute {
  return { method: 'GET', ...STANDARD, ...declared, shape: socket } as unknown as SocketRoute;
}

const socket: Shape<SocketRoute> = {
  mount: (server, routes, needs) => {
    const patterns = routes.map(({ url }) => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`));
    // One that is upgraded while the service closes is refused without an end of its connection, for which the stop then waits.
    acceptSockets(server.server, (path) => !needs.closing.aborted && patterns.some((pattern) => pattern.test(path)));
    server.register(async (scope) => {
      await scope.register((await import('@fastify/websocket')).default, pluginOptions(routes));
      nameAnswers(scope);
      for (const each of routes) mountSocket(scope, each, needs);
    });
  },
  describe: ({ guard, limit, maxMessageBytes, idleSeconds }) => ({
    responses: { 101: {} },
    errors: [426],
    refusesOtherwise: true,
    extensions: { 'x-websocket': { maxMessageBytes, idleSeconds, closes: closesOf(guard, limit) } },
  }),
};

const closesOf = ({ security }: Guard, limit: Limit | undefined) => ({
  ...(security.length > 0 ? { [CLOSE.rejected]: 'token expired or rejected', [CLOSE.missing]: 'token missing' } : {}),
  [CLOSE.idle]: 'silent for too long',
  [CLOSE.notText]: 'text messages alone',
  [CLOSE.refused]: 'refused, for the reason that it gives',
  [CLOSE.tooLong]: 'message too long',
  [CLOSE.failed]: 'internal error',
  [CLOSE.tryLater]: limit ? 'reads too slowly, or too many connections' : 'reads too slowly',
  [CLOSE.restarting]: 'the service restarts',
});

const pluginOptions = (routes: readonly Placed<SocketRoute>[]) => ({
  options: {
    maxPayload: Math.max(...routes.map(({ declared }) => declared.maxMessageBytes)),
    perMessageDeflate: false,
    closeTimeout: AGREE_MS,
  },
  // `ws` closes the socket itself; all that is left is to have listened.
  errorHandler: () => {},
  preClose(this: FastifyInstance, done: () => void) {
    for (const client of this.websocketServer.clients) client.close(CLOSE.restarting, 'the service restarts');
    this.websocketServer.close(done);
  },
});

/** Gives the answers to upgrades what every answer has. */
function nameAnswers(scope: FastifyInstance): void {
  const ids = new WeakMap<object, string>();
  scope.addHook('onRequest', (request, _reply, done) => {
    ids.set(request.raw, request.id);
    done();
  });
  const server: WebSocketServer = scope.websocketServer;
  server.on('headers', (headers, request) => headers.push(`X-Request-ID: ${ids.get(request) ?? ''}`));
  server.on('wsClientError', (error, client) => refuseUnreadable(error, client));
}

function mountSocket(scope: FastifyInstance, { url, declared }: Placed<SocketRoute>, needs: Mounted): void {
  scope.route({
    method: 'GET',
    url,
    exposeHeadRoute: false,
    handler: (_request, reply) => refusePlain(reply, needs.closing),
    wsHandler: (socket, request) => converse({ declared, needs, request, socket }),
  });
}

/** For who asks without the upgrade (RFC 9110, section 15.5.22), or while the service closes. */
async function refusePlain(reply: FastifyReply, closing: AbortSignal): Promise<FastifyReply> {
  reply.type('application/json; charset=utf-8');
  if (closing.aborted) return reply.status(503).send(JSON.stringify({ detail: 'The service restarts' }));
  return reply
    .status(426)
    .headers({ upgrade: 'websocket', 'sec-websocket-version': '13' })
    .send(JSON.stringify({ detail: 'This address takes WebSockets alone' }));
}
