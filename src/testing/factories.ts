import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '#platform/context.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import type { Embeddings } from '#platform/llm/embeddings.ts';
import type { WebSearch } from '#platform/ports/web-search/port.ts';

/** A gate that lets everything through until it is closed. */
export function newGate() {
  let opened = Promise.resolve();
  let open: (() => void) | undefined;
  let entered = 0;
  return {
    /** From now on `pass` waits, until the function that this gives is called. */
    close: (): (() => void) => {
      entered = 0;
      opened = new Promise((resolve) => (open = resolve));
      return () => open?.();
    },
    /** How many came since it was closed. */
    entered: (): number => entered,
    pass: async (signal?: AbortSignal): Promise<void> => {
      entered += 1;
      const aborted = new Promise<never>((_resolve, reject) => {
        if (signal?.aborted) reject(signal.reason as Error);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      await Promise.race([opened, aborted]);
    },
  };
}

export type Gate = ReturnType<typeof newGate>;

/** A web search that finds nothing once the gate lets it. */
export const gatedSearch = (gate: Gate): WebSearch => ({
  provider: 'searxng',
  search: async (_query, { signal }) => {
    await gate.pass(signal);
    return [];
  },
});

/** Embeddings that answer once the gate lets them: one direction per distinct word. */
export const gatedEmbeddings = (gate: Gate): Embeddings => ({
  dimensions: 512,
  embed: async (texts, signal) => {
    await gate.pass(signal);
    return texts.map(wordVector);
  },
});

function wordVector(text: string): number[] {
  const vector = Array.from({ length: 512 }, () => 0);
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? ['']) {
    let place = 7;
    for (const letter of word) place = (place * 31 + letter.charCodeAt(0)) % 512;
    vector[place] = 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Whether no background job is due or being worked. */
export async function isIdle({ db }: Pick<AppContext, 'db'>): Promise<boolean> {
  const { rows } = await sql<{ busy: boolean }>`
    select exists (select from jobs.job where state in ('created', 'retry', 'active') and start_after <= now()) as busy`.execute(db);
  return rows[0]?.busy === false;
}

/** An idea of a market that the catalogue knows, in words that no other test uses. */
export const newIdea = (topic = 'A habit tracking app with streaks and reminders'): string => `${topic}, number ${randomInt(1e12)}`;

/**
 * Uses every queue once, outside a transaction. Without a worker nothing else does, and what the queue reads at its first
 * use would wait for the one connection that an embedded database has.
 */
export async function warmQueues({ db, queue }: Pick<AppContext, 'db' | 'queue'>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from jobs.queue where name not like '\\_\\_pgboss%'`.execute(db);
  for (const { name } of rows) await queue.send(db, defineJob({ name, payload: z.looseObject({}) }), {});
  await sql`delete from jobs.job where state = 'created'`.execute(db);
}

/** Writes into the ledger that a run has had an answer of a model. */
export const payFor = (ctx: AppContext, runKey: string): Promise<void> =>
  ctx.modelCalls.record({
    userId: 'somebody',
    feature: 'test',
    runKey,
    call: 'test',
    provider: 'llm_a',
    model: 'm-1',
    ownKey: false,
    requests: 1,
    inputTokens: 10,
    outputTokens: 1,
    milliseconds: 1,
    outcome: 'ok',
  });
