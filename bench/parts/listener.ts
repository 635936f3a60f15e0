import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arrival, FollowerMessage, Followers } from './follower.ts';
import { end } from './started-process.ts';

/** Opens a WebSocket at each address, in a process of its own; resolves when all are connected. Times each message by its `n`. */
export async function openListeners(urls: readonly string[]): Promise<Followers> {
  const child = fork(join(import.meta.dirname, 'listener-process.ts'), { execArgv: [] });
  child.send(urls);
  await once(child, 'message');
  return {
    arrivals: async (): Promise<Arrival[]> => {
      child.send('arrivals');
      const [message] = (await once(child, 'message')) as [FollowerMessage];
      return message.kind === 'arrivals' ? message.arrivals : [];
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  };
}
