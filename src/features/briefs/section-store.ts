import { sql } from 'kysely';
import type { Evidence } from '#features/research';
import type { Db, Tx } from '#platform/db/database.ts';
import { storedRunError } from '#platform/runs/stored-run-error.ts';
import type { Progress, QualityParts, SectionError } from './schema.ts';
import type { SectionContent, SectionContents } from './section-content.ts';
import type { SectionType } from './states.ts';
import { storedEntry, storedQuality, storedSources, withSectionDocuments } from './stored-columns.ts';
import { STORED_SECTIONS } from './stored-section.ts';

export type SectionRow = {
  section_type: SectionType;
  status: 'written' | 'failed';
  content: SectionContent | null;
  quality: QualityParts;
  quality_score: number;
  /** The evidence that the section cites. */
  sources: Evidence[];
  dropped: number;
  error: SectionError | null;
  revision: number;
  research_id: string;
  generated_at: Date;
};

export type Sections = Partial<SectionContents>;

export async function readSections(db: Db | Tx, briefId: string): Promise<SectionRow[]> {
  const { rows } = await sql<SectionRow>`
    select section_type, status, content, quality, quality_score, sources, dropped, error, revision, research_id, generated_at
      from brief_sections where brief_id = ${briefId}`.execute(withSectionDocuments(db));
  return rows.map((row) => ({ ...row, content: row.content && STORED_SECTIONS[row.section_type].read(row.content) }));
}

/** Writes a section; one that failed keeps the text it had before. */
export async function saveSection(tx: Tx, briefId: string, section: Omit<SectionRow, 'generated_at'>): Promise<void> {
  await sql`
    insert into brief_sections (brief_id, section_type, status, content, quality, quality_score, sources, dropped, error, revision, research_id)
    values (${briefId}, ${section.section_type}, ${section.status}, ${section.content === null ? null : STORED_SECTIONS[section.section_type].write(section.content)}, ${storedQuality.write(section.quality)},
      ${section.quality_score}, ${storedSources.write(section.sources)}, ${section.dropped}, ${section.error === null ? null : storedRunError.write(section.error)},
      ${section.revision}, ${section.research_id})
    on conflict (brief_id, section_type) do update set status = excluded.status, content = excluded.content, quality = excluded.quality,
      quality_score = excluded.quality_score, sources = excluded.sources, dropped = excluded.dropped, error = excluded.error,
      revision = excluded.revision, research_id = excluded.research_id, generated_at = clock_timestamp()`.execute(tx);
}

/** Says of a section that still has its earlier text that writing it anew failed. */
export async function noteFailure(tx: Tx, briefId: string, section: SectionType, error: SectionError): Promise<void> {
  await sql`update brief_sections set error = ${storedRunError.write(error)}::json where brief_id = ${briefId} and section_type = ${section}`.execute(
    tx,
  );
}

export type Cause = 'created' | 'regenerated' | 'progress';

/** Keeps a revision: why there is one, and the entry of what was built where that is why. Its texts are those of the one before. */
export async function addRevision(
  tx: Tx,
  briefId: string,
  revision: number,
  why: { cause: Cause; section?: SectionType; entry?: Progress['items'][number] },
): Promise<void> {
  await sql`
    insert into brief_revisions (brief_id, revision, cause, section_type, entry)
    values (${briefId}, ${revision}, ${why.cause}, ${why.section ?? null}, ${why.entry ? storedEntry.write(why.entry) : null})`.execute(tx);
}

/** Keeps the text that a section has from a revision on; nothing when it had the same before. */
export async function keepText(tx: Tx, briefId: string, { revision, section }: Rewrite, content: SectionContent): Promise<void> {
  await sql`
    insert into brief_texts (brief_id, section_type, revision, content)
    select ${briefId}, ${section}, ${revision}, fresh.content from (select ${STORED_SECTIONS[section].write(content)}::jsonb as content) fresh
     where fresh.content is distinct from (
       select content from brief_texts where brief_id = ${briefId} and section_type = ${section} and revision < ${revision} order by revision desc limit 1)`.execute(
    tx,
  );
}

/** Keeps, from a revision on, the texts of sections that no revision has yet: sections are written before their revision is told. */
export async function keepFirstTexts(tx: Tx, briefId: string, revision: number): Promise<void> {
  await sql`
    insert into brief_texts (brief_id, section_type, revision, content)
    select brief_id, section_type, ${revision}, content::jsonb from brief_sections s
     where brief_id = ${briefId} and content is not null
       and not exists (select from brief_texts t where t.brief_id = s.brief_id and t.section_type = s.section_type)`.execute(tx);
}

/** The sections as they were in a revision: of each the last text up to it. Null when there is no such revision. */
export async function readRevision(db: Db, briefId: string, revision: number): Promise<Sections | null> {
  const { rows } = await sql<{ sections: Record<string, unknown> }>`
    select coalesce((select jsonb_object_agg(section_type, content) from (
        select distinct on (section_type) section_type, content from brief_texts
         where brief_id = ${briefId} and revision <= ${revision} order by section_type, revision desc) last), '{}') as sections
      from brief_revisions where brief_id = ${briefId} and revision = ${revision}`.execute(db);
  const sections = rows[0]?.sections;
  if (!sections) return null;
  const read = Object.entries(sections).map(([type, content]) => [type, STORED_SECTIONS[type as SectionType].read(content)]);
  return Object.fromEntries(read) as Sections;
}

export type Rewrite = { revision: number; section: SectionType };

export async function addRewrite(tx: Tx, briefId: string, { revision, section }: Rewrite): Promise<void> {
  await sql`insert into brief_rewrites (brief_id, revision, section_type) values (${briefId}, ${revision}, ${section})`.execute(tx);
}

/** What waits to be written anew, in the order in which it was asked for. */
export async function pendingRewrites(db: Db | Tx, briefId: string): Promise<Rewrite[]> {
  const { rows } = await sql<Rewrite>`
    select revision, section_type as section from brief_rewrites where brief_id = ${briefId} order by revision`.execute(db);
  return rows;
}

export async function settleRewrite(tx: Tx, briefId: string, revision: number): Promise<void> {
  await sql`delete from brief_rewrites where brief_id = ${briefId} and revision = ${revision}`.execute(tx);
}

/** How often a section was asked for anew up to a revision. */
export async function countRewrites(db: Db | Tx, briefId: string, { revision, section }: Rewrite): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from brief_revisions
     where brief_id = ${briefId} and section_type = ${section} and cause = 'regenerated' and revision <= ${revision}`.execute(db);
  return rows[0]?.count ?? 0;
}
