import type { ResearchArtifact } from '#features/research';
import { count, listOf } from '#lib/text.ts';
import type { Grade } from '#platform/rendering/document.ts';

type Recommendation = ResearchArtifact['recommendation'];

export const VERDICTS: Record<Recommendation['verdict'], string> = {
  pursue: 'Pursue it',
  test_first: 'Test first',
  refine: 'Refine it',
  drop: 'Drop it',
  insufficient_data: 'Not enough evidence to say',
};

/** How good a verdict is for the idea. */
export const VERDICT_GRADES: Record<Recommendation['verdict'], Grade> = {
  pursue: 'good',
  test_first: 'good',
  refine: 'fair',
  drop: 'poor',
  insufficient_data: 'muted',
};

/** When each verdict is given; docs/scoring.md has the rubric. */
export const VERDICT_RULES: Record<Recommendation['verdict'], string> = {
  pursue: '“Pursue it” stands for 58 or more, with at least 40 each for demand, difference and clarity.',
  test_first: '“Test first” stands for 48 or more, with at least 20 for difference and 40 for clarity.',
  refine: '“Refine it” stands for 36 or more; and for less where something asked for is recorded of nobody, or the idea says little.',
  drop: '“Drop it” stands for less than 36 where everything asked for is recorded of others.',
  insufficient_data: '',
};

/** `Test first, 62 of 100`. */
export const verdictLine = ({ verdict, score }: Pick<Recommendation, 'verdict' | 'score'>): string =>
  score === null ? VERDICTS[verdict] : `${VERDICTS[verdict]}, ${Math.round(score)} of 100`;

/** `0.32 × 70 (demand) + … = 62`. */
export function arithmeticOf({ parts, score }: Pick<Recommendation, 'parts' | 'score'>): string {
  if (score === null || parts.length === 0) return '';
  return `${parts.map((part) => `${part.weight} × ${Math.round(part.score)} (${PARTS[part.key].name.toLowerCase()})`).join(' + ')} = ${Math.round(score)}.`;
}

export const PARTS: Record<Recommendation['parts'][number]['key'], { name: string; asks: string }> = {
  demand: { name: 'Demand', asks: 'Does anybody pay, and does anybody still enter?' },
  crowding: { name: 'Room', asks: 'How free is the market? 100 is an empty one.' },
  differentiation: { name: 'Difference', asks: 'How open is what the idea asks for?' },
  evidence: { name: 'Evidence', asks: 'How much was gathered?' },
  clarity: { name: 'Clarity', asks: 'Does the idea say who, what hurts and what to build?' },
};

export const TIERS: Record<ResearchArtifact['features'][number]['tier'], string> = {
  table_stakes: 'table stakes',
  common: 'common',
  rare: 'rare',
  only_this_idea: 'not recorded of anybody',
};

export const KINDS: Record<ResearchArtifact['evidence'][number]['source_kind'], string> = {
  web: 'web page',
  canonical_company: 'catalogue: company',
  canonical_feature: 'catalogue: feature',
  prior_research: 'earlier research',
};

const GATHERED: Record<ResearchArtifact['quality']['sources'][number]['source'], string> = {
  catalogue: 'the catalogue',
  prior_research: 'earlier research',
  web: 'the web',
};

/** `open_source` as `open source`. */
export const inWords = (wireName: string): string => wireName.replaceAll('_', ' ');

export const dayOf = (at: string | Date): string => (at instanceof Date ? at.toISOString() : at).slice(0, 10);

/** Who decided: rules, or a model whose citations were checked. */
export const engineInWords = ({ analyst, model }: ResearchArtifact['engine']): string =>
  analyst === 'rule'
    ? 'rules over the evidence, without a language model'
    : `a language model${model ? ` (${model})` : ''} whose citations were checked`;

/** What each place that was asked gave, one sentence each. */
export const gatheredInWords = (artifact: Pick<ResearchArtifact, 'quality'>): string[] =>
  artifact.quality.sources.map(({ source, status, kept, warning }) => {
    const name = GATHERED[source];
    const said = {
      ok: `${kept} kept from ${name}`,
      empty: `nothing found in ${name}`,
      failed: `${name} could not be asked`,
      off: `${name} was not asked`,
    }[status];
    return warning ? `${said} (${warning})` : said;
  });

type AgainstOf = Pick<ResearchArtifact, 'evidence_against' | 'recommendation'>;

/** What speaks against an idea beside what already stands under its verdict. */
export function furtherAgainst({ evidence_against: against, recommendation }: AgainstOf): AgainstOf['evidence_against'] {
  const said = new Set(recommendation.reasons_against.map(({ text }) => text));
  return against.filter(({ text }) => !said.has(text));
}

/** Working days from an easy to a hard course: `half a day`, `1 day`, `3 to 8 days`. */
export function daysInWords({ low, high }: { low: number; high: number }): string {
  if (low !== high) return `${low} to ${count(high, 'day')}`;
  return low === 0.5 ? 'half a day' : count(low, 'day');
}

/** What was caught and left out; empty where nothing was. */
export function leftOutInWords({ fabricated_citations: fabricated, unsupported_dropped: unsupported }: ResearchArtifact['quality']): string {
  const dropped = [
    fabricated > 0 ? `${count(fabricated, 'citation')} of something that was not gathered` : '',
    unsupported > 0 ? `${count(unsupported, 'statement')} that nothing supported` : '',
  ].filter(Boolean);
  return dropped.length > 0 ? `Left out: ${listOf(dropped)}.` : '';
}

/** Characters of an idea that stand at the top of a document; a longer one stands whole further down. */
export const LONGEST_SUBTITLE = 500;

const SOURCES: Record<ResearchArtifact['quality']['sources'][number]['source'], string> = {
  catalogue: 'catalogue',
  prior_research: 'earlier research',
  web: 'web',
};

/** What each source gave: `catalogue 34, earlier research none, web off`. */
export const sourcesInWords = (sources: ResearchArtifact['quality']['sources']): string =>
  sources.map(({ source, status, kept }) => `${SOURCES[source]} ${status === 'ok' ? kept : status === 'empty' ? 'none' : status}`).join(', ');
