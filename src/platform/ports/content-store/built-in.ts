import { sql } from 'kysely';
import { newId } from '#lib/ids.ts';
import type { Needs } from '../../context.ts';
import type { ContentStore } from './port.ts';
import { storedPage } from './stored-page.ts';

/** Pages in our own database, for installations without a content system. */
export const builtInContent = ({ db }: Needs<'db'>): ContentStore => ({
  find: async (slug) => {
    const { rows } = await sql<{ id: string; page: unknown }>`select id, page from content_pages where slug = ${slug}`.execute(db);
    const [row] = rows;
    return row ? { id: row.id, ...storedPage.read(row.page) } : null;
  },
  put: async (page) => {
    const { rows } = await sql<{ id: string }>`
      insert into content_pages (slug, id, page) values (${page.slug}, ${newId()}, ${storedPage.write(page)}::json)
      on conflict (slug) do update set page = excluded.page, updated_at = now() returning id`.execute(db);
    return { id: rows[0]?.id ?? '', ...page };
  },
  remove: async (slug) => {
    await sql`delete from content_pages where slug = ${slug}`.execute(db);
  },
});
