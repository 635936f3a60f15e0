import { namesOf, type Competitor, type MarketFeature, type ResearchArtifact } from '#features/research';
import type { Cited } from '../section-content.ts';

/** A research as the sentences of a brief need it. */
export type Market = {
  artifact: ResearchArtifact;
  /** Nearest to the idea first. */
  rivals: readonly Competitor[];
  incumbents: readonly Competitor[];
  emerging: readonly Competitor[];
  features: readonly MarketFeature[];
  /** What the idea asks for, held by somebody or by nobody. */
  asked: readonly MarketFeature[];
  /** Gaps that the idea itself is about first; on what is merely rare nothing can be claimed. */
  gaps: ResearchArtifact['whitespaces'];
  claims: ResearchArtifact['whitespaces'];
};

export function marketOf(artifact: ResearchArtifact): Market {
  const nearest = (rivals: readonly Competitor[]): Competitor[] => [...rivals].sort((left, right) => right.overlap - left.overlap);
  const asked = artifact.features.filter((feature) => feature.asked_for);
  const wanted = new Set(asked.map(({ id }) => id));
  const isClaim = ({ feature_ids: ids }: ResearchArtifact['whitespaces'][number]): boolean => ids.length === 0 || ids.some((id) => wanted.has(id));
  const claims = artifact.whitespaces.filter(isClaim);
  return {
    artifact,
    rivals: nearest([...artifact.incumbents, ...artifact.emerging]),
    incumbents: nearest(artifact.incumbents),
    emerging: nearest(artifact.emerging),
    features: artifact.features,
    asked,
    gaps: [...claims, ...artifact.whitespaces.filter((gap) => !claims.includes(gap))],
    claims,
  };
}

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

/** Features as they stand at the end of a sentence, behind a colon. */
export const listed = (features: readonly { name: string }[], most = 3): string => namesOf(features, most);

export const holdersOf = ({ rivals }: Market, { held_by: holders }: MarketFeature): Competitor[] => rivals.filter(({ id }) => holders.includes(id));

export const featuresOf = ({ features }: Market, { id }: Competitor): MarketFeature[] =>
  features.filter(({ held_by: holders }) => holders.includes(id));

/** What of the things that are asked for a product is recorded with, and what not. */
export function askedOf({ asked }: Market, { id }: Competitor): { held: MarketFeature[]; missing: MarketFeature[] } {
  const has = ({ held_by: holders }: MarketFeature): boolean => holders.includes(id);
  return { held: asked.filter(has), missing: asked.filter((feature) => !has(feature)) };
}
