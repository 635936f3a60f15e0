import { sql, type ColumnType, type Selectable } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    clips: ClipsTable;
  }
}

type TargetType = 'brief';

type ClipsTable = {
  slug: string;
  user_id: string;
  project_id: string | null;
  target_type: TargetType;
  target_id: string;
  created_at: ColumnType<Date, undefined>;
  published_at: ColumnType<Date | null, undefined>;
  withdrawn_at: ColumnType<Date | null, undefined>;
};

export type ClipRow = Pick<Selectable<ClipsTable>, 'slug' | 'target_type' | 'target_id' | 'created_at'>;

/** What a page was made of. */
export type Target = { type: TargetType; id: string };

export type NewClip = { slug: string; userId: string; projectId: string | null; target: Target };

/** Holds a slug for what a page is made of; gives the one that it has already where there is one. */
export async function reserveClip(tx: Tx, { slug, userId, projectId, target }: NewClip): Promise<string> {
  const { rows } = await sql<{ slug: string }>`
    insert into clips (slug, user_id, project_id, target_type, target_id)
    values (${slug}, ${userId}, ${projectId}, ${target.type}, ${target.id})
    on conflict (target_type, target_id) do update set project_id = excluded.project_id where clips.user_id = excluded.user_id
    returning slug`.execute(tx);
  const [row] = rows;
  if (!row) throw new Error('the page of this target belongs to another user');
  return row.slug;
}

/** Says that the page is in the store. False when it was withdrawn meanwhile. */
export async function markPublished(db: Db, slug: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update clips set published_at = coalesce(published_at, clock_timestamp()) where slug = ${slug} and withdrawn_at is null`.execute(db);
  return numAffectedRows === 1n;
}

export async function isWithdrawn(db: Db, slug: string): Promise<boolean> {
  const row = await db.selectFrom('clips').select('slug').where('slug', '=', slug).where('withdrawn_at', 'is not', null).executeTakeFirst();
  return row !== undefined;
}

/** Who published the page; null when no user did. */
export async function findPublisher(db: Db | Tx, slug: string): Promise<string | null> {
  const row = await db.selectFrom('clips').select('user_id').where('slug', '=', slug).where('withdrawn_at', 'is', null).executeTakeFirst();
  return row?.user_id ?? null;
}

/** Published pages of a project, one more than `limit`; newest first. */
export async function listClips(
  db: Db,
  { userId, projectId }: { userId: string; projectId: string },
  { limit, offset }: { limit: number; offset: number },
): Promise<ClipRow[]> {
  return db
    .selectFrom('clips')
    .select(['slug', 'target_type', 'target_id', 'created_at'])
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .where('published_at', 'is not', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('slug')
    .limit(limit + 1)
    .offset(offset)
    .execute();
}

/** From now on nobody finds the pages of a project, or of one target. Gives their slugs. */
export async function withdrawClips(tx: Tx, of: { projectId: string } | { target: Target }): Promise<string[]> {
  const which = 'projectId' in of ? sql`project_id = ${of.projectId}` : sql`target_type = ${of.target.type} and target_id = ${of.target.id}`;
  const { rows } = await sql<{ slug: string }>`
    update clips set withdrawn_at = clock_timestamp() where ${which} and withdrawn_at is null returning slug`.execute(tx);
  return rows.map(({ slug }) => slug);
}

/** Forgets a page that the operator removed; who published it may do so again. */
export async function forgetClip(tx: Tx, slug: string): Promise<void> {
  await tx.deleteFrom('clips').where('slug', '=', slug).where('withdrawn_at', 'is', null).execute();
}

/** Forgets a withdrawn page, once the store has it no more. */
export async function forgetWithdrawn(db: Db, slug: string): Promise<void> {
  await db.deleteFrom('clips').where('slug', '=', slug).where('withdrawn_at', 'is not', null).execute();
}

export async function transferClips(tx: Tx, from: string, to: string): Promise<number> {
  const result = await tx.updateTable('clips').set({ user_id: to }).where('user_id', '=', from).executeTakeFirst();
  return Number(result.numUpdatedRows);
}
