import { sql, type ColumnType, type Insertable, type Selectable } from 'kysely';
import { newId } from '#lib/ids.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { NormalisedProject } from './normalise-project.ts';
import { MOVES, type ProjectMove, type ProjectState } from './states.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    projects: ProjectsTable;
  }
}

type ProjectsTable = {
  id: string;
  user_id: string;
  idea_key: string;
  title: string;
  slug: string;
  state: ColumnType<ProjectState, ProjectState | undefined>;
  quality_score: ColumnType<number, number | undefined>;
  description: string;
  clean_title: string;
  short_title: string;
  one_liner: string;
  normalization_status: 'complete' | 'failed';
  embedding: number[] | null;
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: ColumnType<Date, Date | undefined>;
};

/** A project as others see it: everything but the vector. */
export type ProjectRow = Omit<Selectable<ProjectsTable>, 'embedding'>;

const COLUMNS = [
  'id',
  'user_id',
  'idea_key',
  'title',
  'slug',
  'state',
  'quality_score',
  'description',
  'clean_title',
  'short_title',
  'one_liner',
  'normalization_status',
  'created_at',
  'updated_at',
] as const;

const columnsOf = (project: NormalisedProject) => ({
  idea_key: project.ideaKey,
  title: project.title,
  slug: project.slug,
  description: project.description,
  clean_title: project.cleanTitle,
  short_title: project.shortTitle,
  one_liner: project.oneLiner,
  normalization_status: project.status,
});

/** Inserts the project, or touches the one the account already has for the same idea. */
export async function upsertProject(
  tx: Tx,
  userId: string,
  project: NormalisedProject,
  embedding: number[] | null,
): Promise<{ row: ProjectRow; created: boolean }> {
  const values: Insertable<ProjectsTable> = { id: newId(), user_id: userId, embedding, ...columnsOf(project) };
  const row = await tx
    .insertInto('projects')
    .values(values)
    .onConflict((conflict) => conflict.columns(['user_id', 'idea_key']).doUpdateSet({ updated_at: sql`clock_timestamp()` }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return { row, created: row.id === values.id };
}

export async function findOwnedProject(db: Db | Tx, userId: string, id: string): Promise<ProjectRow | null> {
  return (await db.selectFrom('projects').select(COLUMNS).where('id', '=', id).where('user_id', '=', userId).executeTakeFirst()) ?? null;
}

/** For pages without a caller; what is shown there is decided by whoever calls. */
export async function findProject(db: Db, id: string): Promise<ProjectRow | null> {
  return (await db.selectFrom('projects').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** One row more than `limit`, so that the caller can tell whether there are more. */
export async function listProjects(db: Db, userId: string, page: { limit: number; offset: number }): Promise<ProjectRow[]> {
  return db
    .selectFrom('projects')
    .select(COLUMNS)
    .where('user_id', '=', userId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .offset(page.offset)
    .execute();
}

export async function countProjects(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(sql<string>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function patchProject(
  db: Db,
  userId: string,
  id: string,
  change: { project?: NormalisedProject; state?: ProjectState; embedding?: number[] | null },
): Promise<ProjectRow | null> {
  const row = await db
    .updateTable('projects')
    .set({
      updated_at: sql`clock_timestamp()`,
      ...(change.project ? columnsOf(change.project) : {}),
      ...(change.state ? { state: change.state } : {}),
      ...(change.embedding === undefined ? {} : { embedding: change.embedding }),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function setEmbedding(db: Db, id: string, embedding: number[]): Promise<void> {
  await db.updateTable('projects').set({ embedding }).where('id', '=', id).execute();
}

export async function deleteOwnedProject(tx: Tx, userId: string, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('projects').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Moves a project along where its state allows it, and touches it in any case. */
export async function moveProject(tx: Db | Tx, id: string, move: ProjectMove, change: { qualityScore?: number } = {}): Promise<void> {
  const moves: Partial<Record<ProjectState, ProjectState>> = MOVES[move];
  const cases = Object.entries(moves).map(([from, to]) => sql`when state = ${from} then ${to}`);
  await tx
    .updateTable('projects')
    .set({
      updated_at: sql`clock_timestamp()`,
      state: sql<ProjectState>`case ${sql.join(cases, sql` `)} else state end`,
      ...(change.qualityScore === undefined ? {} : { quality_score: change.qualityScore }),
    })
    .where('id', '=', id)
    .execute();
}

export type Nearest = { row: ProjectRow; similarity: number };

/**
 * The owner's projects nearest to a vector, best first. One account's projects are few: they are compared one by one, so
 * no database extension is needed.
 */
export async function nearestProjects(
  db: Db,
  userId: string,
  vector: readonly number[],
  options: { limit: number; except?: string },
): Promise<Nearest[]> {
  const rows = await db
    .selectFrom('projects')
    .select([...COLUMNS, 'embedding'])
    .where('user_id', '=', userId)
    .where('embedding', 'is not', null)
    .orderBy('updated_at', 'desc')
    .limit(5000)
    .execute();
  return rows
    .filter((row) => row.id !== options.except && row.embedding?.length === vector.length)
    .map(({ embedding, ...row }) => ({ row, similarity: dot(embedding ?? [], vector) }))
    .sort((left, right) => right.similarity - left.similarity)
    .slice(0, options.limit);
}

export async function embeddingOf(db: Db, id: string): Promise<number[] | null> {
  return (await db.selectFrom('projects').select('embedding').where('id', '=', id).executeTakeFirst())?.embedding ?? null;
}

const dot = (left: readonly number[], right: readonly number[]): number => {
  let sum = 0;
  for (const [index, value] of left.entries()) sum += value * (right[index] ?? 0);
  return Math.min(1, Math.max(0, sum));
};

/** Gives a user's projects to another; an idea both have keeps a key of its own. */
export async function reownProjects(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update projects p set user_id = ${to},
      idea_key = case when exists (select from projects o where o.user_id = ${to} and o.idea_key = p.idea_key)
        then p.idea_key || ':' || p.id else p.idea_key end
    where p.user_id = ${from}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
