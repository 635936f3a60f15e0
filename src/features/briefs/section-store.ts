import { sql } from 'kysely';
import type { Evidence } from '#features/research';
import type { Db, Tx } from '#platform/db/database.ts';
import type { Progress, QualityParts, SectionError } from './schema.ts';
import type { SectionContent, SectionContents } from './section-content.ts';
import type { SectionType } from './states.ts';

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

/** What stands in the sections now, for a snapshot. */
const CURRENT = (briefId: string) => sql`
  (select coalesce(jsonb_object_agg(section_type, content::jsonb), '{}'::jsonb) from brief_sections where brief_id = ${briefId} and content is not null)`;

export async function readSections(db: Db | Tx, briefId: string): Promise<SectionRow[]> {
  const { rows } = await sql<SectionRow>`
    select section_type, status, content, quality, quality_score, sources, dropped, error, revision, research_id, generated_at
      from brief_sections where brief_id = ${briefId}`.execute(db);
  return rows;
}

/** Writes a section; one that failed keeps the text it had before. */
export async function saveSection(tx: Tx, briefId: string, section: Omit<SectionRow, 'generated_at'>): Promise<void> {
  const json = (value: unknown): string => JSON.stringify(value);
  await sql`
    insert into brief_sections (brief_id, section_type, status, content, quality, quality_score, sources, dropped, error, revision, research_id)
    values (${briefId}, ${section.section_type}, ${section.status}, ${section.content === null ? null : json(section.content)}, ${json(section.quality)},
      ${section.quality_score}, ${json(section.sources)}, ${section.dropped}, ${section.error === null ? null : json(section.error)},
      ${section.revision}, ${section.research_id})
    on conflict (brief_id, section_type) do update set status = excluded.status, content = excluded.content, quality = excluded.quality,
      quality_score = excluded.quality_score, sources = excluded.sources, dropped = excluded.dropped, error = excluded.error,
      revision = excluded.revision, research_id = excluded.research_id, generated_at = clock_timestamp()`.execute(tx);
}

/** Says of a section that still has its earlier text that writing it anew failed. */
export async function noteFailure(tx: Tx, briefId: string, section: SectionType, error: SectionError): Promise<void> {
  await sql`update brief_sections set error = ${JSON.stringify(error)}::json where brief_id = ${briefId} and section_type = ${section}`.execute(tx);
}

export type Cause = 'created' | 'regenerated' | 'progress';

/** Keeps a revision with all the sections as they stand now. */
export async function snapshot(
  tx: Tx,
  briefId: string,
  revision: number,
  why: { cause: Cause; section?: SectionType; progress: Progress | null },
): Promise<void> {
  await sql`
    insert into brief_revisions (brief_id, revision, cause, section_type, sections, progress)
    values (${briefId}, ${revision}, ${why.cause}, ${why.section ?? null}, ${CURRENT(briefId)},
      ${why.progress === null ? null : JSON.stringify(why.progress)})`.execute(tx);
}

/** Writes all sections into every revision there is: those that were added while the brief was generated have none yet. */
export const fillSnapshots = async (tx: Tx, briefId: string): Promise<void> =>
  void (await sql`update brief_revisions set sections = ${CURRENT(briefId)} where brief_id = ${briefId}`.execute(tx));

/** A section that was written for a revision belongs to the later ones too, which were kept with its earlier text. */
export async function carrySection(tx: Tx, briefId: string, from: number, section: SectionType, content: SectionContent): Promise<void> {
  await sql`
    update brief_revisions set sections = sections || jsonb_build_object(${section}::text, ${JSON.stringify(content)}::jsonb)
     where brief_id = ${briefId} and revision >= ${from}`.execute(tx);
}

export async function readRevision(db: Db, briefId: string, revision: number): Promise<Sections | null> {
  const { rows } = await sql<{ sections: Sections }>`
    select sections from brief_revisions where brief_id = ${briefId} and revision = ${revision}`.execute(db);
  return rows[0]?.sections ?? null;
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
