import type { Db } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Wakeups } from '../streams/wakeups.ts';
import type { Hub } from './hub.ts';
import { deleteOldMessages, messageTopic, takeMessages, writeMessages, type Incoming, type Outgoing } from './message-store.ts';
import type { Presence } from './presence.ts';

/** Messages to the sockets of a user, on whichever nodes they are. */
export type Relay = {
  /**
   * Sends a message to every socket of a user, or to those that follow a topic. All of a user's sockets get the messages in
   * one order, each at most once: what must not be lost is read from its table. Where nobody is connected, a message waits
   * for a minute for whoever connects, unless it is `droppable` or does not wait. Resolves when it is on its way.
   * @param options.droppable a slow reader may miss it
   * @param options.forMs how long it is of use, where that is less than a minute
   * @returns false when there was no socket that it could go to
   * @throws what the database says, where it cannot be asked who is connected
   */
  publish(audience: { userId: string; topic?: string }, message: unknown, options?: Publishing): Promise<boolean>;
  /** Resolves when all that was published or announced so far is delivered on this node. */
  settled(): Promise<void>;
  close(): Promise<void>;
};

type Publishing = { droppable?: boolean; waits?: boolean; forMs?: number };

type Needs = {
  db: Db;
  wakeups: Pick<Wakeups, 'on'>;
  hub: Hub;
  presence: Pick<Presence, 'settled'>;
  log: Pick<Logger, 'warn'>;
  nodeId: string;
};

type Waiting = { message: Omit<Outgoing, 'here'>; sent: (reached: boolean) => void; failed: (error: unknown) => void };

/** Messages in one statement. */
const MOST_AT_ONCE = 500;
const RETRY_MS = 1_000;
const REMOVAL_MS = 90_000;

/** Carries messages between the hubs of all nodes; where a user is on this node alone, only who is connected is read. */
export function openRelay({ db, wakeups, hub, presence, log, nodeId }: Needs): Relay {
  const waiting: Waiting[] = [];
  /** For whom there may be something to take. */
  const called = new Set<string>();
  const listening = new Map<string, () => void>();
  const joining = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let removal: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;

  const later = (ms: number, work: () => void): NodeJS.Timeout => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms).unref();
    timers.add(timer);
    return timer;
  };

  /** Gives how many sockets were meant. */
  const deliver = ({ owner_id: userId, topic, body, droppable }: Omit<Incoming, 'moved_to'>): number =>
    hub.publish(topic === null ? { userId } : { userId, topic }, JSON.parse(body), { droppable });

  const take = async (): Promise<void> => {
    const owners = [...called];
    called.clear();
    try {
      for (const message of await takeMessages(db, nodeId, owners)) {
        if (message.moved_to === null) deliver(message);
        else hub.transfer(message.owner_id, message.moved_to);
      }
    } catch (error) {
      for (const owner of owners) called.add(owner);
      throw error;
    }
  };

  const send = async (): Promise<void> => {
    const batch = waiting.splice(0, MOST_AT_ONCE);
    const messages = batch.map(({ message }) => ({ ...message, here: hub.counts(message.owner_id).sockets > 0 }));
    try {
      const written = await writeMessages(db, nodeId, messages);
      const reached = messages.map((message) => written.has(message.owner_id) || deliver(message) > 0);
      // Taken before anything else is sent, so that nothing overtakes it on this node.
      for (const owner of written) if (hub.counts(owner).sockets > 0) called.add(owner);
      if (written.size > 0) removal ??= later(REMOVAL_MS, removeOld);
      for (const [place, { sent }] of batch.entries()) sent(reached[place] === true);
    } catch (error) {
      for (const { failed } of batch) failed(error);
    }
  };

  const removeOld = (): void => {
    removal = undefined;
    deleteOldMessages(db).catch((error: unknown) => log.warn({ err: error }, 'old messages were not removed'));
  };

  const workAll = async (): Promise<void> => {
    // Everything of one turn goes together.
    await new Promise(setImmediate);
    while (called.size > 0 || waiting.length > 0) {
      if (called.size > 0) await take();
      if (waiting.length > 0) await send();
    }
  };
  const work = (): void => {
    working ??= workAll().then(
      () => {
        working = undefined;
        if (called.size > 0 || waiting.length > 0) work();
      },
      (error: unknown) => {
        working = undefined;
        log.warn({ err: error }, 'messages of other nodes were not read; they are looked for again');
        for (const { failed } of waiting.splice(0)) failed(error);
        later(RETRY_MS, work);
      },
    );
  };

  const call = (userId: string): void => {
    called.add(userId);
    work();
  };
  hub.onChange((userId) => {
    const isHere = hub.counts(userId).sockets > 0;
    if (isHere === listening.has(userId)) return;
    if (!isHere) {
      listening.get(userId)?.();
      listening.delete(userId);
      return;
    }
    listening.set(
      userId,
      wakeups.on(messageTopic(userId), () => call(userId)),
    );
    // Whoever publishes after that knows of this node; what was published before waits.
    const joined = presence.settled().then(() => {
      joining.delete(joined);
      call(userId);
    });
    joining.add(joined);
  });

  const settled = async (): Promise<void> => {
    await Promise.all(joining);
    if (!working) return;
    await working;
    await settled();
  };
  return {
    publish: ({ userId, topic }, message, { droppable = false, waits = !droppable, forMs } = {}) =>
      new Promise((sent, failed) => {
        const body = JSON.stringify(message);
        const outgoing = { owner_id: userId, topic: topic ?? null, body, droppable, waits, for_ms: forMs ?? null };
        waiting.push({ message: outgoing, sent, failed });
        work();
      }),
    settled,
    close: async () => {
      for (const stop of listening.values()) stop();
      listening.clear();
      for (const timer of timers) clearTimeout(timer);
      called.clear();
      await working;
    },
  };
}
