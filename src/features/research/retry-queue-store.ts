import { sql, type ColumnType } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    research_retry_queue: RetryQueueTable;
  }
}

type RetryQueueTable = {
  id: string;
  user_id: string;
  idea: string;
  project_id: string | null;
  mode: 'market' | 'feature';
  queued_at: ColumnType<Date, undefined>;
  claimed_at: ColumnType<Date | null, undefined>;
};

export type QueuedRequest = { id: string; idea: string; projectId: string | null; mode: 'market' | 'feature'; queuedAt: Date };

const QUEUE_MAX = 5;
const EXPIRES = sql`interval '24 hours'`;

/** Counting and what follows from it must not interleave with the user's other requests. */
async function lockQueue(tx: Tx, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`retry-queue ${userId}`}, 0))`.execute(tx);
}

/** Adds a request unless the user has five waiting. `first` when nothing waited before: then nobody comes for it yet. */
export async function captureRequest(
  tx: Tx,
  userId: string,
  request: Omit<QueuedRequest, 'queuedAt'>,
): Promise<{ captured: boolean; first: boolean }> {
  await lockQueue(tx, userId);
  const waiting = await countQueued(tx, userId);
  if (waiting >= QUEUE_MAX) return { captured: false, first: false };
  await tx
    .insertInto('research_retry_queue')
    .values({ id: request.id, user_id: userId, idea: request.idea, project_id: request.projectId, mode: request.mode })
    .execute();
  return { captured: true, first: waiting === 0 };
}

/** Whether nothing waits any more; a request that comes after this answer finds itself first. */
export async function isQueueEmpty(tx: Tx, userId: string): Promise<boolean> {
  await lockQueue(tx, userId);
  return (await countQueued(tx, userId)) === 0;
}

async function countQueued(tx: Tx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from research_retry_queue where user_id = ${userId} and queued_at > now() - ${EXPIRES}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Takes up a request; false when another replay has it. */
export async function claimQueued(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update research_retry_queue set claimed_at = now()
     where id = ${id} and (claimed_at is null or claimed_at < now() - interval '1 minute')`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export async function releaseQueued(db: Db, id: string): Promise<void> {
  await sql`update research_retry_queue set claimed_at = null where id = ${id}`.execute(db);
}

/** What waits, oldest first; what is older than a day counts as gone. */
export async function listQueued(db: Db, userId: string): Promise<QueuedRequest[]> {
  const rows = await db
    .selectFrom('research_retry_queue')
    .selectAll()
    .where('user_id', '=', userId)
    .where('queued_at', '>', sql<Date>`now() - ${EXPIRES}`)
    .orderBy('queued_at')
    .execute();
  return rows.map((row) => ({ id: row.id, idea: row.idea, projectId: row.project_id, mode: row.mode, queuedAt: row.queued_at }));
}

/** Whoever has something waiting. */
export async function listWaitingUsers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('research_retry_queue').select('user_id').distinct().execute();
  return rows.map((row) => row.user_id);
}

export async function removeQueued(db: Db, id: string): Promise<void> {
  await db.deleteFrom('research_retry_queue').where('id', '=', id).execute();
}

export async function deleteExpired(db: Db): Promise<number> {
  const gone = await db
    .deleteFrom('research_retry_queue')
    .where('queued_at', '<=', sql<Date>`now() - ${EXPIRES}`)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

export async function transferQueued(tx: Tx, from: string, to: string): Promise<number> {
  const result = await tx.updateTable('research_retry_queue').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(result.numUpdatedRows);
}
