import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Db } from '../db/database.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { defineEvent, domainEvents, type Reaction } from './domain-events.ts';

const Grown = defineEvent('tree.grown', z.object({ metres: z.number() }));
const Felled = defineEvent('tree.felled', z.object({ metres: z.number() }));

/** The names of the jobs that an event queues, with the given reactions. */
async function queuedBy(event: typeof Grown, metres: number, reactions: readonly Reaction<{ metres: number }>[]): Promise<string[]> {
  const queued: string[] = [];
  const queue: Enqueue = { send: async (_tx, job) => void queued.push(job.name) };
  await domainEvents(queue, reactions as readonly Reaction[]).events.publish({} as Db, event, { metres });
  return queued;
}

describe('a reaction', () => {
  it('is told when its job is given back, so that it waits for nothing outside any longer', async () => {
    const stopping = new AbortController();
    const told: AbortSignal[] = [];
    const reaction: Reaction<{ metres: number }> = { event: Grown, name: 'measure', react: async (_payload, signal) => void told.push(signal) };
    const { jobs } = domainEvents({ send: async () => {} }, [reaction as Reaction]);
    await jobs[0]?.run({ metres: 1 }, { signal: stopping.signal, attempt: 1 });
    stopping.abort();
    expect(told.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

const react = async () => {};

describe('an event', () => {
  it('queues a job for each reaction to it and for no other', async () => {
    const reactions = [
      { event: Grown, name: 'measure', react },
      { event: Felled, name: 'plant', react },
      { event: Grown, name: 'shade', react },
    ];
    expect(await queuedBy(Grown, 3, reactions)).toEqual(['on.tree.grown.measure', 'on.tree.grown.shade']);
  });

  it('queues none for a reaction that has nothing to do', async () => {
    const reactions = [{ event: Grown, name: 'fence', when: ({ metres }: { metres: number }) => metres < 2, react }];
    expect(await queuedBy(Grown, 1, reactions)).toEqual(['on.tree.grown.fence']);
    expect(await queuedBy(Grown, 3, reactions)).toEqual([]);
  });
});
