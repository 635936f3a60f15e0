import { namesOf, type Competitor, type MarketFeature, type ResearchArtifact } from '#features/research';
import type { Cited } from '../section-content.ts';

/** A research as the sentences of a brief need it. */
export type Market = {
  artifact: ResearchArtifact;
  /** The product's name, in quotation marks. */
  title: string;
  category: string;
  /** Nearest to the idea first. */
  rivals: readonly Competitor[];
  incumbents: readonly Competitor[];
  emerging: readonly Competitor[];
  features: readonly MarketFeature[];
  /** What the idea asks for, held by somebody or by nobody. */
  asked: readonly MarketFeature[];
  /** Whom the idea is for, as it can stand inside a sentence. */
  whom: string;
  gaps: ResearchArtifact['whitespaces'];
};

const LONGEST_WHOM = 60;

export function marketOf(artifact: ResearchArtifact): Market {
  const nearest = (rivals: readonly Competitor[]): Competitor[] => [...rivals].sort((left, right) => right.overlap - left.overlap);
  return {
    artifact,
    title: quotedName(artifact.short_title),
    category: artifact.product_category,
    rivals: nearest([...artifact.incumbents, ...artifact.emerging]),
    incumbents: nearest(artifact.incumbents),
    emerging: nearest(artifact.emerging),
    features: artifact.features,
    asked: artifact.features.filter((feature) => feature.asked_for),
    whom: whomOf(artifact),
    gaps: artifact.whitespaces,
  };
}

export const quotedName = (name: string): string => `“${name.replaceAll(/[“”"]/g, '')}”`;

export const quotedList = (features: readonly { name: string }[]): string => namesOf(features.map(({ name }) => ({ name: quotedName(name) })));

function whomOf({ idea, market }: ResearchArtifact): string {
  const [head = ''] = idea.target_user.split(/\s+(?:who|that|which|whose)\s+|[.,;:(]/i);
  const named = /^(?:people|anyone|someone|those|everyone|users)?$/i.test(head.trim()) ? (market.audience[0] ?? '') : head.trim();
  const short = named.length > LONGEST_WHOM || /^not said/i.test(named) ? (market.audience[0] ?? '') : named;
  return short === '' ? 'its users' : inSentence(short);
}

/** With a small first letter, unless the word is a name or an abbreviation. */
const inSentence = (text: string): string => (/^\p{Lu}\p{Ll}+(?:\s|$)/u.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text);

/** Begins with another entry each time a section is asked for anew. */
export function rotate<T>(list: readonly T[], take: number, step = 1): T[] {
  if (list.length === 0) return [];
  const at = (take * step) % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

const MOST_CITED = 10;

type Citing = { evidence_ids: readonly string[] };

/** A statement resting on the first evidence of each thing it speaks of; nothing when there is none. */
export function stated(text: string, ...on: readonly (readonly Citing[])[]): Cited[] {
  const ids = [...new Set(on.flatMap((things) => things.flatMap((thing) => thing.evidence_ids.slice(0, 1))))].slice(0, MOST_CITED);
  return ids.length > 0 ? [{ text, evidence_ids: ids }] : [];
}

/** The same resting on all evidence of one thing. */
export const restated = (text: string, { evidence_ids: ids }: Citing): Cited[] =>
  ids.length > 0 && text !== '' ? [{ text, evidence_ids: [...ids] }] : [];

export const first = <T>(list: readonly T[]): T | null => list[0] ?? null;

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const holdersOf = ({ rivals }: Market, feature: MarketFeature): Competitor[] => rivals.filter(({ id }) => feature.held_by.includes(id));

export const featuresOf = ({ features }: Market, rival: Competitor): MarketFeature[] =>
  features.filter(({ held_by: holders }) => holders.includes(rival.id));

/** A gap that is about whom the market serves and not about what is done. */
export const isAudienceGap = ({ id }: { id: string }): boolean => id.startsWith('audience-');

/** Whether a product has something of what a gap is about. */
export const closes = ({ features }: Market, rival: Competitor, gap: Market['gaps'][number]): boolean =>
  features.some(({ id, held_by: holders }) => gap.feature_ids.includes(id) && holders.includes(rival.id));

/** Gaps that the idea itself is about: what it asks for, and whom it is for. On what is merely rare nothing can be claimed. */
export const claims = (market: Market): Market['gaps'] => {
  const wanted = new Set(market.asked.map(({ id }) => id));
  return wedges(market).filter((gap) => gap.feature_ids.length === 0 || gap.feature_ids.some((id) => wanted.has(id)));
};

/** Gaps to stand on: features the idea asks for, then whom it serves, then what stands in no list of features, then what is rare but not asked for. */
export function wedges({ gaps, asked }: Market): Market['gaps'] {
  const wanted = new Set(asked.map(({ id }) => id));
  const rank = (gap: Market['gaps'][number]): number => {
    if (gap.feature_ids.some((id) => wanted.has(id))) return 0;
    if (isAudienceGap(gap)) return 1;
    return gap.feature_ids.length === 0 ? 2 : 3;
  };
  return [...gaps].sort((left, right) => rank(left) - rank(right));
}
