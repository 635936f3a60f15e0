import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it, vi } from 'vitest';
import { whenOver } from './when-over.ts';

function exchange(socket = Object.assign(new EventEmitter(), { destroyed: false })) {
  const response = Object.assign(new EventEmitter(), { closed: false });
  return { socket, response, request: { raw: { socket } } as unknown as FastifyRequest, reply: { raw: response } as unknown as FastifyReply };
}

describe('the end of an answer', () => {
  it('is told once, whether the answer or its connection ends first', () => {
    for (const order of [
      ['response', 'socket'],
      ['socket', 'response'],
    ] as const) {
      const { request, reply, ...ends } = exchange();
      const act = vi.fn();
      whenOver(request, reply, act);
      expect(act).not.toHaveBeenCalled();
      for (const end of order) ends[end].emit('close');
      expect(act).toHaveBeenCalledTimes(1);
    }
  });

  it('is told at once when it has been', () => {
    for (const gone of ['response', 'socket'] as const) {
      const { request, reply, ...ends } = exchange();
      Object.assign(ends[gone], { destroyed: true, closed: true });
      const act = vi.fn();
      whenOver(request, reply, act);
      expect(act).toHaveBeenCalledTimes(1);
    }
  });

  it('is listened for once on a connection, however many answers it waits for', () => {
    const { socket } = exchange();
    const acts = Array.from({ length: 100 }, () => vi.fn());
    const exchanges = acts.map((act) => {
      const each = exchange(socket);
      whenOver(each.request, each.reply, act);
      return each;
    });
    expect(socket.listenerCount('close')).toBe(1);
    for (const { response } of exchanges.slice(0, 50)) response.emit('close');
    socket.emit('close');
    for (const act of acts) expect(act).toHaveBeenCalledTimes(1);
  });
});
