import { sql, type ColumnType, type Insertable, type Selectable } from 'kysely';
import { newId } from '#lib/ids.ts';
import { collapseSpaces } from '#lib/text.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import type { NormalisedProject } from './normalise-project.ts';
import { MOVES, type ProjectMove, type ProjectState } from './states.ts';
import { transferVectors } from './vector-store.ts';

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
  created_at: ColumnType<Date, Date | undefined, never>;
  updated_at: ColumnType<Date, Date | undefined>;
};

export type ProjectRow = Selectable<ProjectsTable>;

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
export async function upsertProject(tx: Tx, userId: string, project: NormalisedProject): Promise<{ row: ProjectRow; created: boolean }> {
  const values: Insertable<ProjectsTable> = { id: newId(), user_id: userId, ...columnsOf(project) };
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

/** Those of the given projects that the user has. */
export async function listOwnedProjects(db: Db, userId: string, ids: readonly string[]): Promise<Map<string, ProjectRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('projects').select(COLUMNS).where('user_id', '=', userId).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
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

export async function countProjects(db: Db | Tx, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(sql<string>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function patchProject(
  tx: Tx,
  userId: string,
  id: string,
  change: { project?: NormalisedProject; state?: ProjectState },
): Promise<ProjectRow | null> {
  const row = await tx
    .updateTable('projects')
    .set({
      updated_at: sql`clock_timestamp()`,
      ...(change.project ? columnsOf(change.project) : {}),
      ...(change.state ? { state: change.state } : {}),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteOwnedProject(tx: Tx, userId: string, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('projects').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** When a project was last touched, as exactly as the database knows it. */
export async function touchedAt(tx: Tx, id: string): Promise<string> {
  const { at } = await tx
    .selectFrom('projects')
    .select(sql<string>`updated_at::text`.as('at'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return at;
}

/** Deletes a project unless it was touched since. */
export async function deleteUntouched(tx: Tx, id: string, since: string): Promise<boolean> {
  const gone = await tx
    .deleteFrom('projects')
    .where('id', '=', id)
    .where('updated_at', '=', sql<Date>`${since}::timestamptz`)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** What a completed research says of its project. */
export type ProjectResult = { qualityScore: number; idea: string; shortTitle: string };

/**
 * Moves a project along where its state allows it, and touches it in any case. A project without a name of its own, which
 * has the researched idea for its title, takes the short title of the result.
 */
export async function moveProject(tx: Db | Tx, id: string, move: ProjectMove, result?: ProjectResult): Promise<void> {
  const moves: Partial<Record<ProjectState, ProjectState>> = MOVES[move];
  const cases = Object.entries(moves).map(([from, to]) => sql`when state = ${from} then ${to}`);
  await tx
    .updateTable('projects')
    .set({
      updated_at: sql`clock_timestamp()`,
      state: sql<ProjectState>`case ${sql.join(cases, sql` `)} else state end`,
      ...(result
        ? {
            quality_score: result.qualityScore,
            short_title: sql<string>`case when title = ${collapseSpaces(result.idea)} then ${result.shortTitle} else short_title end`,
          }
        : {}),
    })
    .where('id', '=', id)
    .execute();
}

/** Gives a user's projects to another; an idea both have keeps a key of its own. */
export async function transferProjects(tx: Tx, from: string, to: string): Promise<number> {
  const { numAffectedRows } = await sql`
    update projects p set user_id = ${to},
      idea_key = case when exists (select from projects o where o.user_id = ${to} and o.idea_key = p.idea_key)
        then p.idea_key || ':' || p.id else p.idea_key end
    where p.user_id = ${from}`.execute(tx);
  await transferVectors(tx, from, to);
  return Number(numAffectedRows ?? 0n);
}
