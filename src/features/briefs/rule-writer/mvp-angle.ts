import type { ResearchArtifact } from '#features/research';
import type { Cited, MvpAngle } from '../section-content.ts';
import { first, listed, restated, rotate, stated, type Market } from './market.ts';

const FIRST = 7;
const LATER = 5;
const ASSUMPTIONS = 3;
const RISKS = 3;

/** Where to begin: with what, without what, and how to find out early that it is wrong. */
export function mvpAngle(market: Market, take: number): MvpAngle {
  const { artifact } = market;
  const [step] = rotate(artifact.next_steps, take);
  return {
    wedge: first(wedge(market, take)),
    build_first: artifact.build_readiness.phase_1.slice(0, FIRST).map(choice),
    leave_out: artifact.build_readiness.phase_2.slice(0, LATER).map(choice),
    first_test: step ? { title: step.title, how: step.how, success_signal: step.success_signal } : null,
    assumptions: artifact.assumptions.slice(0, ASSUMPTIONS).map(({ text, why_it_matters: why }) => ({ text, why_it_matters: why })),
    risks: artifact.recommendation.reasons_against.slice(0, RISKS).map(({ text, evidence_ids: ids }) => ({ text, evidence_ids: ids })),
  };
}

type BuildItem = ResearchArtifact['build_readiness']['phase_1'][number];

const choice = (item: BuildItem): MvpAngle['build_first'][number] => ({
  id: item.id,
  label: item.label,
  reason: first(restated(item.reason, item)),
  evidence_ids: item.evidence_ids,
});

function wedge({ claims, features, asked }: Market, take: number): Cited[] {
  if (claims.length === 0) return [];
  // Asked for once more, it begins with another gap, or with all that is asked for.
  const [gap] = rotate([...claims, null], take);
  if (!gap) return stated(`Begin with what is asked for: ${listed(asked)}.`, asked);
  const meant = features.filter(({ id }) => gap.feature_ids.includes(id));
  return restated(meant.length > 0 ? `Begin with what few have: ${listed(meant)}.` : `Begin where the market is open. ${gap.title}.`, gap);
}
