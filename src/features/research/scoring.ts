import { DOUBTFUL_BELOW } from '#features/catalogue';
import { count, listOf } from '#lib/text.ts';
import type { Analysis, Finding, Interpretation } from './analyst.ts';
import { isFree, isPaid } from './pricing.ts';
import type { Competitor, MarketFeature, Recommendation, ScorePart } from './schema.ts';

export type Score = Pick<Recommendation, 'score' | 'verdict' | 'parts'>;

/** What each part counts for; the weights sum to 1. */
export const WEIGHTS = { demand: 0.32, crowding: 0.36, differentiation: 0.24, evidence: 0.04, clarity: 0.04 } as const;

/** Clarity of a part of the idea from which it counts as said. */
export const SAID_FROM = 0.4;
const NEEDED_RIVALS = 3;
const NEEDED_EVIDENCE = 30;
/** To advise building takes more certainty about the market than to describe it. */
const SURE = 0.5;
const PURSUE = 58;
const TEST_FIRST = 48;
const REFINE = 36;

/** A rival that came in these years or as a challenger shows that the market is still moving. */
const RECENT = 2015;
/** So many of the strongest in a market press on whoever comes; the others hardly matter beside them. */
const STRONGEST = 10;
/** Pressure at which a market counts as half crowded: seven to eight rivals that have everything. */
const HALF_CROWDED = 7.7;
/** How sharply an empty market turns into a full one around that pressure. */
const CROWDING_STEEPNESS = 8;
/** The pressure of a rival that has next to nothing; up to 1 it grows with how complete it is in its market. */
const PRESENCE = 0.4;
/** What nobody has is not known to be wanted either: it is as open as what one rival has, and no more. */
const MOST_OPEN = 0.5;
/** What the nearest rival leaves undone, against what nobody has. */
const LEFT_UNDONE = 0.5;
/** Openness that makes a differentiation of 63. */
const CLEAR_DIFFERENCE = 0.75;
/** Above 1 common wishes hardly count, so that the choice of words for them does not either. */
const OPENNESS_STEEPNESS = 2;
/** Weight of gathered findings that makes the evidence 63 of 100. */
const SOLID_EVIDENCE = 14;
/** The job of the market itself counts like this many features; whoever does that of another market has half a one. */
const JOB = 2;
const OTHER_JOB = 0.5;

/** Somebody in the market, whether or not near enough to the idea to be shown as a rival. */
type Player = Pick<Competitor, 'name' | 'pricing' | 'funding' | 'is_incumbent' | 'founded' | 'evidence_ids'> & {
  /** Share of the market's features that it has. */
  completeness: number;
};

/** Something asked for, with how many of all known companies have it. */
type Wish = MarketFeature & { holders: number };

type Market = {
  rivals: readonly Competitor[];
  /** Everybody known in the idea's first market, however the idea is worded, and rivals that no catalogue has. */
  players: readonly Player[];
  asked: readonly Wish[];
  /** Per rival, the share of what the idea asks for that it has. */
  coverage: ReadonlyMap<string, number>;
};

/** The five parts, 0 to 100 each, the weighted total and the verdict; the rubric is in docs/scoring.md. */
export function scoreIdea(about: Interpretation, analysis: Analysis, findings: readonly Finding[]): Score {
  const rivals = [...analysis.incumbents, ...analysis.emerging];
  const asked = analysis.features.filter((feature) => feature.asked_for).map((feature) => ({ ...feature, holders: holdersOf(feature, findings) }));
  const market: Market = {
    rivals,
    players: playersIn(about, analysis, rivals, findings),
    asked,
    coverage: coverageByRival(about, rivals, asked, findings),
  };
  const parts = [demand(market, about), crowding(market, about), differentiation(market, about), evidence(findings), clarity(about)];
  const score = Math.round(parts.reduce((sum, part) => sum + part.score * part.weight, 0));
  return { score, verdict: verdictOf(score, parts, rivals.length, about), parts };
}

/**
 * Per rival, the share of what an idea asks for that it has, 0 to 1: the job of the market itself (2; whoever does that of
 * another market has 0.5 of it) and everything asked for (1 each).
 */
