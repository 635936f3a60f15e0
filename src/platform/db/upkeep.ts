import type { Database } from './database.ts';

/** Bytes of changes since the last checkpoint at which the next one is due. */
const LONGEST_LOG = 32 * 1024 * 1024;
/** Fewer bytes of statements than these change too little for a look to be worth it. */
const WORTH_A_LOOK = 64 * 1024;

/**
 * What the checkpointer and autovacuum do for a PostgreSQL server; in single-user mode nobody does it. Without it the
 * write-ahead log grows for ever, and the next start after a kill with it (`XLogWrite` asks for a checkpoint under a postmaster
 * only), the room of rows that are gone is not used again, and plans are made for tables as they were.
 * @param asked gives the bytes of all statements so far
 * @returns what looks whether something is due and does it, to be called now and then
 */
export function upkeep(query: Database['query'], asked: () => number): () => Promise<void> {
  let seen = 0;
  let isAtWork = false;
  return async () => {
    if (isAtWork || asked() - seen < WORTH_A_LOOK) return;
    isAtWork = true;
    try {
      seen = asked();
      const { rows } = await query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > ${LONGEST_LOG} as due from pg_control_checkpoint()`);
      if (!(rows[0] as { due: boolean }).due) return;
      await query('checkpoint');
      await vacuum(query);
    } finally {
      isAtWork = false;
    }
  };
}

/** Table by table: the process computes nothing else during a statement, and all of them in one take half a second. */
async function vacuum(query: Database['query']): Promise<void> {
  const { rows } = await query(
    `select oid::regclass::text as name from pg_class where relkind = 'r' and relpersistence = 'p' and relnamespace::regnamespace::text not in ('information_schema', 'pg_toast')`,
  );
  for (const { name } of rows as { name: string }[]) await query(`vacuum (analyze) ${name}`);
}
