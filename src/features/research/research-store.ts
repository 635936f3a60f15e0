import { sql, type ColumnType, type RawBuilder, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Engine, Evidence, ResearchArtifact, RunError } from './schema.ts';
import { TERMINAL_STAGE, type ResearchStatusValue } from './states.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    research_jobs: ResearchJobsTable;
    research_evidence: { id: string; job_id: string; source_url: string | null };
  }
}

type ResearchJobsTable = {
  id: string;
  user_id: string;
  project_id: string | null;
  idea: string;
  idea_key: string;
  mode: 'market' | 'feature';
  status: ColumnType<ResearchStatusValue, ResearchStatusValue | undefined>;
  pipeline_stage: ColumnType<string, string | undefined>;
  reuse_scope: ColumnType<'user' | 'public', undefined, 'user' | 'public'>;
  engine: ColumnType<Engine | null, string | undefined, string>;
  error: ColumnType<RunError | null, string | undefined, string>;
  score: number | null;
  category: ColumnType<string, string | undefined>;
  category_ids: ColumnType<string[], string[] | undefined>;
  embedding: number[] | null;
  artifact: ColumnType<ResearchArtifact | null, string | undefined, string>;
  cloned_from: string | null;
  share_token: ColumnType<string | null, undefined, string | null>;
  created_at: ColumnType<Date, undefined>;
  started_at: ColumnType<Date | null, undefined>;
  completed_at: ColumnType<Date | null, Date | undefined>;
  updated_at: ColumnType<Date, Date | undefined>;
};

/** A job without its two large columns. */
export type JobRow = Omit<Selectable<ResearchJobsTable>, 'artifact' | 'embedding'>;

/** All but the two large columns. */
export const JOB_COLUMNS = [
  'id',
  'user_id',
  'project_id',
  'idea',
  'idea_key',
  'mode',
  'status',
  'pipeline_stage',
  'reuse_scope',
  'engine',
  'error',
  'score',
  'category',
  'category_ids',
  'cloned_from',
  'share_token',
  'created_at',
  'started_at',
  'completed_at',
  'updated_at',
] as const;

/** Adds a job to the queue; gives its place among everything that waits, from 1. Null when an identical request is being worked. */
export async function insertJob(
  tx: Tx,
  job: { id: string; userId: string; projectId: string | null; idea: string; ideaKey: string; mode: 'market' | 'feature' },
): Promise<number | null> {
  const row = await tx
    .insertInto('research_jobs')
    .values({
      id: job.id,
      user_id: job.userId,
      project_id: job.projectId,
      idea: job.idea,
      idea_key: job.ideaKey,
      mode: job.mode,
      score: null,
      embedding: null,
      cloned_from: null,
    })
    // Only the index over what is active can be hit: an identical request is being worked.
    .onConflict((conflict) => conflict.doNothing())
    // The statement does not see its own row yet.
    .returning(sql<number>`(select count(*)::int + 1 from research_jobs where status = 'queued')`.as('position'))
    .executeTakeFirst();
  return row?.position ?? null;
}

export async function findOwnedJob(db: Db | Tx, userId: string, id: string): Promise<JobRow | null> {
  return (await db.selectFrom('research_jobs').select(JOB_COLUMNS).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()) ?? null;
}

