import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../db/database.ts';

export type NewEvent = { event: string; data: unknown };
/** A stored event; `data` is its JSON text, passed on as it is. */
export type LoggedEvent = { seq: number; event: string; data: string };

/** Appending failed because another worker took the run over, or because the stream is closed. */
export class SupersededError extends Error {
  override name = 'SupersededError';
}

type Appending = { run?: { key: string; writer: number }; close?: boolean };

export type EventLog = {
  open(tx: Db | Tx, key: string): Promise<void>;
  /**
   * Appends and wakes the readers; gives the new head. With `run`, only while that claim of a run holds: `close` then ends
   * the run, and the stream with its `done` unless another run still writes to it.
   * @throws SupersededError when the stream is closed, or the run was claimed by another
   */
  append(tx: Db | Tx, key: string, events: readonly NewEvent[], options?: Appending): Promise<number>;
  /** The same as an SQL expression, for a statement that does more. */
  appending(key: string, events: readonly NewEvent[], options?: Appending): RawBuilder<number>;
  read(key: string, after: number, limit: number): Promise<LoggedEvent[]>;
  /** The events of one kind with their time, oldest first. */
  history(key: string, event: string): Promise<{ data: unknown; at: Date }[]>;
  head(tx: Db | Tx, key: string): Promise<{ lastSeq: number; closed: boolean } | null>;
  /**
   * Opens a stream that has ended: the given event takes the number of its `done`, which no longer holds, so that the
   * numbers readers counted stay right and `done` is the last event again when the stream ends anew. False when it is open.
   */
  reopen(tx: Db | Tx, key: string, event: NewEvent): Promise<boolean>;
  remove(tx: Db | Tx, key: string): Promise<void>;
};

const SUPERSEDED = 'GW001';
/** The largest number the column takes; a reader may claim to have read further. */
const LAST_NUMBER = 2 ** 31 - 1;

export function eventLog(db: Db): EventLog {
  const reading = new Map<string, Promise<LoggedEvent[]>>();

  const appending: EventLog['appending'] = (key, events, { run, close = false } = {}) => {
    const list = JSON.stringify(events.map(({ event, data }) => ({ e: event, d: data })));
    return run
      ? sql<number>`append_run_events(${run.key}, ${run.writer}, ${list}::json, ${close})`
      : sql<number>`append_events(${key}, null, ${list}::json, ${close})`;
  };
  const readOnce = async (key: string, after: number, limit: number): Promise<LoggedEvent[]> => {
    const { rows } = await sql<LoggedEvent>`
      select seq, event, data::text as data from stream_events
       where stream_key = ${key} and seq > ${after} order by seq limit ${limit}`.execute(db);
    return rows;
  };

  return {
    appending,
    open: async (tx, key) => void (await sql`insert into streams (key) values (${key}) on conflict do nothing`.execute(tx)),
    append: async (tx, key, events, options) => {
      try {
        const { rows } = await sql<{ head: number }>`select ${appending(key, events, options)} as head`.execute(tx);
        return rows[0]?.head ?? 0;
      } catch (error) {
        throw asSuperseded(error);
      }
    },
    read: (key, beyond, limit) => {
      const after = Math.min(beyond, LAST_NUMBER);
      // A thousand followers woken by one event ask for the same page: they share one read.
      const question = `${after} ${limit} ${key}`;
      const shared = reading.get(question);
      if (shared) return shared;
      const fresh = readOnce(key, after, limit).finally(() => reading.delete(question));
      reading.set(question, fresh);
      return fresh;
    },
    history: async (key, event) => {
      const { rows } = await sql<{ data: unknown; at: Date }>`
        select data, at from stream_events where stream_key = ${key} and event = ${event} order by seq`.execute(db);
      return rows;
    },
    head: async (tx, key) => {
      const { rows } = await sql<{ lastSeq: number; closed: boolean }>`
        select last_seq as "lastSeq", closed from streams where key = ${key}`.execute(tx);
      return rows[0] ?? null;
    },
    reopen: async (tx, key, { event, data }) => {
      const { rows } = await sql`
        with opened as (update streams set closed = false where key = ${key} and closed returning key, last_seq)
        update stream_events e set event = ${event}, data = ${JSON.stringify(data)}::json
          from opened where e.stream_key = opened.key and e.seq = opened.last_seq and e.event = 'done' returning e.seq`.execute(tx);
      return rows.length > 0;
    },
    remove: async (tx, key) => {
      await sql`with gone as (delete from streams where key = ${key} returning key)
        select pg_notify('groundwork', 's:' || key) from gone`.execute(tx);
    },
  };
}

export function asSuperseded(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  return code === SUPERSEDED ? new SupersededError('the run was taken over, stopped or deleted', { cause: error }) : error;
}
