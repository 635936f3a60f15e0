import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

export type NewRoast = { id: string; slug: string; projectId: string | null; blobKey: string; contentType: string; bytes: number };
export type RoastRow = { id: string; blob_key: string; content_type: string; bytes: number; sent_at: Date };

/** Notes a recording before it is kept. False when the page has `most` of them. */
export async function insertRoast(tx: Tx, roast: NewRoast, most: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`clip roasts ${roast.slug}`}, 0))`.execute(tx);
  const { numAffectedRows } = await sql`
    insert into clip_roasts (id, slug, project_id, blob_key, content_type, bytes)
    select ${roast.id}, ${roast.slug}, ${roast.projectId}, ${roast.blobKey}, ${roast.contentType}, ${roast.bytes}
     where (select count(*) from clip_roasts where slug = ${roast.slug}) < ${most}`.execute(tx);
  return numAffectedRows === 1n;
}

/** Says that the recording is kept. False when the page is gone. */
export async function markKept(tx: Tx, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update clip_roasts set kept_at = clock_timestamp() where id = ${id} and kept_at is null`.execute(tx);
  return numAffectedRows === 1n;
}

export async function deleteRoast(db: Db | Tx, id: string): Promise<void> {
  await sql`delete from clip_roasts where id = ${id}`.execute(db);
}

/** Recordings about a page, one more than `limit`; the latest first. */
export async function listRoasts(db: Db, slug: string, { limit, offset }: { limit: number; offset: number }): Promise<RoastRow[]> {
  const { rows } = await sql<RoastRow>`
    select id, blob_key, content_type, bytes, sent_at from clip_roasts where slug = ${slug} and kept_at is not null
     order by sent_at desc, id limit ${limit + 1} offset ${offset}`.execute(db);
  return rows;
}

/** Deletes those of a project, or of pages; gives the keys of their recordings. */
export async function deleteRoasts(tx: Tx, of: { projectId: string } | { slugs: readonly string[] }): Promise<string[]> {
  const which = 'projectId' in of ? sql`project_id = ${of.projectId}` : sql`slug = any(${of.slugs})`;
  const { rows } = await sql<{ blob_key: string }>`delete from clip_roasts where ${which} returning blob_key`.execute(tx);
  return rows.map(({ blob_key: key }) => key);
}

/** Some of those that are older than `days`, or whose recording was not kept within an hour. */
export async function listOldRoasts(
  db: Db,
  { now, days, limit }: { now: Date; days: number; limit: number },
): Promise<{ id: string; blob_key: string }[]> {
  const { rows } = await sql<{ id: string; blob_key: string }>`
    select id, blob_key from clip_roasts
     where sent_at < ${now}::timestamptz - make_interval(days => ${days})
        or (kept_at is null and sent_at < ${now}::timestamptz - interval '1 hour')
     order by sent_at limit ${limit}`.execute(db);
  return rows;
}
