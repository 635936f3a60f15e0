import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely';
import type pg from 'pg';

/** Every table, added to by the feature that owns it (`declare module`). */
// oxlint-disable-next-line typescript/no-empty-interface
export interface Tables {}

export type Db = Kysely<Tables>;
export type Tx = Transaction<Tables>;

/** The database behind one door, whichever it is. `listen` hears notifications; it may miss some while it reconnects. */
export type Database = {
  kind: 'pglite' | 'postgres';
  kysely: Db;
  /** Raw statements on the same pool, for the job queue. */
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[]; rowCount: number }>;
  listen(channel: string, heard: (payload: string) => void, connection?: (live: boolean) => void): Promise<() => Promise<void>>;
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** A Kysely over a node-postgres pool; both databases speak through one. */
export const kyselyOver = (pool: PostgresPool): Db => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

export const queryOver =
  (pool: PostgresPool): Database['query'] =>
  async (text, values) => {
    const result = await onOne(pool, text, values);
    // Several statements in one text give several results; callers read the last.
    const last = (Array.isArray(result) ? result.at(-1) : result) as pg.QueryResult;
    return { rows: last.rows as unknown[], rowCount: last.rowCount ?? 0 };
  };

/** As `pool.query`, which gives a connection up with every statement that fails: the embedded database has only one. */
async function onOne(pool: PostgresPool, text: string, values: unknown[] | undefined): Promise<unknown> {
  const client = await pool.connect();
  try {
    return await client.query(text, values ?? []);
  } finally {
    client.release();
  }
}

/** Whether a failure is the database being away: refused, reset, or PostgreSQL shutting down (class 57P, 08). */
export const isUnreachable = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && (/^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT)$/.test(code) || /^(57P0|08)/.test(code));
};

/** Whether a statement was given up because it and another one waited for each other; it succeeds when tried again. */
export const isDeadlocked = (error: unknown): boolean => ['40P01', '40001'].includes(String((error as { code?: unknown } | null)?.code));

/** Whether a text could not be written because of a character such as NUL, which PostgreSQL does not take. */
export const isUnstorable = (error: unknown): boolean => ['22021', '22P05'].includes(String((error as { code?: unknown } | null)?.code));
