import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { end } from './started-process.ts';

export type Latencies = { modelMs: number; searchMs: number; pages?: boolean };
export type Addresses = { model: string; engine: string };
/** Requests so far, and the bodies of the latest model requests. */
export type Seen = { models: number; searches: number; pages: number; latest: unknown[] };

export type Outside = AsyncDisposable & Addresses & { env: Record<string, string>; seen(): Promise<Seen> };

/**
 * A language model and a search engine, in a process of their own so that their work is not counted as ours.
 * Hits lead to pages that answer at once with `pages`, else to addresses that are refused before anything is sent.
 */
export async function startOutside({ modelMs, searchMs, pages = false }: Latencies): Promise<Outside> {
  const child = fork(join(import.meta.dirname, 'outside-process.ts'), [String(modelMs), String(searchMs)]);
  const [{ model, engine }] = (await once(child, 'message')) as [Addresses];
  return {
    model,
    engine,
    env: {
      LLM_B_BASE_URL: model,
      LLM_B_MODEL: 'scripted',
      SEARCH_PROVIDER: 'searxng',
      SEARCH_BASE_URL: engine,
      ...(pages ? { FETCH_ALLOW: '127.0.0.1' } : {}),
    },
    seen: async () => {
      child.send('seen');
      const [seen] = (await once(child, 'message')) as [Seen];
      return seen;
    },
    [Symbol.asyncDispose]: () => end(child, 'SIGTERM'),
  };
}
