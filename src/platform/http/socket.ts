import type { WebSocket } from 'ws';
import { AppError, messageOf } from '../../lib/errors.ts';
import type { Declared, Handled, Schema, Shape } from './declared.ts';
import { type Caller, NoCredential } from './guards/guard.ts';
import { type Asking, receive } from './receive.ts';

/** One connected client, as a route sees it. */
type Socket = {
  /** Sends a text message; an object goes as JSON. */
  send(message: string | object): void;
  /** Writes bytes that are whole frames already, so that many sockets share them (RFC 6455, section 5.2). */
  writeFrames(frames: Uint8Array): void;
  /** Bytes that the client has not taken yet. */
  unread(): number;
  close(code: number, reason?: string): void;
};

/** Hears a message; the next one waits until it is done. */
export type Hear = (message: string) => void | Promise<void>;

/** What a route gets when a caller was let in. */
export type Connecting<P = Schema, Q = Schema, C = Caller> = Handled<P, Q, undefined, C> & { socket: Socket };

export type SocketRoute = Declared & {
  shape: Shape;
  maxMessageBytes: number;
  idleSeconds: number;
  connect(request: Connecting): Hear | Promise<Hear>;
};

/** Close codes (RFC 6455, section 7.4, and the interface's own). */
export const CLOSE = {
  idle: 1001,
  notText: 1003,
  refused: 1008,
  tooLong: 1009,
  failed: 1011,
  restarting: 1012,
  tryLater: 1013,
  rejected: 4001,
  missing: 4002,
} as const;

/** Messages that may wait to be heard before the client is made to wait. */
const MOST_WAITING = 16;
/** Bytes that a client may leave untaken; then it is gone. */
const MOST_UNREAD = 4 * 1024 * 1024;
/** Bytes of a close frame's reason. */
const LONGEST_REASON = 120;

type Conversation = Asking<SocketRoute> & { socket: WebSocket };

/** Talks with one client from its upgrade to its end. Every listener is attached before anything is waited for. */
export function converse(conversation: Conversation): void {
  const { declared, needs, socket } = conversation;
  const ended = new AbortController();
  const restart = () => socket.close(CLOSE.restarting);
  const idle = setTimeout(() => socket.close(CLOSE.idle, 'silent for too long'), declared.idleSeconds * 1000).unref();
  const messages = inOrder(socket, (error) => closeFor(error, conversation));
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    idle.refresh();
    if (isBinary) socket.close(CLOSE.notText, 'text alone');
    else if (data.length > declared.maxMessageBytes) socket.close(CLOSE.tooLong);
    else messages.add(data.toString('utf8'));
  });
  socket.on('ping', () => idle.refresh());
  socket.once('close', () => {
    clearTimeout(idle);
    needs.closing.removeEventListener('abort', restart);
    ended.abort();
  });
  needs.closing.addEventListener('abort', restart, { once: true });
  if (needs.closing.aborted) return restart();
  connect(conversation, ended.signal).then(messages.hearWith, (error: unknown) => closeFor(error, conversation));
}

/** Lets the caller in, and gives what hears its messages. @throws whatever refuses it */
async function connect(conversation: Conversation, signal: AbortSignal): Promise<Hear> {
  const { declared, needs, socket } = conversation;
  const handled = await receive(conversation, { signal });
  const unwatch = await declared.guard.watch?.(handled.principal, () => socket.close(CLOSE.rejected, 'token expired'), needs.auth);
  signal.addEventListener('abort', () => unwatch?.(), { once: true });
  if (signal.aborted) unwatch?.();
  return declared.connect({ ...handled, body: undefined, socket: socketOf(conversation) });
}

/** Hears messages one after the other; while too many wait, nothing more is read from the client. */
function inOrder(socket: WebSocket, onFailure: (error: unknown) => void) {
  const waiting: string[] = [];
  let hear: Hear | undefined;
  let busy = false;
  const work = async (): Promise<void> => {
    if (busy || !hear) return;
    busy = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await hear(next);
      if (waiting.length < MOST_WAITING) socket.resume();
    }
    busy = false;
  };
  const begin = () => void work().catch(onFailure);
  return {
    add: (message: string) => {
      if (waiting.push(message) >= MOST_WAITING) socket.pause();
      begin();
    },
    hearWith: (given: Hear) => {
      hear = given;
      begin();
    },
  };
}

const socketOf = ({ request, socket }: Conversation): Socket => {
  /** A client that takes nothing is cut before what waits for it fills the memory. */
  const whileTaken = (write: () => void) => {
    if (socket.readyState !== socket.OPEN) return;
    write();
    if (socket.bufferedAmount > MOST_UNREAD) socket.terminate();
  };
  return {
    send: (message) => whileTaken(() => socket.send(typeof message === 'string' ? message : JSON.stringify(message))),
    writeFrames: (frames) => whileTaken(() => request.raw.socket.write(frames)),
    unread: () => socket.bufferedAmount,
    close: (code, reason) => socket.close(code, reason),
  };
};

/** Says with which code a socket is closed for what was thrown; what nobody foresaw is logged. */
function closeFor(error: unknown, { needs, request, socket }: Conversation): void {
  // What fails because the client has left is no failure.
  if (socket.readyState !== socket.OPEN) return;
  const code = codeOf(error);
  if (code === CLOSE.failed) needs.ctx.log.error({ err: error, requestId: request.id, route: request.routeOptions.url }, 'a socket failed');
  socket.close(
    code,
    code === CLOSE.failed
      ? 'internal error'
      : Buffer.from(messageOf(error))
          .subarray(0, LONGEST_REASON)
          .toString('utf8')
          .replace(/\ufffd$/, ''),
  );
}

function codeOf(error: unknown): number {
  if (error instanceof NoCredential) return CLOSE.missing;
  if (!(error instanceof AppError)) return CLOSE.failed;
  if (error.kind === 'unauthenticated') return CLOSE.rejected;
  if (error.kind === 'rate_limited' || error.kind === 'unavailable') return CLOSE.tryLater;
  return error.kind === 'internal' ? CLOSE.failed : CLOSE.refused;
}
