import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import { JOB_COLUMNS, type JobRow } from './research-store.ts';

export async function listOfProject(db: Db, projectId: string, page: { limit: number; offset: number }): Promise<JobRow[]> {
  return db
    .selectFrom('research_jobs')
    .select(JOB_COLUMNS)
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export type ProjectResearch = { count: number; lastCompletedAt: Date | null; hasCompetitors: boolean; shared: boolean };

/** What projects say of their research, for a page of projects at once. */
export async function summariseByProject(db: Db, projectIds: readonly string[]): Promise<Map<string, ProjectResearch>> {
  if (projectIds.length === 0) return new Map();
  const { rows } = await sql<{ projectId: string } & ProjectResearch>`
    select project_id as "projectId", count(*)::int as count, max(completed_at) as "lastCompletedAt",
           bool_or(status = 'completed' and coalesce(score, 0) > 0) as "hasCompetitors", bool_or(share_token is not null) as shared
      from research_jobs where project_id = any(${[...projectIds]}::uuid[]) group by project_id`.execute(db);
  return new Map(rows.map(({ projectId, ...rest }) => [projectId, rest]));
}

export async function hasCompleted(tx: Tx, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from research_jobs where project_id = ${projectId} and status = 'completed') as any`.execute(tx);
  return rows[0]?.any ?? false;
}

export async function setProject(tx: Tx, userId: string, id: string, projectId: string): Promise<boolean> {
  const row = await tx
    .updateTable('research_jobs')
    .set({ project_id: projectId, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the research of a project; gives the ids, whose streams are the caller's to remove. */
export async function deleteOfProject(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('research_jobs').where('project_id', '=', projectId).returning('id').execute();
  return rows.map((row) => row.id);
}
