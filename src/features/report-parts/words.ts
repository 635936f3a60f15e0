import type { ResearchArtifact } from '#features/research';
import type { Role } from '#platform/ports/charts/colours.ts';

type Recommendation = ResearchArtifact['recommendation'];

export const VERDICTS: Record<Recommendation['verdict'], string> = {
  pursue: 'Pursue it',
  test_first: 'Test first',
  refine: 'Refine it',
  drop: 'Drop it',
  insufficient_data: 'Not enough evidence to say',
};

/** The colour of a verdict. */
export const VERDICT_ROLES: Record<Recommendation['verdict'], Role> = {
  pursue: 'good',
  test_first: 'good',
  refine: 'fair',
  drop: 'poor',
  insufficient_data: 'muted',
};

/** `Test first, 62 of 100`. */
export const verdictLine = ({ verdict, score }: Pick<Recommendation, 'verdict' | 'score'>): string =>
  `${VERDICTS[verdict]}, ${Math.round(score)} of 100`;

export const PARTS: Record<Recommendation['parts'][number]['key'], { name: string; asks: string }> = {
  demand: { name: 'Demand', asks: 'Does anybody pay, invest and still enter?' },
  crowding: { name: 'Room', asks: 'How free is the market? 100 is an empty one.' },
  differentiation: { name: 'Difference', asks: 'How open is what the idea asks for?' },
  evidence: { name: 'Evidence', asks: 'How much was gathered?' },
  clarity: { name: 'Clarity', asks: 'Does the idea say who, what hurts and what to build?' },
};

export const TIERS: Record<ResearchArtifact['features'][number]['tier'], string> = {
  table_stakes: 'table stakes',
  common: 'common',
  rare: 'rare',
  only_this_idea: 'only this idea',
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

/** `30 %`, and never 0 or 100 for what is only close to it. */
export function percentOf(share: number): string {
  const rounded = Math.round(share * 100);
  if (rounded === 0 && share > 0) return 'under 1 %';
  return rounded === 100 && share < 1 ? '99 %' : `${rounded} %`;
}

/** Who decided: rules, or a model whose citations were checked. */
export const engineInWords = ({ analyst, model }: ResearchArtifact['engine']): string =>
  analyst === 'rule' ? 'rules over the evidence' : `a language model${model ? ` (${model})` : ''} whose citations were checked`;

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

/** `2 of the 3 things asked for`; empty where nothing that is asked for could be made out. */
export function heldInWords(rival: { id: string }, features: readonly Pick<ResearchArtifact['features'][number], 'asked_for' | 'held_by'>[]): string {
  const asked = features.filter((feature) => feature.asked_for);
  const held = asked.filter(({ held_by: holders }) => holders.includes(rival.id)).length;
  if (asked.length === 0) return '';
  if (held === 0) return 'nothing of what is asked for';
  if (held === asked.length)
    return asked.length === 1 ? 'what is asked for' : `${asked.length === 2 ? 'both' : `all ${asked.length}`} things asked for`;
  return `${held} of the ${asked.length} things asked for`;
}
