import { z } from 'zod';
import { messageOf } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import { systemFor, type Actor } from '../actor.ts';
import { defineDocument, type Upcasts } from '../documents/define-document.ts';
import type { Db, Tx } from '../db/database.ts';
import { defineJob, worked, type Job, type WorkedJob } from '../jobs/define-job.ts';
import type { Enqueue } from '../jobs/queue.ts';
import { findUnsettled, insertEvent, settleReaction, takeBackAllGivenUp, takeBackGivenUp, type HappenedEvent } from './domain-event-store.ts';

/** Something that happened, in the past tense; features define theirs, `app/reactions.ts` says what follows. */
export type DomainEvent<P = unknown> = {
  name: string;
  /** The version of the payload, from 1. */
  version: number;
  payload: z.ZodType<P>;
  /** Today's payload of what was stored in some version. @throws DocumentError when it is not of its shape */
  read(stored: unknown, version: number): P;
};

type Versions = { version?: number; upcasts?: Upcasts };

/**
 * @param payload an object; `userId` and `projectId` in it say whose it is and to which project's timeline it belongs. What
 *   follows is given the owner of that moment.
 */
export function defineEvent<P>(name: string, payload: z.ZodType<P>, { version = 1, upcasts = {} }: Versions = {}): DomainEvent<P> {
  const document = defineDocument(`event ${name}`, payload, { version, upcasts });
  return { name, version, payload, read: (stored, of) => document.read({ ...(stored as object), v: of }) };
}

/** What a reaction is given besides the payload. */
type ReactionRun = {
  event: Pick<HappenedEvent, 'id' | 'actor' | 'occurredAt'>;
  /** Aborts when the job is given back. */
  signal: AbortSignal;
  /**
   * Counts the reaction as done in the transaction of its effect: then it happens exactly once, whatever dies. False when
   * it was done before. A reaction that does not call it is counted when it has returned, and may run again after a kill.
   */
  settle(tx: Tx): Promise<boolean>;
};

/** What follows an event: a job of its own for each, so that one that fails is tried again alone. */
export type Reaction<P = unknown> = {
  event: DomainEvent<P>;
  name: string;
  /** Whether there is anything to do, where the event alone says so; without it there always is. */
  when?: (payload: P) => boolean;
  react(payload: P, run: ReactionRun): Promise<void>;
};

/**
 * Declares what follows an event.
 * @param when whether there is anything to do, where the event alone says so
 */
export const reactTo = <P>(event: DomainEvent<P>, name: string, react: Reaction<P>['react'], when?: (payload: P) => boolean): Reaction =>
  ({ event, name, react, ...(when ? { when } : {}) }) as Reaction;

export type DomainEvents = {
  /** Writes what happened and queues every reaction that has something to do, in the caller's transaction. */
  publish<P>(tx: Db | Tx, event: DomainEvent<P>, payload: P, actor?: Actor): Promise<void>;
};

export type Reactions = {
  events: DomainEvents;
  jobs: WorkedJob[];
  /** Runs a reaction again that gave up; false when it had not. */
  runAgain(tx: Tx, eventId: string, reaction: string): Promise<boolean>;
  /** Runs all of them again that this program knows; gives how many. */
  runAllAgain(): Promise<number>;
};

type Needs = { db: Db; queue: Pick<Enqueue, 'sendAll'>; gaveUp(event: string, reaction: string): void };

const ReactionRunPayload = z.object({ eventId: z.uuid(), reaction: z.string() });
/** However much happens at once, most of a process's places stay free for others. */
const AT_ONCE = 32;
/** Reactions that one transaction queues again. */
const TAKEN_AT_ONCE = 100;
const reactionRun = defineJob({ name: 'reaction.run', payload: ReactionRunPayload, retries: 20, concurrency: AT_ONCE });

