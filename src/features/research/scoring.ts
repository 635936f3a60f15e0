import { openCatalogue } from '#features/catalogue';
import { coverageOf, coveredShare } from '#lib/coverage.ts';
import { count, listOf } from '#lib/text.ts';
import { certaintyIn, type Analysis, type Finding, type Interpretation } from './analyst.ts';
import { isFree, isPaid } from './pricing.ts';
import type { Competitor, MarketFeature, Recommendation, ScorePart } from './schema.ts';

export type Score = Pick<Recommendation, 'score' | 'verdict' | 'parts'>;

/** What each part counts for; the weights sum to 1. */
export const WEIGHTS = { demand: 0.32, crowding: 0.36, differentiation: 0.24, evidence: 0.04, clarity: 0.04 } as const;

const NEEDED_RIVALS = 3;
const NEEDED_EVIDENCE = 30;
const PURSUE = 58;
const TEST_FIRST = 48;
const REFINE = 36;

/** A rival that came in these years or as a challenger shows that the market is still moving. */
const RECENT = 2015;
/** Share of entrants that makes a market a moving one. */
const MANY_ENTRANTS = 0.6;
/** So many of the strongest in a market press on whoever comes; the others hardly matter beside them. */
const STRONGEST = 10;
/** Pressure at which a market counts as half crowded: seven to eight rivals that have everything. */
const HALF_CROWDED = 7.7;
/** How sharply an empty market turns into a full one around that pressure. */
const CROWDING_STEEPNESS = 8;
/** The pressure of a rival that has next to nothing; up to 1 it grows with how complete it is in its market. */
const PRESENCE = 0.4;
/** What nobody is recorded with is not known to be wanted either: it is as open as what one rival has, and no more. */
const MOST_OPEN = 0.5;
/** What the nearest rival is not recorded with, against what nobody is. */
const LEFT_UNDONE = 0.3;
/** Openness that makes a differentiation of 63. */
const CLEAR_DIFFERENCE = 0.75;
/** Above 1 common wishes hardly count, so that the choice of words for them does not either. */
const OPENNESS_STEEPNESS = 2;
/** Weight of gathered findings that makes the evidence 63 of 100. */
const SOLID_EVIDENCE = 14;

/** Somebody in the market, whether or not near enough to the idea to be shown as a rival. */
type Player = Pick<Competitor, 'name' | 'pricing' | 'is_incumbent' | 'founded' | 'evidence_ids'> & {
  /** Share of the market's features that it has. */
  completeness: number;
};

/** Something asked for, with how many of all known companies have it. */
type Wish = MarketFeature & { holders: number };

type Market = {
  rivals: readonly Competitor[];
  /** Everybody known in the idea's first market, whatever was judged to bear on it, and rivals that no catalogue has. */
  players: readonly Player[];
  /** What is asked for and stands for something that is recorded of companies. */
  asked: readonly Wish[];
};

const NONE: Score = { score: null, verdict: 'insufficient_data', parts: [] };

/**
 * The five parts, 0 to 100 each, the weighted total and the verdict; the rubric is in docs/scoring.md. Nothing is scored
 * that was not seen: no idea without a market that is sure, and none of which half or more stands for nothing recorded.
 */
export function scoreIdea(about: Interpretation, analysis: Analysis, findings: readonly Finding[]): Score {
  if (certaintyIn(about) !== 'sure') return NONE;
  const rivals = [...analysis.incumbents, ...analysis.emerging];
  const wanted = analysis.features.filter((feature) => feature.asked_for);
  const asked = wanted.filter((feature) => isRecorded(feature, findings)).map((feature) => ({ ...feature, holders: holdersOf(feature, findings) }));
  const market: Market = { rivals, players: playersIn(about, analysis, rivals, findings), asked };
  const parts = [demand(market), crowding(market), differentiation(market), evidence(findings), clarity(about)];
  const isUnmapped = wanted.length > 0 && 2 * asked.length <= wanted.length;
  if (isUnmapped || market.players.length < NEEDED_RIVALS || partOf(parts, 'evidence') < NEEDED_EVIDENCE) return { ...NONE, parts };
  const score = Math.round(parts.reduce((sum, part) => sum + part.score * part.weight, 0));
  return { score, verdict: verdictOf(score, parts, wanted.length > asked.length || asked.length === 0), parts };
}

/** Whether something asked for stands for what is recorded of companies: a feature of a market, or what some rival is known to have or lack. */
function isRecorded({ id, held_by: holders, lacked_by: lacking = [] }: MarketFeature, findings: readonly Finding[]): boolean {
  return holders.length + lacking.length > 0 || findings.some(({ facts }) => facts?.kind === 'feature' && facts.featureId === id);
}

/** Everybody in a feature's market counts: which rivals are shown depends on the words of the idea. */
function holdersOf({ evidence_ids: cited, held_by: shown }: MarketFeature, findings: readonly Finding[]): number {
  const known = findings.flatMap(({ id, facts }) => (facts?.kind === 'feature' && cited.includes(id) ? facts.heldBy : []));
  return Math.max(shown.length, new Set(known).size);
}

