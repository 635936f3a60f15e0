import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { blocksOf, SECTION_TITLES } from './outline-section.ts';
import { ownedBrief, readBrief, type PresentedBrief } from './read-brief.ts';
import { SECTION_TYPES, type SectionType } from './states.ts';

/** A sentence with the numbers of the sources it rests on, from 1. */
export type OutlineLine = { text: string; sources: number[] };

export type OutlineBlock =
  | { kind: 'paragraph'; line: OutlineLine }
  | { kind: 'list'; heading: string | null; items: OutlineLine[] }
  | { kind: 'table'; heading: string | null; head: string[]; rows: { cells: string[]; sources: number[] }[] };

/** A brief in the order in which it is read, for pages and documents. */
export type BriefOutline = {
  title: string;
  status: PresentedBrief['status'];
  revision: number;
  qualityScore: number;
  audience: string | null;
  updatedAt: string;
  sections: { type: SectionType | 'progress'; title: string; qualityScore: number | null; failed: boolean; blocks: OutlineBlock[] }[];
  sources: { number: number; title: string; url: string; snippet: string; confidence: number | null }[];
};

/**
 * The caller's brief for a document, with the sections written so far.
 * @throws AppError 404
 */
export async function briefForExport(ctx: Needs<'db'>, principal: Principal, id: string): Promise<BriefOutline> {
  return outlineBrief(await readBrief(ctx, await ownedBrief(ctx, principal, id)));
}

type Outlined = Omit<PresentedBrief, 'id' | 'project_id' | 'research_id' | 'share_token' | 'error' | 'template' | 'section_meta'> & {
  section_meta: Partial<Record<SectionType, { status: string; quality_score: number }>>;
};

/** The same from what `GET /briefs/{brief_id}` or a share shows. */
export function outlineBrief(brief: Outlined): BriefOutline {
  const numbers = new Map(brief.sources.map(({ id }, place) => [id, place + 1]));
  const number = (ids: readonly string[]): number[] => ids.flatMap((id) => numbers.get(id) ?? []);
  const sections = SECTION_TYPES.flatMap((type): BriefOutline['sections'] => {
    const meta = brief.section_meta[type];
    if (!meta) return [];
    const content = brief[type];
    const blocks = content === undefined ? [] : blocksOf(type, content, number);
    return [{ type, title: SECTION_TITLES[type], qualityScore: meta.quality_score, failed: content === undefined, blocks }];
  });
  return {
    title: brief.title,
    status: brief.status,
    revision: brief.revision,
    qualityScore: brief.quality_score,
    audience: brief.audience,
    updatedAt: new Date(brief.updated_at).toISOString(),
    sections: [...sections, ...progressOf(brief.progress)],
    sources: brief.sources.map(({ title, url, snippet, confidence }, place) => ({ number: place + 1, title, url, snippet, confidence })),
  };
}

function progressOf(progress: PresentedBrief['progress']): BriefOutline['sections'] {
  if (!progress) return [];
  const rows = progress.items.map((item) => ({
    cells: [`#${item.pr_number}`, item.summary, item.pr_url, new Date(item.appended_at).toISOString().slice(0, 10)],
    sources: [],
  }));
  const table: OutlineBlock = { kind: 'table', heading: null, head: ['Pull request', 'What it did', 'Address', 'Day'], rows };
  return [{ type: 'progress', title: progress.title, qualityScore: null, failed: false, blocks: [table] }];
}
