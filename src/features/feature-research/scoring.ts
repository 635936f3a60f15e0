import type { EvidenceSource, Scoped } from './analyst.ts';
import type { FeatureAnalysis, Quality } from './schema.ts';

/**
 * The rubric: how far a feature research can be relied on, 0 to 10. Each dimension is a share between 0 and 1 of what would
 * be full marks, weighted; the weights sum to 1. It measures what was gathered and kept, never what an analyst thinks of itself.
 *
 * - knowledge: features for which something known says how to build them.
 * - market: products named per feature; three each are full marks.
 * - breadth: kinds of sources (four are full marks) and independent addresses on the web (twelve are).
 * - completeness: sections of the analyses that hold anything.
 * - integrity: statements that rested on a source, of all that were made.
 * - currency: sources that were looked up now; ten pages are full marks.
 */
export const WEIGHTS = { knowledge: 0.25, market: 0.2, breadth: 0.15, completeness: 0.2, integrity: 0.1, currency: 0.1 } as const;

const PRODUCTS_EACH = 3;
const KINDS = 4;
const HOSTS = 12;
const PAGES = 10;

type Scored = { features: readonly Scoped[]; analyses: readonly FeatureAnalysis[]; sources: readonly EvidenceSource[]; unsupported: number };
type Share = { share: number; explanation: string };

/** Scores what a run found by the rubric above; the score is the weighted sum of the dimensions, to one decimal. */
export function scoreFindings(scored: Scored): Quality {
  const shares: Record<keyof typeof WEIGHTS, Share> = {
    knowledge: knowledge(scored),
    market: market(scored),
    breadth: breadth(scored),
    completeness: completeness(scored),
    integrity: integrity(scored),
    currency: currency(scored),
  };
  const dimensions = Object.entries(shares).map(([key, { share, explanation }]) => {
    return [key, { score: tenth(share * 10), weight: WEIGHTS[key as keyof typeof WEIGHTS], explanation }] as const;
  });
  const overall = dimensions.reduce((sum, [, { score, weight }]) => sum + score * weight, 0);
  return { overall_score: tenth(overall), dimensions: Object.fromEntries(dimensions), unsupported_dropped: scored.unsupported };
}

const tenth = (value: number): number => Math.round(Math.max(0, Math.min(10, value)) * 10) / 10;
const ratio = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 0);

function knowledge({ analyses }: Scored): Share {
  const full = analyses.filter(({ depth }) => depth === 'full').length;
  return { share: ratio(full, analyses.length), explanation: `${full} of ${analyses.length} features have a known way to build them.` };
}

function market({ analyses }: Scored): Share {
  const named = analyses.map(({ implementations }) => Math.min(PRODUCTS_EACH, implementations.length));
  const total = named.reduce((sum, each) => sum + each, 0);
  const without = named.filter((each) => each === 0).length;
  return {
    share: ratio(total, PRODUCTS_EACH * analyses.length),
    explanation:
      without > 0
        ? `For ${without} of ${analyses.length} features no product is known that has it.`
        : 'Every feature has products that are known to have it.',
  };
}

function breadth({ sources }: Scored): Share {
  const kinds = new Set(sources.map(({ kind }) => kind)).size;
  const hosts = new Set(sources.flatMap(({ url }) => (/^https?:/.test(url) ? [URL.parse(url)?.hostname ?? url] : []))).size;
  return {
    share: (ratio(kinds, KINDS) + ratio(hosts, HOSTS)) / 2,
    explanation: `${sources.length} sources of ${kinds} kinds, ${hosts} independent web addresses.`,
  };
}

function completeness({ analyses }: Scored): Share {
  const filled = analyses.flatMap((analysis) => [
    analysis.implementations.length > 0,
    analysis.common_patterns.length > 0,
    analysis.technical_approaches.length > 0,
    analysis.edge_cases.length > 0,
    analysis.oss_landscape.length > 0,
  ]);
  const held = filled.filter(Boolean).length;
  return { share: ratio(held, filled.length), explanation: `${held} of ${filled.length} sections of the analyses hold something.` };
}

function integrity({ analyses, unsupported }: Scored): Share {
  const kept = analyses.reduce(
    (sum, { implementations, common_patterns, technical_approaches, edge_cases, oss_landscape, risks }) =>
      sum + [implementations, common_patterns, technical_approaches, edge_cases, oss_landscape, risks].reduce((all, list) => all + list.length, 0),
    0,
  );
  return {
    share: ratio(kept, kept + unsupported),
    explanation: `${kept} statements rest on sources, ${unsupported} were dropped because they did not.`,
  };
}

function currency({ sources }: Scored): Share {
  const pages = sources.filter(({ kind }) => kind === 'web').length;
  return { share: ratio(pages, PAGES), explanation: pages > 0 ? `${pages} pages were looked up.` : 'Nothing was looked up on the web.' };
}