/** The words of an idea, and whoever judges what bears on it, choose which rivals are shown; who is in the market must not depend on them. */
function playersIn(
  about: Pick<Interpretation, 'categoryIds'>,
  { features }: Analysis,
  rivals: readonly Competitor[],
  findings: readonly Finding[],
): readonly Player[] {
  const market = openCatalogue().category(about.categoryIds[0] ?? '');
  const evidence = new Map(findings.flatMap(({ id, facts }) => (facts?.kind === 'company' ? [[facts.companyId, id] as const] : [])));
  const homes = market?.companies.map((company) => ({ company, held: company.features })) ?? [];
  const linked = market?.also.flatMap(({ company: id, features: held }) => {
    const home = openCatalogue().company(id);
    return home ? [{ company: home.company, held }] : [];
  });
  const known = [...homes, ...(linked ?? [])].map(({ company, held }): Player & { id: string } => ({
    id: company.id,
    name: company.name,
    pricing: company.pricing,
    founded: company.founded,
    is_incumbent: company.standing === 'incumbent',
    evidence_ids: [evidence.get(company.id) ?? []].flat(),
    completeness: shareOf(held.length, market?.features.length ?? 0),
  }));
  const listed = new Set(known.map(({ id }) => id));
  const others = rivals.filter(({ id }) => !listed.has(id) && (known.length === 0 || !evidence.has(id)));
  const held = (rival: Competitor): number => features.filter((feature) => feature.held_by.includes(rival.id)).length;
  return [...known, ...others.map((rival) => ({ ...rival, completeness: shareOf(held(rival), features.length) }))];
}

const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 1);
const clamp = (value: number): number => Math.max(0, Math.min(100, value));
const isEntrant = (player: Player): boolean => !player.is_incumbent || (player.founded ?? 0) >= RECENT;

/** How many of a list a sentence names, and how many it cites at the most. */
const NAMED = 3;
const CITED = 16;

/** `Splitwise, Tricount and 8 more`. */
export function namesOf(rivals: readonly { name: string }[], shown = NAMED): string {
  const names = rivals.slice(0, shown).map(({ name }) => name);
  const more = rivals.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : listOf(names);
}

const idsOf = (rivals: readonly { evidence_ids: string[] }[]): string[] =>
  [...new Set(rivals.flatMap((rival) => rival.evidence_ids.slice(0, 1)))].slice(0, CITED);

function part(key: ScorePart['key'], score: number, explanation: string, inputs: Record<string, number>, evidenceIds: string[]): ScorePart {
  return { key, score: Math.round(clamp(score)), weight: WEIGHTS[key], explanation, inputs, evidence_ids: evidenceIds };
}

const named = (players: readonly Player[]): string => (players.length > 0 ? ` (${namesOf(players)})` : '');

/** Does anybody pay, and does anybody still enter? The raw sum of the two shares runs from about 0.4 to 0.9 over real markets. */
function demand({ players }: Market): ScorePart {
  const paid = players.filter(isPaid);
  const entrants = players.filter(isEntrant);
  const known = Math.max(players.length, NEEDED_RIVALS);
  const raw = 0.5 * (paid.length / known) + 0.5 * Math.min(1, entrants.length / known / MANY_ENTRANTS);
  const explanation =
    players.length === 0
      ? 'No company is known in the market, so nothing shows that anybody pays.'
      : `${paid.length} of ${count(players.length, 'company', 'companies')} known in the market charge${named(paid)}, and ${entrants.length} are challengers or began in ${RECENT} or later${named(entrants)}.`;
  const inputs = { companies: players.length, charging: paid.length, entrants: entrants.length };
  return part('demand', 100 * ((raw - 0.4) / 0.5), explanation, inputs, idsOf(players));
}

/** Falls with every company, the more so the more of its market's features it has, down to the ten strongest; 100 is an empty market. */
function crowding({ players }: Market): ScorePart {
  const strongest = players.toSorted((left, right) => right.completeness - left.completeness).slice(0, STRONGEST);
  const pressure = strongest.reduce((sum, player) => sum + PRESENCE + (1 - PRESENCE) * player.completeness, 0);
  const mean = strongest.reduce((sum, { completeness }) => sum + completeness, 0) / Math.max(1, strongest.length);
  const free = players.filter(isFree);
  const who = players.length > strongest.length ? `The ${STRONGEST} most complete of ${players.length} companies` : `The ${players.length} known`;
  const explanation =
    players.length === 0
      ? 'No company is known in the market.'
      : `${who} (${namesOf(strongest)}) have on average ${Math.round(100 * mean)} % of the market's features${free.length > 0 ? `; ${namesOf(free)} cost${free.length === 1 ? 's' : ''} nothing` : ''}.`;
  const inputs = { companies: players.length, pressure: round2(pressure) };
  return part(
    'crowding',
    100 / (1 + (pressure / HALF_CROWDED) ** CROWDING_STEEPNESS),
    explanation,
    inputs,
    idsOf([...strongest, ...free.slice(0, NAMED)]),
  );
}

