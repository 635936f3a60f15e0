import { coverageInWords, coverageOf } from '#lib/coverage.ts';
import { count, listOf, slugify } from '#lib/text.ts';
import { certaintyIn, type Analysis, type Finding, type Interpretation, type Synthesis } from '../analyst.ts';
import { isFree, isPaid, pricingWords } from '../pricing.ts';
import type { BuildItem, Cited, Competitor, MarketFeature, Whitespace } from '../schema.ts';
import { namesOf, scoreIdea, type Score } from '../scoring.ts';
import { inline, quoted } from './clean-text.ts';

const REASONS = 3;
const GAPS = 6;
const LOOKED_UP = 2;
const FIRST = 7;
const LATER = 8;
const STAKES = 3;
/** Share of the rivals up to which something is scarce. */
const SCARCE = 0.25;

type Land = { about: Interpretation; rivals: readonly Competitor[]; analysis: Analysis; asked: readonly MarketFeature[]; market: string };

const NOTHING: Omit<Synthesis, 'recommendation'> = { whitespaces: [], evidenceAgainst: [], assumptions: [], nextSteps: [], phase1: [], phase2: [] };

/** What follows from the evidence for an idea, every sentence with what it rests on; nothing where its market is not sure. */
export function synthesizeReport(about: Interpretation, analysis: Analysis, findings: readonly Finding[]): Synthesis {
  const score = scoreIdea(about, analysis, findings);
  if (certaintyIn(about) !== 'sure')
    return { ...NOTHING, recommendation: { ...score, rationale: notSure(about), reasons_for: [], reasons_against: [] } };
  const asked = analysis.features.filter((feature) => feature.asked_for);
  const rivals = [...analysis.incumbents, ...analysis.emerging].sort(
    (left, right) => coverageOf(right, asked).has - coverageOf(left, asked).has || right.overlap - left.overlap,
  );
  const land: Land = { about, rivals, analysis, asked, market: inline(about.category) };
  const against = againstOf(land);
  return {
    recommendation: {
      ...score,
      rationale: rationaleOf(land, score),
      reasons_for: reasonsFor(land).slice(0, REASONS),
      reasons_against: against.slice(0, REASONS),
    },
    whitespaces: gapsOf(land),
    evidenceAgainst: against,
    ...openQuestions(land),
    ...buildPlan(land),
  };
}

const notSure = ({ candidates = [] }: Interpretation): string =>
  candidates.length > 0 ? 'Nothing is scored: it is not certain which market is meant.' : 'Nothing is scored: Groundwork does not know this market.';

/** What several things and rivals rest on, each once; three of a thing's sources are enough. */
const cite = (...lists: readonly (readonly { evidence_ids: readonly string[] }[])[]): string[] => [
  ...new Set(lists.flatMap((list) => list.flatMap((entry) => entry.evidence_ids.slice(0, 3)))),
];

const namesIn = (features: readonly MarketFeature[]): string => listOf(features.map(({ name }) => quoted(name)));
const holdersOf = ({ rivals }: Land, { held_by: ids }: MarketFeature): Competitor[] => rivals.filter(({ id }) => ids.includes(id));
const isHeld = ({ held_by: holders }: MarketFeature): boolean => holders.length > 0;
const have = (rivals: readonly unknown[]): string => (rivals.length === 1 ? 'has' : 'have');

function rationaleOf(land: Land, { score }: Score): string {
  const { asked, market, rivals } = land;
  const [nearest] = rivals;
  if (!nearest) return `No rival is known in ${market}.`;
  const covered = coverageInWords(coverageOf(nearest, asked));
  const near = `The nearest of ${count(rivals.length, 'rival')} shown in ${market} is ${nearest.name}${covered ? `: ${covered}` : ''}.`;
  if (score !== null) return near;
  const open = asked.filter((feature) => !isHeld(feature)).length;
  return open > 0
    ? `${near} Nothing is scored: too little of what you ask for is recorded of companies.`
    : `${near} Nothing is scored: too little was found.`;
}

