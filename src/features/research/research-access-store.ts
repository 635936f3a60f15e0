import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { ResearchArtifact } from './schema.ts';
import { storedArtifact } from './stored-artifact.ts';

/** Sets the scope of the caller's jobs among `ids`; gives how many. */
export async function setScope(db: Db, userId: string, ids: readonly string[], scope: 'user' | 'public'): Promise<number> {
  const result = await db
    .updateTable('research_jobs')
    .set({ reuse_scope: scope, updated_at: sql`clock_timestamp()` })
    .where('id', 'in', ids)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** The token of a completed job, given once and kept while the share lives. Null when the job is not completed. */
export async function shareJob(db: Db, userId: string, id: string, fresh: string): Promise<string | null> {
  const row = await db
    .updateTable('research_jobs')
    .set({ share_token: sql<string>`coalesce(share_token, ${fresh})` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', '=', 'completed')
    .returning('share_token')
    .executeTakeFirst();
  return row?.share_token ?? null;
}

export async function unshareJob(db: Db, userId: string, id: string): Promise<boolean> {
  const row = await db
    .updateTable('research_jobs')
    .set({ share_token: null })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findShared(db: Db, shareToken: string): Promise<ResearchArtifact | null> {
  const row = await db
    .selectFrom('research_jobs')
    .select('artifact')
    .where('share_token', '=', shareToken)
    .where('status', '=', 'completed')
    .executeTakeFirst();
  return row?.artifact ? storedArtifact.read(row.artifact) : null;
}

export type PriorResearch = { id: string; completedAt: Date; artifact: ResearchArtifact; embedding: number[] | null; own: boolean };

/** Completed research in the same markets that the caller may see: the own and what others made public. */
export async function listPrior(db: Db, userId: string, categoryIds: readonly string[], except: string, limit: number): Promise<PriorResearch[]> {
  if (categoryIds.length === 0) return [];
  const rows = await db
    .selectFrom('research_jobs')
    .select(['id', 'artifact', 'embedding', 'completed_at', 'user_id'])
    .where('status', '=', 'completed')
    .where(sql<boolean>`category_ids && ${[...categoryIds]}::text[]`)
    .where('id', '!=', except)
    .where('cloned_from', 'is', null)
    .where((where) => where.or([where('user_id', '=', userId), where('reuse_scope', '=', 'public')]))
    .orderBy('completed_at', 'desc')
    .limit(limit)
    .execute();
  return rows.flatMap((row) =>
    row.artifact && row.completed_at
      ? [
          {
            id: row.id,
            completedAt: row.completed_at,
            artifact: storedArtifact.read(row.artifact),
            embedding: row.embedding,
            own: row.user_id === userId,
          },
        ]
      : [],
  );
}

/** Which of the given jobs anyone may see. */
export async function publicAmong(tx: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.selectFrom('research_jobs').select('id').where('id', 'in', ids).where('reuse_scope', '=', 'public').execute();
  return new Set(rows.map((row) => row.id));
}