/** How open what the idea asks for is: each thing by how few are recorded with it, and what the nearest rival is not recorded with. */
function differentiation({ rivals, asked }: Market): ScorePart {
  const rated = rivals.map((rival) => ({ rival, covered: coverageOf(rival, asked) })).sort((left, right) => right.covered.has - left.covered.has);
  const [nearest] = rated;
  const best = nearest ? coveredShare(nearest.covered) : 0;
  const openings = asked.map(({ holders }) => Math.min(MOST_OPEN, 1 / (1 + holders))).sort((left, right) => right - left);
  // Asking for a lot opens no more than asking for the right thing: each further opening counts half of the one before.
  const openness = openings.reduce((sum, opening, place) => sum + opening / 2 ** place, 0) + LEFT_UNDONE * (1 - best);
  const scarce = asked.filter(({ holders }) => holders <= 2);
  const score = rivals.length === 0 || asked.length === 0 ? 0 : 100 * (1 - Math.exp(-((openness / CLEAR_DIFFERENCE) ** OPENNESS_STEEPNESS)));
  const inputs = { asked_for: asked.length, held_by_two_at_most: scarce.length, best_coverage: best, openness: round2(openness) };
  const evidenceIds = [...new Set([...asked.flatMap((feature) => feature.evidence_ids.slice(0, 2)), ...idsOf(nearest ? [nearest.rival] : [])])];
  return part('differentiation', score, differenceSentence(nearest, asked.length, scarce.length), inputs, evidenceIds);
}

function differenceSentence(nearest: { rival: Competitor; covered: { has: number } } | undefined, asked: number, scarce: number): string {
  if (!nearest) return 'Without a known rival there is nothing to differ from.';
  if (asked === 0) return 'The idea asks for nothing that is recorded of companies beside what the whole market does.';
  const things = count(asked, 'thing');
  return `${nearest.rival.name} has ${nearest.covered.has} of the ${things} asked for that ${asked === 1 ? 'is' : 'are'} recorded of companies; ${scarce} of them ${scarce === 1 ? 'is' : 'are'} recorded of two companies at most.`;
}

/** How much was gathered, live pages counting double; never falls when more is found. */
function evidence(findings: readonly Finding[]): ScorePart {
  const of = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length;
  const [web, companies, features] = [of('web'), of('canonical_company'), of('canonical_feature')];
  const weight = 2 * web + companies + 0.25 * features;
  const explanation = `${count(companies, 'catalogue company', 'catalogue companies')}, ${count(features, 'catalogue feature')} and ${count(web, 'web page')}${web === 0 ? '; nothing was looked up today' : ''}.`;
  const inputs = { web, companies, features };
  return part(
    'evidence',
    100 * (1 - Math.exp(-weight / SOLID_EVIDENCE)),
    explanation,
    inputs,
    findings.slice(0, 6).map(({ id }) => id),
  );
}

/** Clarity of a part of the idea from which it counts as said. */
const SAID_FROM = 0.4;

/** Whether the text says who it is for, what hurts and what is to be built; in steps of twenty-five. */
function clarity(about: Interpretation): ScorePart {
  const { user, problem, solution } = about.clarity;
  const score = 25 * Math.round(4 * (0.3 * user + 0.35 * problem + 0.35 * solution));
  const parts = [
    [user, 'who it is for'],
    [problem, 'what hurts'],
    [solution, 'what it does'],
  ] as const;
  const said = parts.filter(([value]) => value >= SAID_FROM).map(([, what]) => what);
  const explanation = said.length > 0 ? `The idea says ${listOf(said)}.` : 'The idea says little.';
  return part('clarity', score, explanation, { user: round2(user), problem: round2(problem), solution: round2(solution) }, []);
}

const round2 = (value: number): number => Math.round(value * 100) / 100;
const partOf = (parts: readonly ScorePart[], key: ScorePart['key']): number => parts.find((entry) => entry.key === key)?.score ?? 0;

/** @param isOpen whether something asked for, or all of it, is not recorded: it may be the very difference, and nobody should drop an idea over it */
function verdictOf(score: number, parts: readonly ScorePart[], isOpen: boolean): Recommendation['verdict'] {
  const [difference, isClear] = [partOf(parts, 'differentiation'), partOf(parts, 'clarity') >= 40];
  if (score >= PURSUE && difference >= 40 && partOf(parts, 'demand') >= 40 && isClear) return 'pursue';
  if (score >= TEST_FIRST && difference >= 20 && isClear) return 'test_first';
  return score >= REFINE || isOpen || !isClear ? 'refine' : 'drop';
}
