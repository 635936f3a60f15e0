import { sql } from 'kysely';
import type { Db, Tx } from '#platform/db/database.ts';

declare module '#platform/db/database.ts' {
  interface Tables {
    notify_slugs: { owner_id: string; slug_hash: string };
  }
}

/** The user's only slug from now on. @param hash its SHA-256 in hex */
export async function saveSlug(db: Db, userId: string, hash: string): Promise<void> {
  await sql`
    insert into notify_slugs (owner_id, slug_hash) values (${userId}, ${hash})
    on conflict (owner_id) do update set slug_hash = excluded.slug_hash, created_at = now()`.execute(db);
}

export async function findSlug(db: Db, hash: string): Promise<{ owner_id: string; slug_hash: string } | null> {
  return (await db.selectFrom('notify_slugs').select(['owner_id', 'slug_hash']).where('slug_hash', '=', hash).executeTakeFirst()) ?? null;
}

/** The new owner's own slug holds; without one this is theirs. */
export async function transferSlug(tx: Tx, from: string, to: string): Promise<void> {
  await sql`
    with gone as (delete from notify_slugs where owner_id = ${from} returning slug_hash)
    insert into notify_slugs (owner_id, slug_hash) select ${to}, slug_hash from gone
    on conflict (owner_id) do nothing`.execute(tx);
}
