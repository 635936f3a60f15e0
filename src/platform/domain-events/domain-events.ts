import { z } from 'zod';
import type { Db, Tx } from '../db/database.ts';
import { defineJob, worked, type Job, type WorkedJob } from '../jobs/define-job.ts';
import type { Enqueue } from '../jobs/queue.ts';

/** Something that happened, in the past tense; features define theirs, `app/reactions.ts` says what follows. */
export type DomainEvent<P = unknown> = { name: string; payload: z.ZodType<P> };

export const defineEvent = <P>(name: string, payload: z.ZodType<P>): DomainEvent<P> => ({ name, payload });

/** What follows an event: a job of its own for each, so that one that fails is tried again alone. */
export type Reaction<P = unknown> = {
  event: DomainEvent<P>;
  name: string;
  /** Whether there is anything to do, where the event alone says so; without it there always is. */
  when?: (payload: P) => boolean;
  /** @param signal aborts when the job is given back */
  react(payload: P, signal: AbortSignal): Promise<void>;
};

export type DomainEvents = {
  /** Queues every reaction that has something to do, in the caller's transaction. */
  publish<P>(tx: Db | Tx, event: DomainEvent<P>, payload: P): Promise<void>;
};

export function domainEvents(queue: Enqueue, reactions: readonly Reaction[]): { events: DomainEvents; jobs: WorkedJob[] } {
  const jobs = reactions.map((reaction) => ({
    event: reaction.event.name,
    job: defineJob({ name: `on.${reaction.event.name}.${reaction.name}`, payload: z.looseObject({}) }) as Job,
    reaction,
  }));
  return {
    events: {
      publish: async (tx, event, payload) => {
        for (const { event: name, job, reaction } of jobs) {
          if (name === event.name && (reaction.when?.(payload) ?? true)) await queue.send(tx, job, payload);
        }
      },
    },
    jobs: jobs.map(({ job, reaction }) => worked(job, async (payload, { signal }) => reaction.react(reaction.event.payload.parse(payload), signal))),
  };
}