function reasonsFor(land: Land): Cited[] {
  const { asked, rivals, market, analysis } = land;
  const paid = rivals.filter(isPaid);
  const scarce = asked.filter((feature) => isHeld(feature) && feature.frequency <= SCARCE);
  return [
    ...scarce.map((feature) => {
      const holders = holdersOf(land, feature);
      return {
        text: `Of ${rivals.length} rivals only ${namesOf(holders)} ${have(holders)} ${quoted(feature.name)}.`,
        evidence_ids: cite([feature], holders),
      };
    }),
    ...(paid.length >= 3
      ? [
          {
            text: `People pay in ${market}: ${paid.length} of the ${rivals.length} rivals charge, among them ${namesOf(paid)}.`,
            evidence_ids: cite(paid.slice(0, 4)),
          },
        ]
      : []),
    ...(analysis.emerging.length >= 2
      ? [{ text: `${namesOf(analysis.emerging)} entered ${market} as challengers.`, evidence_ids: cite(analysis.emerging.slice(0, 4)) }]
      : []),
  ];
}

/** What the evidence says against an idea, the heaviest first. */
function againstOf(land: Land): Cited[] {
  const { asked, rivals, analysis, market } = land;
  const full = rivals.filter((rival) => asked.length > 0 && coverageOf(rival, asked).has === asked.length);
  const stakes = analysis.features.filter((feature) => feature.tier === 'table_stakes' && !feature.asked_for).slice(0, STAKES);
  const free = rivals.filter(isFree);
  const dated = analysis.incumbents.filter(({ founded }) => founded !== null).sort((left, right) => (left.founded ?? 0) - (right.founded ?? 0));
  const [oldest] = dated;
  return [
    ...(full.length > 0
      ? [{ text: `${namesOf(full)} already ${have(full)} everything you ask for.`, evidence_ids: cite(full.slice(0, 3), asked) }]
      : []),
    ...(free.length > 0
      ? [{ text: `${namesOf(free)} can be had without paying (${pricingWords(free[0]?.pricing ?? '')}).`, evidence_ids: cite(free.slice(0, 3)) }]
      : []),
    ...(stakes.length > 0 ? [{ text: `Most rivals have ${namesIn(stakes)}, which you do not ask for.`, evidence_ids: cite(stakes) }] : []),
    ...(oldest && analysis.incumbents.length >= 3
      ? [
          {
            text: `${count(analysis.incumbents.length, 'established rival')} ${analysis.incumbents.length === 1 ? 'is' : 'are'} in ${market}, ${oldest.name} since ${oldest.founded}.`,
            evidence_ids: cite([oldest], analysis.incumbents.slice(0, 3)),
          },
        ]
      : []),
  ];
}

/** What is asked for and recorded of few, then of nobody that is known, then together in no rival. */
function gapsOf(land: Land): Whitespace[] {
  const { asked, rivals } = land;
  if (rivals.length === 0) return [];
  const gap = (id: string, title: string, description: string, features: readonly MarketFeature[], cited: readonly Competitor[]): Whitespace => ({
    id,
    title,
    description,
    feature_ids: features.map((feature) => feature.id),
    evidence_ids: cite(features, cited),
  });
  const scarce = asked
    .filter((feature) => feature.frequency <= SCARCE)
    .map((feature) => {
      const holders = holdersOf(land, feature);
      return holders.length > 0
        ? gap(`scarce-${feature.id}`, feature.name, `Recorded of ${namesOf(holders)} alone among ${rivals.length} rivals.`, [feature], holders)
        : gap(
            `open-${feature.id}`,
            feature.name,
            `Not recorded of any of the ${rivals.length} rivals, which does not say that none has it.`,
            [feature],
            rivals.slice(0, 3),
          );
    });
  const [best] = rivals;
  const held = asked.filter(isHeld);
  const together =
    best && held.length >= 2 && coverageOf(best, held).has < held.length
      ? [
          gap(
            `together-${slugify(held.map(({ id }) => id).join(' '), 60)}`,
            'Everything you ask for in one product',
            `${best.name} comes nearest with ${coverageOf(best, held).has} of the ${held.length} that are recorded of rivals.`,
            held,
            [best],
          ),
        ]
      : [];
  const rare = analysisGaps(land, scarce.length + together.length);
  return [...scarce, ...together, ...rare].slice(0, GAPS);
}

