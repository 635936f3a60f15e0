import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end } from './started-process.ts';

/** `fromMany`: each request in the name of another address, for a service that trusts its proxy. */
export type Burst = { url: string; token: string; connections: number; ms: number; fromMany?: boolean };
/** Requests answered per second, and milliseconds per request. */
export type Load = { perSecond: number; p50: number; p99: number; failed: number };

export type LoadGenerator = AsyncDisposable & { run(burst: Burst): Promise<Load> };

/** Asks one address over and over on kept-alive connections, from a process of its own. */
export async function openLoad(): Promise<LoadGenerator> {
  const child = fork(join(import.meta.dirname, 'load-process.ts'));
  return {
    run: async (burst) => {
      child.send(burst);
      const [load] = (await once(child, 'message')) as [Load];
      return load;
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  };
}