/** Events, and the jobs that work their reactions. @param needs read when an event is published or a reaction runs */
export function domainEvents(needs: () => Needs, reactions: readonly Reaction[]): Reactions {
  const byName = new Map(reactions.map((reaction) => [nameOf(reaction), reaction]));
  const queueAll = (tx: Db | Tx, asked: readonly Asked[]) =>
    needs().queue.sendAll(tx, reactionRun, asked, { singletonKeyOf: ({ eventId, reaction }) => `${eventId} ${reaction}` });
  return {
    events: {
      publish: async (tx, { name, version, payload: schema }, given, actor) => {
        const payload = schema.parse(given);
        const { userId = null, projectId = null } = payload as { userId?: string | null; projectId?: string | null };
        const id = newId();
        await insertEvent(tx, { id, name, version, payload, actor: actor ?? systemFor(userId), userId, projectId });
        const followed = [...byName].filter(([, reaction]) => reaction.event.name === name && (reaction.when?.(payload) ?? true));
        await queueAll(
          tx,
          followed.map(([reaction]) => ({ eventId: id, reaction })),
        );
      },
    },
    runAgain: async (tx, eventId, reaction) => {
      const taken = byName.has(reaction) && (await takeBackGivenUp(tx, eventId, reaction));
      if (taken) await queueAll(tx, [{ eventId, reaction }]);
      return taken;
    },
    runAllAgain: async () => {
      const { db } = needs();
      let count = 0;
      for (;;) {
        const taken = await db.transaction().execute(async (tx) => {
          const batch = await takeBackAllGivenUp(tx, [...byName.keys()], TAKEN_AT_ONCE);
          await queueAll(tx, batch);
          return batch.length;
        });
        count += taken;
        if (taken < TAKEN_AT_ONCE) return count;
      }
    },
    jobs: [
      worked(
        reactionRun,
        (job, { signal }) => react(needs(), byName, job, signal),
        (job, error) => giveUp(needs(), job, error),
      ),
      ...earlierJobs(reactions),
    ],
  };
}

const nameOf = ({ event, name }: Reaction): string => `${event.name}/${name}`;

type Asked = z.output<typeof ReactionRunPayload>;

async function react({ db }: Needs, byName: ReadonlyMap<string, Reaction>, { eventId, reaction }: Asked, signal: AbortSignal): Promise<void> {
  const followed = byName.get(reaction);
  const event = await findUnsettled(db, eventId, reaction);
  // Done before; or of an earlier or later program, or swept away: nobody can say what would follow.
  if (!followed || !event) return;
  await followed.react(ownedByNow(followed.event.read(event.payload, event.version), event), {
    event,
    signal,
    settle: (tx) => settleReaction(tx, eventId, reaction, 'done'),
  });
  await settleReaction(db, eventId, reaction, 'done');
}

/** The payload with the owner that the event has by now: an anonymous one may have turned out to be a user since. */
function ownedByNow(payload: unknown, { userId }: Pick<HappenedEvent, 'userId'>): unknown {
  const { userId: before } = payload as { userId?: unknown };
  return typeof before === 'string' && userId !== null ? { ...(payload as object), userId } : payload;
}

async function giveUp({ db, gaveUp }: Needs, { eventId, reaction }: Asked, error: unknown): Promise<void> {
  if (!(await settleReaction(db, eventId, reaction, 'gave_up', messageOf(error)))) return;
  gaveUp(reaction.split('/')[0] ?? '', reaction);
}

/** Jobs that the version before queued, one kind for each reaction, with the payload itself. */
const earlierJobs = (reactions: readonly Reaction[]): WorkedJob[] =>
  reactions.map((reaction) =>
    worked(defineJob({ name: `on.${reaction.event.name}.${reaction.name}`, payload: z.looseObject({}) }) as Job, async (payload, { signal }) => {
      const event = { id: newId(), actor: systemFor(null), occurredAt: new Date() };
      await reaction.react(reaction.event.read(payload, 1), { event, signal, settle: async () => true });
    }),
  );