export function coverageByRival(
  about: Pick<Interpretation, 'categoryIds'>,
  rivals: readonly Competitor[],
  asked: readonly MarketFeature[],
  findings: readonly Finding[],
): Map<string, number> {
  const homes = homesOf(findings);
  const [first] = about.categoryIds;
  // Where nothing that is asked for could be made out, as much as the job itself remains open.
  const total = JOB + (asked.length > 0 ? asked.length : JOB);
  const share = (rival: Competitor): number => {
    const home = homes.get(rival.id);
    const job = first === undefined || home === undefined || home === first ? JOB : OTHER_JOB;
    return (job + heldOf(rival, asked)) / total;
  };
  return new Map(rivals.map((rival) => [rival.id, Math.round(share(rival) * 100) / 100]));
}

const heldOf = ({ id }: Competitor, asked: readonly MarketFeature[]): number => asked.filter((feature) => feature.held_by.includes(id)).length;

/** Everybody in a feature's market counts: which rivals are shown depends on the words of the idea. */
function holdersOf({ evidence_ids: cited, held_by: shown }: MarketFeature, findings: readonly Finding[]): number {
  const known = findings.flatMap(({ id, facts }) => (facts?.kind === 'feature' && cited.includes(id) ? facts.heldBy : []));
  return Math.max(shown.length, new Set(known).size);
}

/** The words of an idea choose which rivals are shown; who is in the market must not depend on them. */
function playersIn(
  about: Pick<Interpretation, 'categoryIds'>,
  { features }: Analysis,
  rivals: readonly Competitor[],
  findings: readonly Finding[],
): readonly Player[] {
  const [market] = about.categoryIds;
  const facts = findings.flatMap((finding) => (finding.facts ? [{ id: finding.id, facts: finding.facts }] : []));
  const vocabulary = facts.filter((entry) => entry.facts.kind === 'feature' && entry.facts.categoryId === market).length;
  const known = facts.flatMap(({ id, facts: one }): Player[] =>
    one.kind === 'company' && one.categoryId === market
      ? [{ ...one, is_incumbent: one.standing === 'incumbent', evidence_ids: [id], completeness: shareOf(one.featureIds.length, vocabulary) }]
      : [],
  );
  const homes = homesOf(findings);
  const others = known.length > 0 ? rivals.filter(({ id }) => !homes.has(id)) : rivals;
  const held = (rival: Competitor): number => features.filter((feature) => feature.held_by.includes(rival.id)).length;
  return [...known, ...others.map((rival) => ({ ...rival, completeness: shareOf(held(rival), features.length) }))];
}

const shareOf = (part: number, whole: number): number => (whole > 0 ? Math.min(1, part / whole) : 1);

const homesOf = (findings: readonly Finding[]): Map<string, string> =>
  new Map(findings.flatMap(({ facts }) => (facts?.kind === 'company' ? [[facts.companyId, facts.categoryId] as const] : [])));

const clamp = (value: number): number => Math.max(0, Math.min(100, value));
const isBacked = ({ funding }: Player): boolean => /venture|public|owned|equity|acqui|part of|raised|series|funded|\$/i.test(funding ?? '');
const isEntrant = (player: Player): boolean => !player.is_incumbent || (player.founded ?? 0) >= RECENT;

/** `Splitwise, Tricount and 8 more`. */
export function namesOf(rivals: readonly { name: string }[], shown = 3): string {
  const names = rivals.slice(0, shown).map(({ name }) => name);
  const more = rivals.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : listOf(names);
}

const idsOf = (rivals: readonly { evidence_ids: string[] }[]): string[] =>
  [...new Set(rivals.flatMap((rival) => rival.evidence_ids.slice(0, 1)))].slice(0, 12);

function part(key: ScorePart['key'], score: number, explanation: string, inputs: Record<string, number>, evidenceIds: string[]): ScorePart {
  return { key, score: Math.round(clamp(score)), weight: WEIGHTS[key], explanation, inputs, evidence_ids: evidenceIds };
}

