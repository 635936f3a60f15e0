import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { newRequestId } from '../../lib/ids.ts';

/** Milliseconds that a client may take. */
export type Patience = {
  /** From connecting, or from the first byte of a request, to the end of its head. */
  headMs: number;
  /** To the end of its body. */
  requestMs: number;
  /** Between two requests. */
  idleMs: number;
  /** Without taking a byte of an answer that is ready. */
  stalledMs: number;
  /** How often heads and requests are looked at. */
  lookEveryMs: number;
};

const PATIENCE: Patience = { headMs: 15_000, requestMs: 30_000, idleMs: 65_000, stalledMs: 60_000, lookEveryMs: 5000 };

/** Requests of one connection that may wait for their answers; pipelining that means well stays far below. */
export const MOST_IN_FLIGHT = 16;

/** Those of the routes; Node's parser knows 30 more. */
const METHODS: readonly (string | undefined)[] = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** How long a refusal may take to reach its client before the connection is cut. */
const LAST_WORD_MS = 1000;

type Refusal = { status: number; reason: string; detail: string };

const NO_HTTP: Refusal = { status: 400, reason: 'Bad Request', detail: 'This is no HTTP request' };
const NO_HOST: Refusal = { status: 400, reason: 'Bad Request', detail: 'The Host header is missing' };
const UNKNOWN_METHOD: Refusal = { status: 405, reason: 'Method Not Allowed', detail: 'No route has this method' };
const UNMET: Refusal = { status: 417, reason: 'Expectation Failed', detail: 'Expect takes 100-continue only' };

/** What a connection is told whose request cannot even be read, by Node's error code. */
const UNREADABLE: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: 'Request Timeout', detail: 'The request did not arrive in time' },
  HPE_HEADER_OVERFLOW: { status: 431, reason: 'Request Header Fields Too Large', detail: 'The headers are too large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, reason: 'Payload Too Large', detail: 'The chunk extensions are too large' },
};

/** The answers that each connection waits for, in the order of their requests. */
const unanswered = new WeakMap<Duplex, Set<ServerResponse>>();

/**
 * The HTTP server below the routes. It answers itself what never becomes a request of theirs, lets nobody wait for ever
 * at the other end, and closes a connection that asks for more answers than it takes.
 */
export function createHttpServer(handle: RequestListener, patience: Patience = PATIENCE): Server {
  const options = {
    headersTimeout: patience.headMs,
    requestTimeout: patience.requestMs,
    keepAliveTimeout: patience.idleMs,
    connectionsCheckingInterval: patience.lookEveryMs,
    // Notices the end of a stream's reader that vanished without a word.
    keepAlive: true,
    keepAliveInitialDelay: patience.stalledMs,
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) => becomesSocket(request, server),
  };
  const server: Server = createServer(options, (request, response) => {
    if (!admit(request, response, patience)) return;
    const refusal = refusalOf(request);
    if (refusal) answer(response, refusal);
    else handle(request, response);
  });
  server.on('checkExpectation', (request, response) => {
    if (admit(request, response, patience)) answer(response, UNMET);
  });
  server.on('connect', (_request, socket) => lastWord(socket, UNKNOWN_METHOD));
  return server;
}

/** Where each server takes WebSockets. */
const takesSocket = new WeakMap<Server, (path: string) => boolean>();

/** Lets requests for a WebSocket through to the server's `upgrade` listeners where `takes` says so of their path. */
export const acceptSockets = (server: Server, takes: (path: string) => boolean): void => void takesSocket.set(server, takes);

/** Whether a request opens a WebSocket (RFC 6455, section 4.2.1); every other one is answered as if it had not asked. */
function becomesSocket({ method, url = '', headers, socket }: IncomingMessage, server: Server): boolean {
  const asks = method === 'GET' && headers.host !== undefined && headers.upgrade?.toLowerCase() === 'websocket';
  const inForm = headers['sec-websocket-version'] === '13' && /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '');
  // What was asked before on the connection has its answer.
  const alone = (unanswered.get(socket)?.size ?? 0) === 0;
  return asks && inForm && alone && (takesSocket.get(server)?.(url.split('?', 1)[0] ?? '') ?? false);
}

/** Connections that sent what cannot be read: nothing that they still send is. */
const unreadable = new WeakSet<Duplex>();

/** Answers what cannot be read as a request, after the answers to what could, and closes the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  if (unreadable.has(socket)) return;
  unreadable.add(socket);
  lastWord(socket, UNREADABLE[error.code ?? ''] ?? NO_HTTP);
}

function refusalOf({ method, httpVersion, headers }: IncomingMessage): Refusal | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return NO_HOST;
  return METHODS.includes(method) ? undefined : UNKNOWN_METHOD;
}

/** Counts a request among those in flight; false when it is not to be worked, because its connection is or gets cut. */
function admit({ socket }: IncomingMessage, response: ServerResponse, { stalledMs }: Patience): boolean {
  // What had already arrived with the request for which the connection was cut.
  if (socket.destroyed) return false;
  const waiting = unanswered.get(socket) ?? new Set();
  if (waiting.size >= MOST_IN_FLIGHT) {
    socket.destroy();
    return false;
  }
  unanswered.set(socket, waiting.add(response));
  response.once('prefinish', () => socket.setTimeout(stalledMs));
  response.once('close', () => {
    waiting.delete(response);
    // The one that is sent next may take its time until it is ready.
    const [next] = waiting;
    if (next) socket.setTimeout(next.writableEnded ? stalledMs : 0);
  });
  return true;
}

function answer(response: ServerResponse, { status, detail }: Refusal): void {
  const body = bodyOf(detail);
  response.writeHead(status, { ...headersOf(body), ...(status === 405 ? { allow: METHODS.join(', ') } : {}) }).end(body);
}

/** Writes an answer that belongs to no whole request, once the whole ones before it have theirs, and cuts the connection. */
function lastWord(socket: Duplex, refusal: Refusal): void {
  const waiting = [...(unanswered.get(socket) ?? [])];
  const before = waiting.findLast(({ req }) => req.complete);
  if (before) return void before.once('close', () => lastWord(socket, refusal));
  if (!socket.writable || waiting.some(({ headersSent }) => headersSent)) return void socket.destroy();
  const body = bodyOf(refusal.detail);
  const headers = Object.entries({ ...headersOf(body), connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`${[`HTTP/1.1 ${refusal.status} ${refusal.reason}`, ...headers].join('\r\n')}\r\n\r\n${body}`);
  setTimeout(() => socket.destroy(), LAST_WORD_MS).unref();
}

const bodyOf = (detail: string): string => JSON.stringify({ detail });

const headersOf = (body: string): Record<string, string> => ({
  'x-request-id': newRequestId(),
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
});
