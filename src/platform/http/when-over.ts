import type { FastifyReply, FastifyRequest } from 'fastify';

/** What waits for the end of each connection. */
const waiting = new WeakMap<object, Set<() => void>>();

/**
 * Runs `act` once: when the answer has been sent, when its connection is gone, or at once where that has happened
 * already. An answer that waits behind another one of its connection is not told of the connection's end, so that end is
 * listened for as well.
 */
export function whenOver({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, act: () => void): void {
  const acts = waiting.get(socket) ?? new Set();
  if (!waiting.has(socket)) {
    waiting.set(socket, acts);
    socket.once('close', () => [...acts].forEach((each) => each()));
  }
  const once = () => {
    if (!acts.delete(once)) return;
    response.off('close', once);
    act();
  };
  acts.add(once);
  response.once('close', once);
  if (socket.destroyed || response.closed) once();
}
