import { SHARE_IMAGE, shareImage, VERDICT_ROLES, VERDICTS, type Card } from '#features/report-parts';
import { findSharedBrief, outlineBrief, type BriefOutline } from '#features/briefs';
import { findSharedResearch } from '#features/research';
import { unavailable } from '#lib/errors.ts';
import { sha256 } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { PrintFailed } from '#platform/ports/pdf/open-printer.ts';
import { summaryOf } from './brief-page.ts';
import type { SharedResearch } from './research-page.ts';

const KEPT = 64;
const drawn = new Map<string, Uint8Array>();

/**
 * The picture of what a token shares, as PNG; the last ones drawn are kept.
 * @throws AppError 503 when it cannot be drawn now
 */
export async function findShareImage(ctx: Needs<'db' | 'printer'>, token: string): Promise<Uint8Array | null> {
  const artifact = await findSharedResearch(ctx, token);
  if (artifact) return draw(ctx, shareImage(researchCard(artifact)));
  const brief = await findSharedBrief(ctx, token);
  return brief && draw(ctx, shareImage(briefCard(outlineBrief(brief))));
}

async function draw({ printer }: Needs<'printer'>, svg: string): Promise<Uint8Array> {
  const key = sha256(svg);
  const known = drawn.get(key);
  if (known) return known;
  try {
    const png = await printer.png(svg, SHARE_IMAGE.width);
    if (drawn.size >= KEPT) for (const oldest of drawn.keys()) if (drawn.size >= KEPT) drawn.delete(oldest);
    drawn.set(key, png);
    return png;
  } catch (error) {
    if (error instanceof PrintFailed) throw unavailable('The picture cannot be drawn now', 10);
    throw error;
  }
}

const researchCard = ({
  product_category,
  short_title,
  product_idea,
  recommendation,
  incumbents,
  emerging,
  features,
  quality,
}: SharedResearch): Card => ({
  kicker: `Market research · ${product_category}`,
  title: short_title,
  text: product_idea,
  score: { value: recommendation.score, word: VERDICTS[recommendation.verdict], role: VERDICT_ROLES[recommendation.verdict] },
  facts: [
    { value: String(incumbents.length + emerging.length), name: 'competitors' },
    { value: String(features.length), name: 'features compared' },
    { value: String(quality.evidence_count), name: 'sources' },
  ],
});

const briefCard = (outline: BriefOutline): Card => ({
  kicker: `Market brief${outline.audience ? ` for the ${outline.audience}` : ''}`,
  title: outline.title,
  text: summaryOf(outline),
  facts: [
    { value: String(outline.sections.length), name: 'sections' },
    { value: String(outline.sources.length), name: 'sources' },
    { value: String(Math.round(outline.qualityScore)), name: 'quality of 100' },
  ],
});
