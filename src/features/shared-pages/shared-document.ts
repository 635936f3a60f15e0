import { findSharedBrief } from '#features/briefs';
import { briefDocument, researchDocument, type ReportedBrief } from '#features/reports';
import { findSharedResearch } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Document } from '#platform/rendering/document.ts';

/** What a token shares, as data and as a document; null when it shares nothing. */
export async function findShared(ctx: Needs<'db'>, token: string) {
  const artifact = await findSharedResearch(ctx, token);
  if (artifact) return { json: { type: 'research' as const, ...artifact }, document: (): Document => researchDocument(artifact) };
  const brief = await findSharedBrief(ctx, token);
  return brief && { json: brief, document: (): Document => briefDocument(written(brief)) };
}

/** Others are not told of sections that could not be written. */
const written = <B extends ReportedBrief>(brief: B): B => ({
  ...brief,
  section_meta: Object.fromEntries(Object.entries(brief.section_meta).filter(([type]) => brief[type as keyof B] !== undefined)),
});
