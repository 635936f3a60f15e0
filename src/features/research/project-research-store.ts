import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import { JOB_COLUMNS, type JobRow } from './research-store.ts';
import { withDocuments } from './stored-columns.ts';

export async function listOfProject(db: Db, projectId: string, page: { limit: number; offset: number }): Promise<JobRow[]> {
  return withDocuments(db)
    .selectFrom('research_jobs')
    .select(JOB_COLUMNS)
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export type ProjectResearch = {
  count: number;
  lastCompletedAt: Date | null;
  hasCompetitors: boolean;
  /** Score of what was shared of it, the newest; null where nothing is. */ sharedScore: number | null;
};

/** What projects say of their research, for a page of projects at once. */
export async function summariseByProject(db: Db, projectIds: readonly string[]): Promise<Map<string, ProjectResearch>> {
  if (projectIds.length === 0) return new Map();
  const { rows } = await sql<{ projectId: string } & ProjectResearch>`
    select project_id as "projectId", count(*)::int as count, max(completed_at) as "lastCompletedAt",
           bool_or(status = 'completed' and coalesce(score, 0) > 0) as "hasCompetitors",
           (array_agg(coalesce(score, 0) order by completed_at desc) filter (where share_token is not null))[1] as "sharedScore"
      from research_jobs where project_id = any(${[...projectIds]}::uuid[]) group by project_id`.execute(db);
  return new Map(rows.map(({ projectId, ...rest }) => [projectId, rest]));
}

export async function hasCompleted(tx: Tx, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from research_jobs where project_id = ${projectId} and status = 'completed') as any`.execute(tx);
  return rows[0]?.any ?? false;
}

/** Whether a project holds no other research than the given one. */
export async function holdsNoOther(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ none: boolean }>`
    select not exists (select from research_jobs where project_id = ${projectId} and id <> ${id}) as none`.execute(tx);
  return rows[0]?.none ?? false;
}

export async function setProject(tx: Tx, userId: string, id: string, projectId: string | null): Promise<boolean> {
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
