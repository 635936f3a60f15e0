import { sql, type ColumnType, type RawBuilder, type Selectable } from 'kysely';
import { storedEngine, type Engine } from '#features/research';
import type { Db, Tx } from '#platform/db/database.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import type { Findings, RunError, SelectedFeature } from './schema.ts';
import { TERMINAL_STAGE, type JobStatus } from './states.ts';
import { storedFeatures, withDocuments } from './stored-columns.ts';
import { storedFindings } from './stored-findings.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    feature_research_jobs: FeatureResearchTable;
  }
}

type FeatureResearchTable = {
  id: string;
  user_id: string;
  project_id: string | null;
  research_id: string | null;
  chained_from: string | null;
  idea: string;
  selected_features: ColumnType<SelectedFeature[], string>;
  status: ColumnType<JobStatus, undefined, JobStatus>;
  pipeline_stage: ColumnType<string, undefined, string>;
  engine: ColumnType<Engine | null, undefined, string>;
  error: ColumnType<RunError | null, undefined, string>;
  score: number | null;
  /** Read and written through `storedFindings`. */
  results: ColumnType<unknown, undefined, string>;
  created_at: ColumnType<Date, undefined>;
  started_at: ColumnType<Date | null, undefined>;
  completed_at: ColumnType<Date | null, undefined, Date>;
  updated_at: ColumnType<Date, undefined, Date>;
};

/** A job without what it found. */
export type FeatureResearchRow = Omit<Selectable<FeatureResearchTable>, 'results'>;

const COLUMNS = [
  'id',
  'user_id',
  'project_id',
  'research_id',
  'chained_from',
  'idea',
  'selected_features',
  'status',
  'pipeline_stage',
  'engine',
  'error',
  'score',
  'created_at',
  'started_at',
  'completed_at',
  'updated_at',
] as const;

export type NewJob = {
  id: string;
  userId: string;
  projectId: string | null;
  researchId: string | null;
  chainedFrom: string | null;
  idea: string;
  features: readonly SelectedFeature[];
};

/** False when the research it is chained from has started one already. */
export async function insertJob(tx: Tx, job: NewJob): Promise<boolean> {
  const row = await withDocuments(tx)
    .insertInto('feature_research_jobs')
    .values({
      id: job.id,
      user_id: job.userId,
      project_id: job.projectId,
      research_id: job.researchId,
      chained_from: job.chainedFrom,
      idea: job.idea,
      selected_features: storedFeatures.write([...job.features]),
      score: null,
    })
    .onConflict((conflict) => conflict.column('chained_from').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findOwnedFeatureResearch(db: Db | Tx, userId: string, id: string): Promise<FeatureResearchRow | null> {
  const row = await withDocuments(db)
    .selectFrom('feature_research_jobs')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** For the worker, which acts for every owner. */
async function findFeatureResearch(db: Db | Tx, id: string): Promise<FeatureResearchRow | null> {
  return (await withDocuments(db).selectFrom('feature_research_jobs').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The job while it is to be worked. */
export async function findUnderWay(db: Db | Tx, id: string): Promise<FeatureResearchRow | null> {
  const job = await findFeatureResearch(db, id);
  return job && job.status !== 'completed' && job.status !== 'failed' ? job : null;
}

/** The feature research of a project that completed last. The caller has made sure whose project it is. */
export async function findLatestCompleted(db: Db | Tx, projectId: string): Promise<FeatureResearchRow | null> {
  const row = await withDocuments(db)
    .selectFrom('feature_research_jobs')
    .select(COLUMNS)
    .where('project_id', '=', projectId)
    .where('status', '=', 'completed')
    .orderBy('completed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** What a completed job found; null before. */
export async function readFindings(db: Db | Tx, id: string): Promise<Findings | null> {
  const row = await withDocuments(db).selectFrom('feature_research_jobs').select('results').where('id', '=', id).executeTakeFirst();
  return row?.results ? storedFindings.read(row.results) : null;
}

/** Entering a stage: the row update that goes with the runner's own writes. */
export const enteringStage = (id: string, stage: string): RawBuilder<unknown> => sql`
  update feature_research_jobs set status = 'running', pipeline_stage = ${stage},
    started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
  where id = ${id} and status in ('queued', 'running')`;

/** The engine of a run: the one it began with, else the one given; with `replace`, the one given. */
export async function settleEngine(db: Db, id: string, engine: Engine, replace = false): Promise<Engine> {
  const given = sql`${storedEngine.write(engine)}::json`;
  const { rows } = await sql<{ engine: Engine }>`
    update feature_research_jobs set engine = ${replace ? given : sql`coalesce(engine, ${given})`} where id = ${id} returning engine`.execute(
    withDocuments(db),
  );
  return rows[0]?.engine ?? engine;
}

/** Status and stage change in this one statement. Gives the completed row, or null when the job is no longer running. */
export async function completeJob(tx: Tx, id: string, findings: Findings): Promise<FeatureResearchRow | null> {
  const row = await withDocuments(tx)
    .updateTable('feature_research_jobs')
    .set({
      status: 'completed',
      pipeline_stage: TERMINAL_STAGE,
      results: storedFindings.write(findings),
      score: findings.quality.overall_score,
      completed_at: sql`clock_timestamp()`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps the stage that failed. Gives the failed row, or null when the job had ended already. */
export async function failJob(tx: Tx, id: string, error: RunError): Promise<FeatureResearchRow | null> {
  const row = await withDocuments(tx)
    .updateTable('feature_research_jobs')
    .set({ status: 'failed', error: storedRunError.write(error), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function transferFeatureResearch(tx: Tx, from: string, to: string): Promise<number> {
  const result = await withDocuments(tx).updateTable('feature_research_jobs').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Deletes the feature research of a project; gives the ids, whose streams are the caller's to remove. */
export async function deleteOfProject(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('feature_research_jobs').where('project_id', '=', projectId).returning('id').execute();
  return rows.map((row) => row.id);
}