/** Does anybody pay, invest and still enter? The raw sum of the three shares runs from about 0.4 to 0.9 over real markets. */
function demand({ players }: Market, { shortTitle }: Interpretation): ScorePart {
  const paid = players.filter(isPaid);
  const backed = players.filter(isBacked);
  const entrants = players.filter(isEntrant);
  const known = Math.max(players.length, NEEDED_RIVALS);
  const raw = 0.3 * (paid.length / known) + 0.35 * (backed.length / known) + 0.35 * Math.min(1, entrants.length / known / 0.6);
  const explanation =
    players.length === 0
      ? `No rival of ${shortTitle} is known, so nothing shows that anybody pays for it.`
      : `${paid.length} of ${count(players.length, 'company', 'companies')} known in the market charge${paid.length > 0 ? ` (${namesOf(paid)})` : ''}, ${backed.length} have outside money or a larger owner${backed.length > 0 ? ` (${namesOf(backed)})` : ''}, and ${entrants.length} are challengers or began in ${RECENT} or later${entrants.length > 0 ? ` (${namesOf(entrants)})` : ''}.`;
  const inputs = { rivals: players.length, charging: paid.length, backed: backed.length, entrants: entrants.length };
  return part('demand', 100 * ((raw - 0.4) / 0.5), explanation, inputs, idsOf(players));
}

/** Of what is asked for, what makes a rival a close one. */
const MOST_OF = 0.6;

/** Falls with every rival, the more so the more of its market's features it has, down to the ten strongest; 100 is an empty market. */
function crowding({ rivals, players, asked }: Market, { shortTitle }: Interpretation): ScorePart {
  const strongest = players.toSorted((left, right) => right.completeness - left.completeness).slice(0, STRONGEST);
  const pressure = strongest.reduce((sum, player) => sum + PRESENCE + (1 - PRESENCE) * player.completeness, 0);
  const mean = strongest.reduce((sum, { completeness }) => sum + completeness, 0) / Math.max(1, strongest.length);
  const close = asked.length > 0 ? rivals.filter((rival) => heldOf(rival, asked) >= MOST_OF * asked.length) : [];
  const free = players.filter(isFree);
  const who = players.length > strongest.length ? `The ${STRONGEST} strongest of ${players.length}` : `${players.length} in the market`;
  const explanation =
    players.length === 0
      ? `No rival of ${shortTitle} is known.`
      : `${who} (${namesOf(strongest)}) have on average ${Math.round(100 * mean)} % of its features${close.length > 0 ? `; ${close.length === rivals.length ? 'all' : close.length} of the rivals shown have most of what was recognised in the idea` : ''}${free.length > 0 ? `; ${namesOf(free)} cost${free.length === 1 ? 's' : ''} nothing` : ''}.`;
  const inputs = { rivals: players.length, close_rivals: close.length, pressure: round2(pressure) };
  return part('crowding', 100 / (1 + (pressure / HALF_CROWDED) ** CROWDING_STEEPNESS), explanation, inputs, idsOf(strongest));
}

const nearest = (rivals: readonly Competitor[], coverage: ReadonlyMap<string, number>): Competitor | undefined =>
  [...rivals].sort((left, right) => (coverage.get(right.id) ?? 0) - (coverage.get(left.id) ?? 0))[0];

/** How open what the idea asks for is: each thing by how few hold it, and what the nearest rival leaves undone. */
function differentiation({ rivals, asked, coverage }: Market, about: Interpretation): ScorePart {
  const best = Math.max(0, ...rivals.map((rival) => coverage.get(rival.id) ?? 0));
  const openings = asked.map(({ holders }) => Math.min(MOST_OPEN, 1 / (1 + holders))).sort((left, right) => right - left);
  // Asking for a lot opens no more than asking for the right thing: each further opening counts half of the one before.
  const openness = openings.reduce((sum, opening, place) => sum + opening / 2 ** place, 0) + LEFT_UNDONE * (1 - best);
  const unheld = asked.filter(({ holders }) => holders === 0);
  const scarce = asked.filter(({ holders }) => holders > 0 && holders <= 2);
  const score = rivals.length === 0 || asked.length === 0 ? 0 : 100 * (1 - Math.exp(-((openness / CLEAR_DIFFERENCE) ** OPENNESS_STEEPNESS)));
  const lead = nearest(rivals, coverage);
  const inputs = {
    asked_for: asked.length,
    held_by_nobody: unheld.length,
    held_by_one_or_two: scarce.length,
    best_coverage: round2(best),
    openness: round2(openness),
  };
  const evidenceIds = [...new Set([...asked.flatMap((feature) => feature.evidence_ids.slice(0, 2)), ...idsOf(lead ? [lead] : [])])];
  return part('differentiation', score, differenceSentence(about, asked, unheld, scarce, lead), inputs, evidenceIds);
}

