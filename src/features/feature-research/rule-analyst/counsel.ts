import { count, listOf } from '#lib/text.ts';
import type { BlueprintCase, Counsel } from '../analyst.ts';
import { recommendedOf } from '../blueprint/groundwork.ts';
import type { FeatureAnalysis, FeatureRisk, Recommendation } from '../schema.ts';
import { lowerFirst, sentence } from '../words.ts';

/** Likelihood times impact from which a risk decides what is built first. */
const SERIOUS = 12;
const MOST_APPROACHES = 3;
const MOST_PROJECTS = 5;

/** What the rules make of the analyses: what to prove first, which approach, what to take ready-made. */
export function counselOf(about: BlueprintCase): Counsel {
  return {
    recommendations: [...proofFirst(about), ...approaches(about), ...readyMade(about)],
    strategicSummary: summaryOf(about),
    assumptions: [],
    edges: [],
    risks: [],
    priorities: prioritiesOf(about),
  };
}

const riskOf = ({ likelihood, impact }: Pick<FeatureRisk, 'likelihood' | 'impact'>): number => likelihood * impact;
const worstOf = ({ risks }: FeatureAnalysis): FeatureRisk | undefined => risks.toSorted((left, right) => riskOf(right) - riskOf(left))[0];

/** Features with a serious risk, the most serious first. */
const dangers = ({ analyses }: BlueprintCase): { analysis: FeatureAnalysis; risk: FeatureRisk }[] =>
  analyses
    .flatMap((analysis) => {
      const risk = worstOf(analysis);
      return risk && riskOf(risk) >= SERIOUS ? [{ analysis, risk }] : [];
    })
    .toSorted((left, right) => riskOf(right.risk) - riskOf(left.risk));

/** Features with a serious risk first, the others in the order they were selected. */
const prioritiesOf = (about: BlueprintCase): string[] => [
  ...new Set([...dangers(about).map(({ analysis }) => analysis.feature_id), ...about.analyses.map(({ feature_id: id }) => id)]),
];

const proofFirst = (about: BlueprintCase): Recommendation[] =>
  dangers(about)
    .slice(0, 1)
    .map(({ analysis, risk }) => ({
      title: `Prove first: ${analysis.feature_name}`,
      rationale: `${sentence(risk.risk)} ${sentence(risk.mitigation)}`,
      feature_ids: [analysis.feature_id],
      source_ids: risk.source_ids,
    }));

/** For the features where the choice of approach moves most days. */
const approaches = ({ analyses }: BlueprintCase): Recommendation[] =>
  analyses
    .flatMap((analysis) => {
      const chosen = recommendedOf(analysis);
      const others = analysis.technical_approaches.filter((other) => other !== chosen && other.source_ids[0] === chosen?.source_ids[0]);
      const heaviest = others.toSorted((left, right) => right.effort_days.high - left.effort_days.high)[0];
      return chosen && heaviest ? [{ analysis, chosen, heaviest, saved: heaviest.effort_days.high - chosen.effort_days.high }] : [];
    })
    .toSorted((left, right) => right.saved - left.saved)
    .filter(({ chosen }, place, all) => all.findIndex((other) => other.chosen.name === chosen.name) === place)
    .slice(0, MOST_APPROACHES)
    .map(({ analysis, chosen, heaviest }) => ({
      title: `${analysis.feature_name}: ${chosen.name}`,
      rationale: `${daysText(chosen.effort_days)}, against ${daysText(heaviest.effort_days)} for “${heaviest.name}”. ${chosen.when} ${chosen.trade_offs}`,
      feature_ids: [analysis.feature_id],
      source_ids: chosen.source_ids,
    }));

const daysText = ({ low, high }: { low: number; high: number }): string => `${low} to ${high} days`;

function readyMade({ analyses }: BlueprintCase): Recommendation[] {
  const helped = analyses.flatMap(({ feature_id: id, oss_landscape: [project] }) => (project ? [{ id, project }] : [])).slice(0, MOST_PROJECTS);
  if (helped.length === 0) return [];
  const projects = [...new Map(helped.map(({ project }) => [project.url, project])).values()];
  return [
    {
      title: 'Take the mechanics ready-made',
      rationale: projects.map(({ name, license, use_for: use }) => `${name} (${license}): ${sentence(lowerFirst(use))}`).join(' '),
      feature_ids: helped.map(({ id }) => id),
      source_ids: [...new Set(projects.flatMap(({ source_ids: ids }) => ids))],
    },
  ];
}

function summaryOf(about: BlueprintCase): string {
  const { parts } = about.groundwork;
  const sum = (of: 'low' | 'high'): number => parts.reduce((total, { days_range: range }) => total + range[of], 0);
  const foundations = parts.filter(({ kind }) => kind === 'foundation');
  const thin = about.analyses.filter(({ depth }) => depth === 'thin');
  const [worst] = dangers(about);
  return [
    `${count(about.features.length, 'feature')} in ${sum('low')} to ${sum('high')} working days.`,
    foundations.length > 0 ? `They stand on ${listOf(foundations.map(({ name }) => lowerFirst(name)))}.` : '',
    worst ? `What threatens the plan most: ${lowerFirst(sentence(worst.risk.risk))}` : '',
    thin.length > 0 ? `To be estimated, because nothing known tells how it is built: ${listOf(thin.map(({ feature_name: name }) => name))}.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
