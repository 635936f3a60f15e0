import { count, listOf } from '#lib/text.ts';
import type { BlueprintCase, Counsel, Scoped } from '../analyst.ts';
import { recommendedOf } from '../blueprint/groundwork.ts';
import { orderParts } from '../blueprint/build-order.ts';
import type { FeatureAnalysis, FeatureRisk, Recommendation } from '../schema.ts';
import { lowerFirst, sentence } from '../words.ts';

/** Likelihood times impact from which a risk decides what is built first. */
const SERIOUS = 12;
const MOST_APPROACHES = 3;
/** Share of the known products that makes a feature expected. */
const EXPECTED = 0.5;
const RARE = 0.2;
/** A feature that costs this share of everything is looked at before it is built. */
const HEAVY = 0.3;

/** What the rules make of the analyses: which approach, what to take ready-made, what to prove first, where to differ. */
export function counselOf(about: BlueprintCase): Counsel {
  const priorities = prioritiesOf(about);
  return {
    recommendations: [...proofFirst(about), ...approaches(about), ...parity(about), ...readyMade(about), ...weight(about), ...unknowns(about)],
    strategicSummary: summaryOf(about, priorities),
    assumptions: [],
    edges: [],
    risks: [],
    priorities,
  };
}

const riskOf = ({ likelihood, impact }: Pick<FeatureRisk, 'likelihood' | 'impact'>): number => likelihood * impact;
const worstOf = ({ risks }: FeatureAnalysis): FeatureRisk | undefined => risks.toSorted((left, right) => riskOf(right) - riskOf(left))[0];

/** Features with a serious risk first, the others in the order they were selected. */
function prioritiesOf({ analyses }: BlueprintCase): string[] {
  const danger = (analysis: FeatureAnalysis): number => {
    const worst = worstOf(analysis);
    return worst && riskOf(worst) >= SERIOUS ? riskOf(worst) : 0;
  };
  return analyses.toSorted((left, right) => danger(right) - danger(left)).map(({ feature_id: id }) => id);
}

function proofFirst({ analyses }: BlueprintCase): Recommendation[] {
  const [first] = analyses
    .flatMap((analysis) => {
      const risk = worstOf(analysis);
      return risk && riskOf(risk) >= SERIOUS ? [{ analysis, risk }] : [];
    })
    .sort((left, right) => riskOf(right.risk) - riskOf(left.risk));
  if (!first) return [];
  const { analysis, risk } = first;
  return [
    {
      title: `Prove ${analysis.feature_name} before the rest`,
      rationale: `${risk.risk} (likelihood ${risk.likelihood}, impact ${risk.impact}). ${risk.mitigation}`,
      feature_ids: [analysis.feature_id],
      source_ids: risk.source_ids,
    },
  ];
}

/** For the features where the choice of approach moves most days. */
function approaches({ analyses }: BlueprintCase): Recommendation[] {
  return analyses
    .flatMap((analysis) => {
      const chosen = recommendedOf(analysis);
      if (!chosen) return [];
      const others = analysis.technical_approaches.filter((other) => other !== chosen && other.source_ids[0] === chosen.source_ids[0]);
      const heaviest = others.toSorted((left, right) => right.effort_days.high - left.effort_days.high)[0];
      return heaviest ? [{ analysis, chosen, heaviest, saved: heaviest.effort_days.high - chosen.effort_days.high }] : [];
    })
    .sort((left, right) => right.saved - left.saved)
    .filter(({ chosen }, place, all) => all.findIndex((other) => other.chosen.name === chosen.name) === place)
    .slice(0, MOST_APPROACHES)
    .map(({ analysis, chosen, heaviest }) => ({
      title: `${analysis.feature_name}: ${chosen.name}`,
      rationale: `${daysText(chosen.effort_days)}, against ${daysText(heaviest.effort_days)} for “${heaviest.name}”. ${chosen.when} ${chosen.trade_offs}`,
      feature_ids: [analysis.feature_id],
      source_ids: chosen.source_ids,
    }));
}

const daysText = ({ low, high }: { low: number; high: number }): string => `${low} to ${high} days`;

/** What the market expects and what hardly anybody has. */
function parity({ features, analyses }: BlueprintCase): Recommendation[] {
  const shareOf = ({ holders, rivalsKnown }: Scoped): number => (rivalsKnown > 0 ? holders / rivalsKnown : 0);
  const inMarket = features.filter(({ canonical }) => canonical?.own_market);
  const expected = inMarket.filter((feature) => shareOf(feature) >= EXPECTED);
  const rare = inMarket.filter((feature) => shareOf(feature) <= RARE);
  const cite = (chosen: readonly Scoped[]): string[] => [
    ...new Set(
      chosen.flatMap(({ id, source_ids: ids, competitors }) => [
        ...ids.slice(0, 1),
        ...(analyses
          .find(({ feature_id: other }) => other === id)
          ?.implementations.slice(0, 3)
          .flatMap(({ source_ids: own }) => own) ?? []),
        ...competitors.slice(0, 1).flatMap(({ source_ids: own }) => own),
      ]),
    ),
  ];
  const held = ({ name, holders, rivalsKnown }: Scoped): string => `${name} (${holders} of ${rivalsKnown})`;
  return [
    ...(expected.length > 0
      ? [
          {
            title: `Match the market on ${listOf(expected.map(({ name }) => name))}, no more`,
            rationale: `Most known products have ${expected.length === 1 ? 'it' : 'them'}: ${listOf(expected.map(held))}. Without ${expected.length === 1 ? 'it' : 'them'} users turn away, but a better version alone wins nobody.`,
            feature_ids: expected.map(({ id }) => id),
            source_ids: cite(expected),
          },
        ]
      : []),
    ...(rare.length > 0
      ? [
          {
            title: `Differ through ${listOf(rare.map(({ name }) => name))}`,
            rationale: `Few known products have ${rare.length === 1 ? 'it' : 'them'}: ${listOf(rare.map(held))}. Ask users before building whether it is missing because nobody offers it or because nobody needs it.`,
            feature_ids: rare.map(({ id }) => id),
            source_ids: cite(rare),
          },
        ]
      : []),
  ];
}

