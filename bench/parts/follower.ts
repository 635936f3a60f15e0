import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end } from './started-process.ts';

export type Follow = { urls: string[]; token: string };
/** Which event arrived when: its number within the measurement, milliseconds of the machine's clock. */
export type Arrival = [event: number, at: number];
export type FollowerMessage = { kind: 'open' } | { kind: 'arrivals'; arrivals: Arrival[] };

export type Followers = AsyncDisposable & { arrivals(): Promise<Arrival[]> };

/** One follower per address, in a process of its own; resolves when all are connected. */
export async function openFollowers(follow: Follow): Promise<Followers> {
  const child = fork(join(import.meta.dirname, 'follower-process.ts'), { execArgv: [] });
  child.send(follow);
  await once(child, 'message');
  return {
    arrivals: async () => {
      child.send('arrivals');
      const [message] = (await once(child, 'message')) as [FollowerMessage];
      return message.kind === 'arrivals' ? message.arrivals : [];
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  };
}
