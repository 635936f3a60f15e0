import type { EventLog, LoggedEvent } from './event-log.ts';
import type { Wakeups } from './wakeups.ts';

const PAGE = 500;

type Source = { log: EventLog; wakeups: Wakeups; db: Parameters<EventLog['head']>[0] };

/**
 * Replays a stream after `cursor`, then stays live until `done`, until the stream is closed or gone, or until `signal` aborts.
 * A cursor at or beyond the end of a closed stream gives `done` once more, so that a reader never waits for nothing.
 */
export async function* follow(from: Source, stream: { key: string; cursor: number }, signal: AbortSignal): AsyncGenerator<LoggedEvent> {
  let cursor = stream.cursor;
  // Subscribe before the first read: an event committed between the two still wakes us.
  const wakeup = from.wakeups.subscribe(`s:${stream.key}`);
  try {
    while (!signal.aborted) {
      const page = await from.log.read(stream.key, cursor, PAGE);
      for (const event of page) {
        if (signal.aborted) return;
        yield event;
        cursor = event.seq;
        if (event.event === 'done') return;
      }
      if (page.length === PAGE) continue;
      if (page.length === 0) {
        const head = await from.log.head(from.db, stream.key);
        if (!head) return;
        if (head.lastSeq > cursor) continue;
        if (head.closed) {
          yield { seq: head.lastSeq, event: 'done', data: '{}' };
          return;
        }
      }
      await wakeup.next(signal);
    }
  } finally {
    wakeup.close();
  }
}

/**
 * Replays a stream after `cursor`, then stays live until the stream is gone or `signal` aborts. Its `done` ends nothing here
 * and is passed over: what a stream that is opened again has under that number comes as any other event.
 */
export async function* followOn(from: Source, stream: { key: string; cursor: number }, signal: AbortSignal): AsyncGenerator<LoggedEvent> {
  let cursor = stream.cursor;
  const wakeup = from.wakeups.subscribe(`s:${stream.key}`);
  try {
    while (!signal.aborted) {
      const page = await from.log.read(stream.key, cursor, PAGE);
      const events = page.filter(({ event }) => event !== 'done');
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
        cursor = event.seq;
      }
      if (events.length === PAGE) continue;
      if (page.length === 0 && !(await from.log.head(from.db, stream.key))) return;
      await wakeup.next(signal);
    }
  } finally {
    wakeup.close();
  }
}
