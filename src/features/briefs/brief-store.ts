import { sql, type ColumnType, type RawBuilder, type Selectable } from 'kysely';
import { storedEngine, type Engine } from '#features/research';
import type { Db, Tx } from '#platform/db/database.ts';
import { storedTexts } from '#platform/documents/stored-texts.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import type { Progress, SectionError } from './schema.ts';
import type { BriefStatus } from './states.ts';
import { storedProgress, withDocuments } from './stored-columns.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    briefs: BriefsTable;
  }
}

type BriefsTable = {
  id: string;
  user_id: string;
  project_id: string;
  research_id: string | null;
  title: string;
  audience: string | null;
  template: string | null;
  status: BriefStatus;
  revision: ColumnType<number, undefined, number>;
  quality_score: ColumnType<number, undefined, number>;
  share_token: string;
  refresh_enabled: ColumnType<boolean, undefined>;
  engine: ColumnType<Engine | null, undefined, string>;
  warnings: ColumnType<string[], undefined, string>;
  error: ColumnType<SectionError | null, undefined, string | null>;
  progress: ColumnType<Progress | null, undefined, string>;
  created_at: ColumnType<Date, undefined>;
  updated_at: ColumnType<Date, undefined, Date>;
  ready_at: ColumnType<Date | null, undefined, Date>;
};

/** A brief without its sections. */
export type BriefRow = Selectable<BriefsTable>;

export type NewBrief = {
  id: string;
  userId: string;
  projectId: string;
  researchId: string | null;
  title: string;
  audience: string | null;
  template: string | null;
  status: BriefStatus;
  shareToken: string;
};

export async function insertBrief(tx: Tx, brief: NewBrief): Promise<void> {
  await withDocuments(tx)
    .insertInto('briefs')
    .values({
      id: brief.id,
      user_id: brief.userId,
      project_id: brief.projectId,
      research_id: brief.researchId,
      title: brief.title,
      audience: brief.audience,
      template: brief.template,
      status: brief.status,
      share_token: brief.shareToken,
    })
    .execute();
}

export async function findOwnedBrief(db: Db | Tx, userId: string, id: string): Promise<BriefRow | null> {
  return (await withDocuments(db).selectFrom('briefs').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()) ?? null;
}

/** For the worker, which acts for every owner. */
export async function findBrief(db: Db | Tx, id: string): Promise<BriefRow | null> {
  return (await withDocuments(db).selectFrom('briefs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The same, held until the transaction ends, so that what is asked for meanwhile waits. */
export async function lockBrief(tx: Tx, id: string): Promise<BriefRow | null> {
  return (await withDocuments(tx).selectFrom('briefs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null;
}

export async function findByShareToken(db: Db, token: string): Promise<BriefRow | null> {
  return (
    (await withDocuments(db).selectFrom('briefs').selectAll().where('share_token', '=', token).where('status', '=', 'ready').executeTakeFirst()) ??
    null
  );
}

/** The newest brief of a project, held until the transaction ends. */
export async function lockLatestOfProject(tx: Tx, userId: string, projectId: string): Promise<BriefRow | null> {
  const row = await withDocuments(tx)
    .selectFrom('briefs')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** One row more than `limit`, so that the caller can tell whether there are more; newest first. */
export async function listBriefs(db: Db, of: { userId: string; projectId?: string }, page: { limit: number; offset: number }): Promise<BriefRow[]> {
  return withDocuments(db)
    .selectFrom('briefs')
    .selectAll()
    .where('user_id', '=', of.userId)
    .$if(of.projectId !== undefined, (query) => query.where('project_id', '=', of.projectId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

/** Entering a stage: the row update that goes with the runner's own writes. */
export const touching = (id: string): RawBuilder<unknown> => sql`update briefs set updated_at = clock_timestamp() where id = ${id}`;

/** The engine of a run: the one it began with, else the one given; with `replace`, the one given. */
export async function settleEngine(db: Db, id: string, engine: Engine, replace = false): Promise<Engine> {
  const given = sql`${storedEngine.write(engine)}::json`;
  const { rows } = await sql<{ engine: Engine }>`
    update briefs set engine = ${replace ? given : sql`coalesce(engine, ${given})`} where id = ${id} returning engine`.execute(withDocuments(db));
  return rows[0]?.engine ?? engine;
}

/** Ends the generation. Gives the row, or null when it had ended already. */
export async function completeBrief(tx: Tx, id: string, qualityScore: number, warnings: readonly string[]): Promise<BriefRow | null> {
  const row = await withDocuments(tx)
    .updateTable('briefs')
    .set({
      status: 'ready',
      quality_score: qualityScore,
      warnings: storedTexts.write([...warnings]),
      ready_at: sql`clock_timestamp()`,
      updated_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .where('status', '=', 'generating')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export async function failBrief(tx: Tx, id: string, error: SectionError): Promise<BriefRow | null> {
  const row = await withDocuments(tx)
    .updateTable('briefs')
    .set({ status: 'failed', error: storedRunError.write(error), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('status', '=', 'generating')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** After a section was written anew: the score of the whole; a brief that had failed is readable from now on. */
export async function updateScore(tx: Tx, id: string, qualityScore: number): Promise<void> {
  await sql`update briefs set quality_score = ${qualityScore}, status = case when status = 'failed' then 'ready' else status end,
      error = case when status = 'failed' then null else error end, ready_at = coalesce(ready_at, clock_timestamp()), updated_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}

/** Gives the next revision its number. Null while the brief is generated, or when it is not the user's. */
export async function nextRevision(tx: Tx, userId: string, id: string, researchId: string | null): Promise<BriefRow | null> {
  const row = await withDocuments(tx)
    .updateTable('briefs')
    .set({ revision: sql`revision + 1`, updated_at: sql`clock_timestamp()`, research_id: sql`coalesce(${researchId}::uuid, research_id)` })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('status', '!=', 'generating')
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Writes progress under a new revision; gives its number. */
export async function saveProgress(tx: Tx, id: string, progress: Progress): Promise<number> {
  const { revision } = await withDocuments(tx)
    .updateTable('briefs')
    .set({ revision: sql`revision + 1`, progress: storedProgress.write(progress), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow();
  return revision;
}

export async function deleteOwnedBrief(tx: Tx, userId: string, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('briefs').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Deletes the briefs of a project; gives the ids, whose streams are the caller's to remove. */
export async function deleteOfProject(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('briefs').where('project_id', '=', projectId).returning('id').execute();
  return rows.map((row) => row.id);
}

export async function transferBriefs(tx: Tx, from: string, to: string): Promise<number> {
  const result = await withDocuments(tx).updateTable('briefs').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(result.numUpdatedRows);
}