function differenceSentence(
  about: Interpretation,
  asked: readonly MarketFeature[],
  unheld: readonly MarketFeature[],
  scarce: readonly MarketFeature[],
  lead: Competitor | undefined,
): string {
  if (!lead) return 'Without a known rival there is nothing to differ from.';
  if (asked.length === 0)
    return `Nothing that ${about.shortTitle} asks for was recognised among the features known in ${small(about.category)}, so how it differs from ${lead.name} and the others cannot be told.`;
  const held = heldOf(lead, asked);
  const what = asked.length === 1 ? `${held === 1 ? '' : 'nothing of '}what was` : `${held} of the ${asked.length} things`;
  const share = `${lead.name} already has ${what} recognised in ${about.shortTitle}`;
  if (unheld.length + scarce.length === 0)
    return `${share}, and three companies or more have ${asked.length > 1 ? 'each of these: ' : ''}${listOf(asked.map(({ name }) => small(name)))}.`;
  const none = unheld.length > 0 ? `Recorded of nobody: ${listOf(unheld.map(({ name }) => small(name)))}.` : '';
  const few = scarce.length > 0 ? `Held by one or two: ${listOf(scarce.map(({ name }) => small(name)))}.` : '';
  return [`${share}.`, none, few].filter(Boolean).join(' ');
}

/** How much was gathered, live pages counting double; never falls when more is found. */
function evidence(findings: readonly Finding[]): ScorePart {
  const of = (kind: Finding['kind']): number => findings.filter((finding) => finding.kind === kind).length;
  const [web, companies, features] = [of('web'), of('canonical_company'), of('canonical_feature')];
  const weight = 2 * web + companies + 0.25 * features;
  const first = findings.find(({ facts }) => facts?.kind === 'company') ?? findings[0];
  const explanation = `${count(companies, 'catalogue company', 'catalogue companies')}, ${count(features, 'catalogue feature')} and ${count(web, 'web page')}${first ? `, beginning with ${first.title}` : ''}${web === 0 ? '; nothing here was looked up today' : ''}.`;
  const inputs = { web, companies, features };
  return part(
    'evidence',
    100 * (1 - Math.exp(-weight / SOLID_EVIDENCE)),
    explanation,
    inputs,
    findings.slice(0, 6).map(({ id }) => id),
  );
}

/** Whether the text says who it is for, what hurts and what is to be built; in steps of twenty-five. */
function clarity(about: Interpretation): ScorePart {
  const { user, problem, solution } = about.clarity;
  const score = 25 * Math.round(4 * (0.3 * user + 0.35 * problem + 0.35 * solution));
  const said = (value: number, what: string): string =>
    value >= 0.75 ? `${what} is said` : value >= SAID_FROM ? `${what} is half said` : `${what} could not be made out`;
  const explanation = `For ${about.shortTitle} ${listOf([said(user, 'who it is for'), said(problem, 'what hurts'), said(solution, 'what it does')])}.`;
  return part('clarity', score, explanation, { user: round2(user), problem: round2(problem), solution: round2(solution) }, []);
}

const small = (name: string): string =>
  /^(?:\p{Lu}[\p{Lu}\d/]|\p{Lu}\p{Ll}*\p{Lu})/u.test(name) ? name : name.charAt(0).toLowerCase() + name.slice(1);
const round2 = (value: number): number => Math.round(value * 100) / 100;

function verdictOf(score: number, parts: readonly ScorePart[], rivals: number, about: Interpretation): Recommendation['verdict'] {
  const of = (key: ScorePart['key']): number => parts.find((entry) => entry.key === key)?.score ?? 0;
  if (rivals < NEEDED_RIVALS || of('evidence') < NEEDED_EVIDENCE || about.confidence < DOUBTFUL_BELOW) return 'insufficient_data';
  const isVague = of('clarity') < 40;
  if (score >= PURSUE && of('differentiation') >= 40 && of('demand') >= 40 && about.confidence >= SURE && !isVague) return 'pursue';
  if (score >= TEST_FIRST && of('differentiation') >= 20 && !isVague) return 'test_first';
  // What nothing is recorded of, or was not said, may be the very difference: nobody should drop an idea over it.
  const isUnread = about.askedFor.every(({ featureId }) => featureId === null);
  if (isUnread && (about.askedFor.length > 0 || about.clarity.solution < SAID_FROM)) return 'refine';
  return score >= REFINE ? 'refine' : 'drop';
}
