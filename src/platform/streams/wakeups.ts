import type { Logger } from '../observability/log.ts';
import { openBell, type Bell } from './bell.ts';

/** Says "look again" to whoever waits on a topic, in every process. It carries no truth: that is in the tables. */
export type Wakeups = {
  /** @param options.patient whoever waits looks again by itself when nothing is heard for long */
  subscribe(topic: string, options?: { patient?: boolean }): Subscription;
  /** Calls back on every wake-up of a topic, and when wake-ups may have been missed. */
  on(topic: string, wake: () => void): () => void;
  /** Wakes a topic in every process. A statement that notifies by itself need not call it. */
  notify(topic: string): Promise<void>;
  /** Whether notifications of other processes arrive at present. */
  live(): boolean;
  close(): Promise<void>;
};

export type Subscription = Pick<Bell, 'next'> & { close(): void };

/** What carries notifications between processes: LISTEN/NOTIFY or Redis. */
export type Carrier = {
  start(heard: (topic: string) => void, connection: (live: boolean) => void): Promise<void>;
  send(topic: string): Promise<void>;
  close(): Promise<void>;
};

// A notification can be lost while a connection is replaced; a slow look costs little and finds what it announced.
const SLOW_LOOK_MS = 5_000;

export async function openWakeups(carrier: Carrier, log: Logger): Promise<Wakeups> {
  const waiting = new Map<string, Set<() => void>>();
  const looking = new Set<() => void>();
  let live = false;

  const wake = (topic: string) => {
    for (const callback of waiting.get(topic) ?? []) callback();
  };
  const wakeAll = () => {
    for (const topic of waiting.keys()) wake(topic);
  };
  await carrier.start(wake, (now) => {
    if (live && !now) log.warn('notifications interrupted; readers look again every few seconds');
    live = now;
    // Also on loss: caches that rely on being told must empty themselves.
    wakeAll();
  });
  const timer = setInterval(() => {
    for (const look of looking) look();
  }, SLOW_LOOK_MS);
  timer.unref();

  const on = (topic: string, callback: () => void) => {
    const callbacks = waiting.get(topic) ?? new Set();
    waiting.set(topic, callbacks.add(callback));
    return () => {
      callbacks.delete(callback);
      if (callbacks.size === 0 && waiting.get(topic) === callbacks) waiting.delete(topic);
    };
  };

  return {
    on,
    subscribe: (topic, { patient = false } = {}) => {
      const { ring, next } = openBell();
      const detach = on(topic, ring);
      if (!patient) looking.add(ring);
      return {
        next,
        close: () => {
          looking.delete(ring);
          detach();
        },
      };
    },
    notify: (topic) => carrier.send(topic),
    live: () => live,
    close: async () => {
      clearInterval(timer);
      await carrier.close();
    },
  };
}
