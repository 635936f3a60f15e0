import type { z } from 'zod';
import { slugify } from '#lib/text.ts';
import { notFound } from '#lib/errors.ts';
import { forOthers, readArtifact, type Evidence } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { findOwnedBrief, type BriefRow } from './brief-store.ts';
import { openingOf } from './opening.ts';
import type { Brief, FullBrief, SectionMeta, Source } from './schema.ts';
import { pendingRewrites, readSections, type SectionRow } from './section-store.ts';
import { SECTION_TYPES, type SectionType } from './states.ts';

export type PresentedBrief = z.input<typeof FullBrief>;

/** @throws AppError 404 when it is missing or another user's */
export async function ownedBrief({ db }: Needs<'db'>, principal: Principal, id: string): Promise<BriefRow> {
  const brief = await findOwnedBrief(db, principal.userId, id);
  if (!brief) throw notFound('Brief');
  return brief;
}

/**
 * The caller's brief with the sections that are written so far.
 * @throws AppError 404
 */
export async function getBrief(ctx: Needs<'db'>, principal: Principal, id: string): Promise<PresentedBrief> {
  return readBrief(ctx, await ownedBrief(ctx, principal, id));
}

export const presentBrief = (row: BriefRow): z.input<typeof Brief> => ({
  id: row.id,
  project_id: row.project_id,
  research_id: row.research_id,
  title: row.title,
  status: row.status,
  revision: row.revision,
  quality_score: row.quality_score,
  share_token: row.share_token,
  audience: row.audience,
  template: row.template,
  refresh_enabled: row.refresh_enabled,
  error: row.error,
  warnings: row.warnings,
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** A brief with the sections that are written so far. */
export async function readBrief(ctx: Needs<'db'>, row: BriefRow): Promise<PresentedBrief> {
  const [sections, pending, artifact] = await Promise.all([
    readSections(ctx.db, row.id),
    pendingRewrites(ctx.db, row.id),
    row.research_id ? readArtifact(ctx.db, row.research_id) : null,
  ]);
  const waiting = new Set(pending.map(({ section }) => section));
  const inOrder = SECTION_TYPES.flatMap((type) => sections.find((section) => section.section_type === type) ?? []);
  return {
    ...presentBrief(row),
    opening: artifact ? openingOf(forOthers(artifact), new Date()) : null,
    ...Object.fromEntries(inOrder.flatMap(({ section_type: type, content }) => (content === null ? [] : [[type, content]]))),
    ...(row.progress ? { progress: row.progress } : {}),
    section_meta: Object.fromEntries(inOrder.map((section) => [section.section_type, metaOf(section, waiting)])),
    sources: sourcesOf(inOrder),
  };
}

const metaOf = (section: SectionRow, waiting: ReadonlySet<SectionType>): z.input<typeof SectionMeta> => ({
  status: waiting.has(section.section_type) ? 'rewriting' : section.status,
  quality_score: section.quality_score,
  quality: section.quality,
  generated_at: section.generated_at,
  revision: section.revision,
  research_id: section.research_id,
  source_ids: section.sources.map(({ id }) => id),
  dropped: section.dropped,
  error: section.error,
});

/** The evidence that is cited, each once, with the sections that cite it. */
function sourcesOf(sections: readonly SectionRow[]): z.input<typeof Source>[] {
  const sources = new Map<string, z.input<typeof Source>>();
  for (const { section_type: type, sources: cited } of sections) {
    for (const row of cited) {
      const known = sources.get(row.id);
      if (known) known.sections.push(type);
      else sources.set(row.id, { ...sourceOf(row), sections: [type] });
    }
  }
  return [...sources.values()];
}

const sourceOf = (row: Evidence) => ({
  id: row.id,
  kind: row.source_kind,
  url: row.source_url ?? `catalogue:${slugify(row.title)}`,
  title: row.title,
  snippet: row.snippet,
  confidence: row.confidence,
});
