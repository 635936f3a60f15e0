import { namesOf, type ResearchArtifact } from '#features/research';
import type { Cited, MvpAngle } from '../section-content.ts';
import { claims, closes, first, isAudienceGap, quotedList, restated, rotate, stated, type Market } from './market.ts';

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

function wedge(market: Market, take: number): Cited[] {
  const { title, whom, asked, rivals, features, artifact } = market;
  const [gap] = rotate(claims(market), take);
  const [top] = rotate(rivals.slice(0, 3), take);
  const begin = artifact.build_readiness.phase_1.slice(0, 2).map(({ label }) => ({ name: label }));
  const things = begin.length > 0 ? quotedList(begin) : 'one job done well';
  if (!gap)
    return top
      ? stated(
          `Begin with ${things} for ${whom} and hold it against ${top.name} on the same task: no gap was found that would carry ${title} by itself.`,
          [top],
          asked,
        )
      : [];
  if (isAudienceGap(gap))
    return stated(
      `Begin with ${things} for ${whom} alone, in their words and around their day; what ${top?.name ?? 'a rival'} does for everybody can wait.`,
      [gap],
      top ? [top] : [],
    );
  if (gap.feature_ids.length === 0) return stated(`Begin with ${things} for ${whom} and show early whether this gap is real: ${gap.title}.`, [gap]);
  const holders = rivals.filter((rival) => closes(market, rival, gap));
  const meant = quotedList(features.filter(({ id }) => gap.feature_ids.includes(id)));
  const measure =
    holders.length > 0
      ? `${namesOf(holders)} ${holders.length === 1 ? 'is' : 'are'} the measure for ${meant}`
      : `${meant} is known of nobody and has to carry it`;
  return stated(`Begin with ${things} for ${whom}: ${measure}; what others do better can wait.`, [gap], holders);
}
