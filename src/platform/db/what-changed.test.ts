import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { migrating } from '#testing/migrating.ts';
import type { Tx } from './database.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

const NAME = '0011-what-changed.sql';

const BRIEF = '00000000-0000-4000-8000-000000000001';
const PROJECTS = ['00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000004'];
const ITEMS = [
  { pr_number: 7, appended_at: '2026-01-02T00:00:00.000Z' },
  { pr_number: 8, appended_at: '2026-01-01T00:00:00.000Z' },
];
const REVISIONS: { cause: string; sections: Record<string, unknown>; progress: unknown }[] = [
  { cause: 'created', sections: { features: [1], positioning: { text: 'a' } }, progress: null },
  { cause: 'progress', sections: { features: [1], positioning: { text: 'a' } }, progress: { title: 'Progress', items: ITEMS } },
  { cause: 'regenerated', sections: { features: [1], positioning: { text: 'b' } }, progress: { title: 'Progress', items: ITEMS } },
  { cause: 'regenerated', sections: { features: [1], positioning: { text: 'b' }, mvp_angle: {} }, progress: null },
  { cause: 'regenerated', sections: { features: [1], positioning: { text: 'a' }, mvp_angle: {} }, progress: null },
];

async function writeOldRows(tx: Tx): Promise<void> {
  await sql`insert into briefs (id, user_id, project_id, title, status, share_token) values (${BRIEF}, 'u', ${BRIEF}, 't', 'ready', 's')`.execute(tx);
  for (const [at, { cause, sections, progress }] of REVISIONS.entries()) {
    await sql`insert into brief_revisions (brief_id, revision, cause, sections, progress)
      values (${BRIEF}, ${at + 1}, ${cause}, ${JSON.stringify(sections)}, ${progress ? JSON.stringify(progress) : null})`.execute(tx);
  }
  for (const [at, id] of PROJECTS.entries()) {
    await sql`insert into projects (id, user_id, idea_key, title, slug, clean_title, short_title, one_liner, normalization_status, embedding)
      values (${id}, 'u', ${id}, 't', 's', 't', 't', 't', 'complete', ${at === 2 ? null : [0.5, -0.25, at]})`.execute(tx);
  }
}

describe('the migration to what changed', () => {
  it('carries the texts of every revision and the vector of every project over', async () => {
    await migrating(app.ctx.db, NAME, {
      before: writeOldRows,
      after: async (tx) => {
        for (const [at, { sections }] of REVISIONS.entries()) {
          const { rows } = await sql<{ sections: unknown }>`
          select jsonb_object_agg(section_type, content) as sections from (
            select distinct on (section_type) section_type, content from brief_texts
             where brief_id = ${BRIEF} and revision <= ${at + 1} order by section_type, revision desc) last`.execute(tx);
          expect(rows[0]?.sections, `revision ${at + 1}`).toEqual(sections);
        }
        const texts = await sql`select from brief_texts`.execute(tx);
        expect(texts.rows).toHaveLength(5);
        const revisions = await sql<{ cause: string; entry: unknown }>`select cause, entry from brief_revisions order by revision`.execute(tx);
        expect(revisions.rows).toEqual(REVISIONS.map(({ cause }) => ({ cause, entry: cause === 'progress' ? ITEMS[0] : null })));
        const vectors = await sql<{
          id: string;
          no: number;
          vector: Buffer;
        }>`select project_id as id, no, vector from project_vectors order by no`.execute(tx);
        const floats = (vector: Buffer) => [0, 4, 8].map((place) => vector.readFloatBE(place));
        expect(vectors.rows.map(({ id, no, vector }) => [id, no, floats(vector)])).toEqual([
          [PROJECTS[0], 1, [0.5, -0.25, 0]],
          [PROJECTS[1], 2, [0.5, -0.25, 1]],
        ]);
        const owners = await sql`select owner_id, last_no from project_owners`.execute(tx);
        expect(owners.rows).toEqual([{ owner_id: 'u', last_no: 2 }]);
      },
    });
  });
});