/** For the worker, which acts for every owner. */
export async function findJob(db: Db | Tx, id: string): Promise<JobRow | null> {
  return (await db.selectFrom('research_jobs').select(JOB_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function readArtifact(db: Db | Tx, id: string): Promise<ResearchArtifact | null> {
  const row = await db.selectFrom('research_jobs').select('artifact').where('id', '=', id).executeTakeFirst();
  return row?.artifact ?? null;
}

/** The latest completed job for an identical idea: the caller's own, else one that its owner made public. */
export async function findCached(db: Db, userId: string, ideaKey: string): Promise<JobRow | null> {
  const row = await db
    .selectFrom('research_jobs')
    .select(JOB_COLUMNS)
    .where('idea_key', '=', ideaKey)
    .where('status', '=', 'completed')
    .where((where) => where.or([where('user_id', '=', userId), where('reuse_scope', '=', 'public')]))
    .orderBy(sql`(user_id = ${userId})`, 'desc')
    .orderBy('completed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** The job that works an identical request of the same user right now. */
export async function findActiveJob(db: Db, userId: string, ideaKey: string): Promise<JobRow | null> {
  const row = await db
    .selectFrom('research_jobs')
    .select(JOB_COLUMNS)
    .where('user_id', '=', userId)
    .where('idea_key', '=', ideaKey)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst();
  return row ?? null;
}

/** Several jobs at once, for lists that show how far each is. */
export async function findOwnedJobs(db: Db, userId: string, ids: readonly string[]): Promise<Map<string, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('research_jobs').select(JOB_COLUMNS).where('user_id', '=', userId).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Entering a stage: the row update that goes with the runner's own writes. */
export const enteringStage = (id: string, stage: string): RawBuilder<unknown> => sql`
  update research_jobs set status = 'running', pipeline_stage = ${stage},
    started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
  where id = ${id} and status in ('queued', 'running')`;

/** The engine of a run: the one it began with, else the one given. */
export async function settleEngine(db: Db, id: string, engine: Engine): Promise<Engine> {
  const { rows } = await sql<{ engine: Engine }>`
    update research_jobs set engine = coalesce(engine, ${JSON.stringify(engine)}::json) where id = ${id} returning engine`.execute(db);
  return rows[0]?.engine ?? engine;
}

export type Outcome = { artifact: ResearchArtifact; categoryIds: string[]; embedding: number[] | null };

/** Completes a job with its artifact and evidence, in one statement; gives its owner. Null when it is no longer running. */
export async function completeJob(tx: Tx, id: string, outcome: Outcome): Promise<Pick<JobRow, 'user_id' | 'project_id'> | null> {
  const { artifact } = outcome;
  const completing = tx
    .updateTable('research_jobs')
    .set({
      status: 'completed',
      pipeline_stage: TERMINAL_STAGE,
      artifact: JSON.stringify(artifact),
      score: artifact.recommendation.score,
      category: artifact.product_category,
      category_ids: outcome.categoryIds,
      embedding: outcome.embedding,
      completed_at: sql`clock_timestamp()`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning(['id', 'user_id', 'project_id']);
  const { rows } = await sql<Pick<JobRow, 'user_id' | 'project_id'>>`
    with done as (${completing}), kept as (${insertingEvidence(sql`(select id from done)`, artifact.evidence)})
    select user_id, project_id from done`.execute(tx);
  return rows[0] ?? null;
}

/** The evidence of a job; of none where `jobId` is null. */
const insertingEvidence = (jobId: RawBuilder<unknown>, evidence: readonly Evidence[]): RawBuilder<unknown> => sql`
  insert into research_evidence (id, job_id, source_kind, source_url, title, snippet, confidence, freshness_score, fetched_at)
  select row.id, job.id, source_kind, source_url, title, snippet, confidence, freshness_score, fetched_at
    from (select ${jobId} as id) job, json_to_recordset(${JSON.stringify(evidence)}::json)
      as row (id uuid, source_kind text, source_url text, title text, snippet text, confidence real, freshness_score real, fetched_at timestamptz)
   where job.id is not null
  on conflict do nothing`;

export async function failJob(tx: Tx, id: string, error: RunError): Promise<boolean> {
  const row = await tx
    .updateTable('research_jobs')
    .set({ status: 'failed', error: JSON.stringify(error), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** A completed copy of a job for another request: same artifact under its own ids. */
export async function insertClone(
  tx: Tx,
  clone: { id: string; userId: string; projectId: string | null; idea: string; source: JobRow; artifact: ResearchArtifact },
): Promise<void> {
  const { source, artifact } = clone;
  await tx
    .insertInto('research_jobs')
    .values({
      id: clone.id,
      user_id: clone.userId,
      project_id: clone.projectId,
      idea: clone.idea,
      idea_key: source.idea_key,
      mode: source.mode,
      status: 'completed',
      pipeline_stage: TERMINAL_STAGE,
      score: artifact.recommendation.score,
      category: source.category,
      category_ids: source.category_ids,
      embedding: null,
      cloned_from: source.id,
      artifact: JSON.stringify(artifact),
      ...(source.engine ? { engine: JSON.stringify(source.engine) } : {}),
      completed_at: sql<Date>`clock_timestamp()` as never,
    })
    .execute();
  await sql`update research_jobs set embedding = (select embedding from research_jobs where id = ${source.id}) where id = ${clone.id}`.execute(tx);
  await insertingEvidence(sql`${clone.id}::uuid`, artifact.evidence).execute(tx);
}

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
  return row?.artifact ?? null;
}

/** Completed jobs to compare with, oldest first: of the same project, else of the same idea of the same owner. */
export async function listVersions(db: Db, job: Pick<JobRow, 'user_id' | 'project_id' | 'idea_key'>): Promise<{ id: string; score: number }[]> {
  return db
    .selectFrom('research_jobs')
    .select(['id', sql<number>`coalesce(score, 0)`.as('score')])
    .where('user_id', '=', job.user_id)
    .where('status', '=', 'completed')
    .where((where) =>
      job.project_id ? where('project_id', '=', job.project_id) : where.and([where('project_id', 'is', null), where('idea_key', '=', job.idea_key)]),
    )
    .orderBy('completed_at')
    .orderBy('id')
    .execute();
}

export type PriorResearch = { id: string; idea: string; completedAt: Date; artifact: ResearchArtifact; embedding: number[] | null; own: boolean };

/** Completed research in the same markets that the caller may see: the own and what others made public. */
export async function listPrior(db: Db, userId: string, categoryIds: readonly string[], except: string, limit: number): Promise<PriorResearch[]> {
  if (categoryIds.length === 0) return [];
  const rows = await db
    .selectFrom('research_jobs')
    .select(['id', 'idea', 'artifact', 'embedding', 'completed_at', 'user_id'])
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
      ? [{ id: row.id, idea: row.idea, completedAt: row.completed_at, artifact: row.artifact, embedding: row.embedding, own: row.user_id === userId }]
      : [],
  );
}

/** Which of the given jobs anyone may see. */
export async function publicAmong(tx: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.selectFrom('research_jobs').select('id').where('id', 'in', ids).where('reuse_scope', '=', 'public').execute();
  return new Set(rows.map((row) => row.id));
}

export async function reownResearch(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update research_jobs r set user_id = ${to},
      idea_key = case when r.status in ('queued', 'running') and exists (
          select from research_jobs o where o.user_id = ${to} and o.idea_key = r.idea_key and o.status in ('queued', 'running'))
        then r.idea_key || ':' || r.id else r.idea_key end
    where r.user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