/** Where the idea itself opens hardly a gap: what few in its market have. */
function analysisGaps(land: Land, found: number): Whitespace[] {
  const wanted = Math.max(0, 2 - found);
  return land.analysis.features
    .filter((feature) => !feature.asked_for && isHeld(feature) && feature.held_by.length <= 2)
    .toSorted((left, right) => left.frequency - right.frequency || left.id.localeCompare(right.id))
    .slice(0, wanted)
    .map((feature) => ({
      id: `rare-${feature.id}`,
      title: feature.name,
      description: `Recorded of ${namesOf(holdersOf(land, feature))} alone among ${land.rivals.length} rivals; you do not ask for it.`,
      feature_ids: [feature.id],
      evidence_ids: cite([feature], holdersOf(land, feature)),
    }));
}

/** What is asked for and not recorded of the nearest rivals can be looked up there. */
function openQuestions({ asked, rivals }: Land): Pick<Synthesis, 'assumptions' | 'nextSteps'> {
  const nearest = rivals.slice(0, LOOKED_UP);
  const open = asked.filter(({ held_by: holders }) => nearest.every(({ id }) => !holders.includes(id)));
  if (nearest.length === 0 || open.length === 0) return { assumptions: [], nextSteps: [] };
  const [names, things] = [namesOf(nearest), namesIn(open)];
  const id = 'unrecorded';
  return {
    assumptions: [
      {
        id,
        text: `That ${listOf(
          nearest.map(({ name }) => name),
          'and',
        )} ${nearest.length === 1 ? 'does' : 'do'} not have ${things}: nothing is recorded either way.`,
        why_it_matters: `With it ${nearest.length === 1 ? 'it covers' : 'they cover'} more of what you ask for than the table shows.`,
      },
    ],
    nextSteps: [
      {
        title: `Look it up in ${names}`,
        how: `Look for ${things} in the help pages or a trial of ${names}.`,
        success_signal: `It is missing there, or takes a way round.`,
        assumption_id: id,
        evidence_ids: cite(nearest),
      },
    ],
  };
}

/** First what is asked for and what every rival has anyway; then what some have. */
function buildPlan(land: Land): { phase1: BuildItem[]; phase2: BuildItem[] } {
  const { analysis, asked } = land;
  const stakes = analysis.features.filter((feature) => !feature.asked_for && feature.tier === 'table_stakes').slice(0, STAKES);
  const first = [...asked.toSorted((left, right) => left.frequency - right.frequency).slice(0, FIRST - stakes.length), ...stakes];
  const rest = [...asked, ...analysis.features.filter((feature) => isHeld(feature))].filter(
    (feature, place, all) => !first.includes(feature) && all.indexOf(feature) === place,
  );
  const item = (feature: MarketFeature): BuildItem => ({
    id: feature.id,
    label: feature.name,
    reason: reasonOf(land, feature),
    evidence_ids: cite([feature], holdersOf(land, feature).slice(0, 3)),
  });
  return { phase1: first.map(item), phase2: rest.slice(0, LATER).map(item) };
}

function reasonOf(land: Land, feature: MarketFeature): string {
  const holders = holdersOf(land, feature);
  const held =
    holders.length > 0 ? `${namesOf(holders)} ${have(holders)} it (${holders.length} of ${land.rivals.length}).` : 'It is not recorded of any rival.';
  return feature.asked_for ? `You ask for it. ${held}` : held;
}