function readyMade({ analyses }: BlueprintCase): Recommendation[] {
  const helped = analyses.filter(({ oss_landscape: projects }) => projects.length > 0);
  if (helped.length === 0) return [];
  const lines = helped
    .slice(0, 5)
    .map(
      ({ feature_name: name, oss_landscape: [project] }) =>
        `${name}: ${project?.name} (${project?.license}), ${lowerFirst(project?.use_for ?? '').replace(/\.$/, '')}`,
    );
  return [
    {
      title: 'Take the mechanics ready-made',
      rationale: `Maintained open-source projects cover parts of ${count(helped.length, 'feature')}. ${lines.join('. ')}. Check each licence against how you distribute.`,
      feature_ids: helped.map(({ feature_id: id }) => id),
      source_ids: [...new Set(helped.slice(0, 5).flatMap(({ oss_landscape: [project] }) => project?.source_ids ?? []))],
    },
  ];
}

/** A feature that eats a large share of the plan. */
function weight({ groundwork, analyses }: BlueprintCase): Recommendation[] {
  const total = groundwork.parts.reduce((sum, { days }) => sum + days, 0);
  const heaviest = groundwork.parts
    .filter(({ kind, source_ids: ids }) => kind === 'feature' && ids.length > 0)
    .toSorted((left, right) => right.days - left.days)[0];
  if (!heaviest || groundwork.parts.length < 3 || heaviest.days / total < HEAVY) return [];
  const lighter = analyses
    .find(({ feature_id: id }) => id === heaviest.feature_id)
    ?.technical_approaches.toSorted((left, right) => left.effort_days.high - right.effort_days.high)[0];
  const smaller =
    lighter && lighter.name !== heaviest.approach ? ` A smaller first step would be “${lighter.name}” (${daysText(lighter.effort_days)}).` : '';
  return [
    {
      title: `Cut ${heaviest.name} down before planning it`,
      rationale: `It takes ${heaviest.days} of ${total} days. Release it in a first version that serves one case end to end.${smaller}`,
      feature_ids: heaviest.feature_id ? [heaviest.feature_id] : [],
      source_ids: heaviest.source_ids,
    },
  ];
}

function unknowns({ analyses, features }: BlueprintCase): Recommendation[] {
  // Without a source even the advice to try it out rests on nothing; the assumptions name such features.
  const cited = (id: string): boolean => features.some((feature) => feature.id === id && feature.source_ids.length > 0);
  const thin = analyses.filter(({ depth, feature_id: id }) => depth === 'thin' && cited(id));
  if (thin.length === 0) return [];
  const ids = thin.map(({ feature_id: id }) => id);
  return [
    {
      title: `Spend a day on ${listOf(thin.map(({ feature_name: name }) => name))} before promising a date`,
      rationale: 'Nothing gathered tells how to build it; the days in this plan are a placeholder.',
      feature_ids: ids,
      source_ids: features.filter(({ id }) => ids.includes(id)).flatMap(({ source_ids: own }) => own),
    },
  ];
}

function summaryOf({ groundwork, analyses, features }: BlueprintCase, priorities: readonly string[]): string {
  const { parts, edges } = groundwork;
  const total = parts.reduce((sum, { days }) => sum + days, 0);
  const low = parts.reduce((sum, { days_range: range }) => sum + range.low, 0);
  const high = parts.reduce((sum, { days_range: range }) => sum + range.high, 0);
  const foundations = parts.filter(({ kind }) => kind === 'foundation');
  const ground = foundations.reduce((sum, { days }) => sum + days, 0);
  const order = orderParts(parts, edges, priorities).map(({ part }) => part);
  const opening = order.find(({ kind }) => kind === 'feature');
  const rare = features.filter(({ canonical, holders, rivalsKnown }) => canonical?.own_market && rivalsKnown > 0 && holders / rivalsKnown <= RARE);
  const worst = analyses.flatMap((analysis) => worstOf(analysis) ?? []).toSorted((left, right) => riskOf(right) - riskOf(left))[0];
  return [
    `${count(features.length, 'feature')} come to about ${total} working days (${low} to ${high})${foundations.length > 0 ? `, of which ${ground} go into ${count(foundations.length, 'foundation')} that they stand on: ${listOf(foundations.map(({ name }) => name.toLowerCase()))}` : ''}.`,
    opening ? `Start with ${opening.name}${order[0] && order[0] !== opening ? `, after ${order[0].name.toLowerCase()}` : ''}.` : '',
    worst ? `What threatens the plan most: ${lowerFirst(sentence(worst.risk))}` : '',
    rare.length > 0 ? `The difference to what exists lies in ${listOf(rare.map(({ name }) => name))}; the rest is what users compare you by.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}
