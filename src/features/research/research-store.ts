import { sql, type ColumnType, type RawBuilder, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import type { Engine, Evidence, ResearchArtifact, RunError } from './schema.ts';
import { storedArtifact } from './stored-artifact.ts';
import { storedEngine, withDocuments } from './stored-columns.ts';
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
  /** Read and written through `storedArtifact`. */
  artifact: ColumnType<unknown, string | undefined, string>;
  cloned_from: string | null;
  /** Read and written through `storedInterpretation`. */
  interpretation: ColumnType<unknown, undefined, string>;
  corrects: ColumnType<string | null, undefined, string>;
  told_markets: ColumnType<string[] | null, string[] | null, never>;
  share_token: ColumnType<string | null, undefined, string | null>;
  created_at: ColumnType<Date, undefined>;
  started_at: ColumnType<Date | null, undefined>;
  completed_at: ColumnType<Date | null, Date | undefined>;
  updated_at: ColumnType<Date, Date | undefined>;
};

/** A job without its large columns. */
export type JobRow = Omit<Selectable<ResearchJobsTable>, 'artifact' | 'embedding' | 'interpretation'>;

/** All but the large columns. */
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
  'corrects',
  'told_markets',
  'share_token',
  'created_at',
  'started_at',
  'completed_at',
  'updated_at',
] as const;

/** Adds a job to the queue; gives its place among everything that waits, from 1. Null when an identical request is being worked. */
export async function insertJob(
  tx: Tx,
  job: {
    id: string;
    userId: string;
    projectId: string | null;
    idea: string;
    ideaKey: string;
    mode: 'market' | 'feature';
    markets?: readonly string[] | undefined;
  },
): Promise<number | null> {
  const row = await withDocuments(tx)
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
      told_markets: job.markets ? [...job.markets] : null,
    })
    // Only the index over what is active can be hit: an identical request is being worked.
    .onConflict((conflict) => conflict.doNothing())
    // The statement does not see its own row yet.
    .returning(sql<number>`(select count(*)::int + 1 from research_jobs where status = 'queued')`.as('position'))
    .executeTakeFirst();
  return row?.position ?? null;
}

export async function findOwnedJob(db: Db | Tx, userId: string, id: string): Promise<JobRow | null> {
  return (
    (await withDocuments(db).selectFrom('research_jobs').select(JOB_COLUMNS).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()) ??
    null
  );
}

/** For the worker, which acts for every owner. */
export async function findJob(db: Db | Tx, id: string): Promise<JobRow | null> {
  return (await withDocuments(db).selectFrom('research_jobs').select(JOB_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The job while it is to be worked. */
export async function findUnderWay(db: Db | Tx, id: string): Promise<JobRow | null> {
  const job = await findJob(db, id);
  return job && job.status !== 'completed' && job.status !== 'failed' ? job : null;
}

export async function readArtifact(db: Db | Tx, id: string): Promise<ResearchArtifact | null> {
  const row = await withDocuments(db).selectFrom('research_jobs').select('artifact').where('id', '=', id).executeTakeFirst();
  return row?.artifact ? storedArtifact.read(row.artifact) : null;
}

/** The latest completed job for an identical idea: the caller's own, else one that its owner made public. */
export async function findCached(db: Db, userId: string, ideaKey: string): Promise<JobRow | null> {
  const row = await withDocuments(db)
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
  const row = await withDocuments(db)
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
  const rows = await withDocuments(db).selectFrom('research_jobs').select(JOB_COLUMNS).where('user_id', '=', userId).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Entering a stage: the row update that goes with the runner's own writes.
 * @param interpretation as `storedInterpretation` writes it, where the stage before gave one
 */
export const enteringStage = (id: string, stage: string, interpretation: string | null): RawBuilder<unknown> => sql`
  update research_jobs set status = 'running', pipeline_stage = ${stage}, interpretation = coalesce(${interpretation}::json, interpretation),
    started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
  where id = ${id} and status in ('queued', 'running')`;

/** The engine of a run: the one it began with, else the one given; with `replace`, the one given. */
export async function settleEngine(db: Db, id: string, engine: Engine, replace = false): Promise<Engine> {
  const given = sql`${storedEngine.write(engine)}::json`;
  const { rows } = await sql<{ engine: Engine }>`
    update research_jobs set engine = ${replace ? given : sql`coalesce(engine, ${given})`} where id = ${id} returning engine`.execute(
    withDocuments(db),
  );
  return rows[0]?.engine ?? engine;
}

export type Outcome = { artifact: ResearchArtifact; categoryIds: string[]; embedding: number[] | null };

/** Completes a job with its artifact and evidence, in one statement; gives its owner. Null when it is no longer running. */
export async function completeJob(tx: Tx, id: string, outcome: Outcome): Promise<Pick<JobRow, 'user_id' | 'project_id'> | null> {
  const { artifact } = outcome;
  const completing = withDocuments(tx)
    .updateTable('research_jobs')
    .set({
      status: 'completed',
      pipeline_stage: TERMINAL_STAGE,
      artifact: storedArtifact.write(artifact),
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
  const row = await withDocuments(tx)
    .updateTable('research_jobs')
    .set({ status: 'failed', error: storedRunError.write(error), updated_at: sql`clock_timestamp()` })
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
  await withDocuments(tx)
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
      told_markets: source.told_markets,
      artifact: storedArtifact.write(artifact),
      ...(source.engine ? { engine: storedEngine.write(source.engine) } : {}),
      completed_at: sql<Date>`clock_timestamp()` as never,
    })
    .execute();
  await sql`update research_jobs set embedding = (select embedding from research_jobs where id = ${source.id}) where id = ${clone.id}`.execute(tx);
  await insertingEvidence(sql`${clone.id}::uuid`, artifact.evidence).execute(tx);
}

/** Completed jobs to compare with, oldest first: of the same project, else of the same idea of the same owner. */
export async function listVersions(db: Db, job: Pick<JobRow, 'user_id' | 'project_id' | 'idea_key'>): Promise<{ id: string; score: number }[]> {
  return withDocuments(db)
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

export async function transferResearch(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update research_jobs r set user_id = ${to},
      idea_key = case when r.status in ('queued', 'running') and exists (
          select from research_jobs o where o.user_id = ${to} and o.idea_key = r.idea_key and o.status in ('queued', 'running'))
        then r.idea_key || ':' || r.id else r.idea_key end
    where r.user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
