import type { Tx } from '#platform/db/database.ts';
import { overallQuality } from './quality.ts';
import { saveSection as saveRow, type SectionRow } from './section-store.ts';
import type { SectionType } from './states.ts';
import type { Unwritten, Written } from './write-sections.ts';

type Place = { briefId: string; researchId: string; section: SectionType; revision: number };

/** Keeps what became of a section. */
export async function saveSection(tx: Tx, { briefId, researchId, section, revision }: Place, outcome: Written | Unwritten): Promise<void> {
  const place = { section_type: section, revision, research_id: researchId };
  const none = { content: null, quality: { coverage: 0, evidence: 0, specificity: 0 }, quality_score: 0, sources: [], dropped: 0 };
  if (outcome.status === 'failed') return saveRow(tx, briefId, { ...place, ...none, status: 'failed', error: outcome.error });
  const { content, quality, score, sources, dropped } = outcome;
  return saveRow(tx, briefId, { ...place, status: 'written', content, quality, quality_score: score, sources, dropped, error: null });
}

/** The score of a brief from its sections as they stand. */
export const scoreOf = (sections: readonly SectionRow[]): number =>
  overallQuality(Object.fromEntries(sections.map(({ section_type: section, quality_score: score }) => [section, score])));
