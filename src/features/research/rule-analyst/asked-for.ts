import type { Category } from '#features/catalogue';
import { collapseSpaces, shorten } from '#lib/text.ts';
import { inline } from './clean-text.ts';
import { capabilitiesIn } from './capabilities.ts';
import { marketTerms, stemsOf, termsOf, type FeatureTerms, type MarketTerms } from './terms.ts';

export type Asked = { label: string; featureId: string | null };

const MOST_FEATURES = 8;
const MOST_CLAUSES = 5;
const LABEL = 90;

/** Fit from which a clause counts as asking for a feature. */
const ASKED = 0.5;
/** Weight of matching words that makes a fit 63 % certain; more for a single word that is not in the feature's name. */
const CERTAIN_MASS = 1.5;
const CERTAIN_ALONE = 3.2;
/** Of a phrase of so many words one alone, however rare, does not say the rest. */
const LONG_UNIT = 3;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Clause = { text: string; terms: ReadonlySet<string> };

/** What an idea says it does: the catalogue features it names, then clauses that no feature of its markets stands for. */
export function askedForOf(sentences: readonly string[], solution: string, problem: string, categories: readonly Category[]): Asked[] {
  const markets = categories.flatMap(({ id }) => marketTerms(id) ?? []);
  const clauses = [...sentences.map(headOf), ...clausesOf(sentences)]
    .filter(Boolean)
    .map((text): Clause => ({ text, terms: new Set(termsOf(text)) }));
  const heads = sentences.map(headOf).filter(Boolean);
  const matches = markets.flatMap((market) => [
    ...market.features.flatMap((entry) => matchOf(entry, market, clauses) ?? []),
    ...heads.flatMap((head) => attributeOf(head, market)),
  ]);
  const best = [...matches].sort((left, right) => right.strength - left.strength).slice(0, MOST_FEATURES);
  const asked = best.map(({ entry }): Asked => ({ label: entry.feature.name, featureId: entry.feature.id }));
  const spoken = new Set(best.flatMap(({ entry, clause }) => (clause && saysAll(entry, clause) ? [clause.text] : [])));
  const wishes = joinedShort(clausesOf([solution])).filter(
    (clause) => termsOf(clause).length >= 2 && !/^(?:i|we|my|our|it's|there|they|he|she|for|because|maybe)\b/i.test(clause),
  );
  const free = wishes.filter((wish) => ![...spoken].some((text) => text.includes(wish) || wish.includes(text)) && !problem.includes(wish));
  const labels = free.slice(0, MOST_CLAUSES).map((wish): Asked => ({ label: shorten(inline(wish), LABEL), featureId: null }));
  return [...new Map([...asked, ...labels].map((entry) => [entry.featureId ?? entry.label, entry])).values()];
}

/** Clauses of a single telling word say one thing together with what follows: "photograph them, get them typed and translated". */
function joinedShort(clauses: readonly string[]): string[] {
  const joined: string[] = [];
  for (const clause of clauses) {
    const last = joined.at(-1);
    if (last !== undefined && (termsOf(last).length < 2 || termsOf(clause).length < 2)) joined[joined.length - 1] = `${last} and ${clause}`;
    else joined.push(clause);
  }
  return joined;
}

type FeatureMatch = { entry: FeatureTerms; strength: number; clause: Clause | undefined };

function matchOf(entry: FeatureTerms, market: MarketTerms, clauses: readonly Clause[]): FeatureMatch | undefined {
  const [name = []] = entry.units;
  let best: FeatureMatch | undefined;
  for (const clause of clauses) {
    const fits = [...entry.units, entry.description].map((unit) => {
      const isAside = unit.length === 1 && unit.every((term) => !name.includes(term));
      return unitFit(unit, market, clause, isAside ? CERTAIN_ALONE : CERTAIN_MASS);
    });
    const strength = Math.max(...fits);
    if (strength >= ASKED && (!best || strength > best.strength)) best = { entry, strength, clause };
  }
  return best;
}

/** Whether the feature stands for most of what the clause says, so that nothing of the clause is left to be a wish of its own. */
const saysAll = ({ bag }: FeatureTerms, { terms }: Clause): boolean => [...terms].filter((term) => bag.has(term)).length >= terms.size / 2;

/**
 * How surely a clause says a phrase of a feature, 0 to 1: the share of the phrase's weight that it says, times how much
 * that weight tells. A word weighs by how few markets speak of it, and by how few features of its own market do.
 */
function unitFit(unit: readonly string[], market: MarketTerms, clause: Clause, certain: number): number {
  const shared = unit.filter((term) => clause.terms.has(term));
  if (shared.length === 0 || (unit.length >= LONG_UNIT && shared.length === 1)) return 0;
  const said = sum(shared.map((term) => market.weightOf(term)));
  return (said / sum(unit.map((term) => market.weightOf(term)))) * (1 - Math.exp(-said / certain));
}

/** "A shared list" asks for sharing although the whole market speaks of it, where one feature alone is named for it. */
function attributeOf(head: string, market: MarketTerms): FeatureMatch[] {
  const [, ...words] = head.split(/\s+/);
  const attributes = words
    .slice(0, -1)
    .filter((word) => /(?:ed|able|ive|ing|line)$/i.test(word))
    .flatMap((word) => stemsOf(word));
  const fits = market.features.filter(({ feature }) => stemsOf(feature.name).some((term) => attributes.includes(term)));
  return fits.length === 1 ? fits.map((entry) => ({ entry, strength: 1, clause: undefined })) : [];
}

const BREAKS = /\s*(?:[,;:](?!\d)|[–—()]|\.\s|\s(?:and|then|und|dann|y|luego|et|puis|e|depois|plus|as well as|but also)\s)\s*/iu;
const LEADS =
  /^(?:(?:i|we)(?:'d| would)(?: like| love)?(?: to)?|(?:i|we) (?:want|need)(?: to)?|let me|let us|that|which|who|where|it|to|also|and|then|should|would|could|can|will|must|they|you|we|i|the app|the tool|automatically|die|das|der|que|qui|um|zu|lets? (?:you|me|us|people|users)|helps? (?:you|me|us|people|users)|allows? (?:you|me|us|people|users) to)\s+/iu;

/** "A shared list that learns …" names the thing first and then what it does. */
const HEAD = /^(?:an?|one|the|some)\s(?:[\p{L}\d'-]+\s){1,6}?(?:that|which)\s(?!(?:i|we|you|they|he|she|it|the|our|my|people|users)\s)(?=\p{L}{2})/iu;
const headOf = (sentence: string): string => HEAD.exec(collapseSpaces(sentence))?.[0].replace(/\s(?:that|which)\s$/i, '') ?? '';

/** The parts of sentences that each say one thing. */
export function clausesOf(sentences: readonly string[]): string[] {
  return sentences
    .flatMap((sentence) => collapseSpaces(sentence).replace(HEAD, '').split(BREAKS))
    .map((clause) => {
      let bare = collapseSpaces(clause);
      for (let round = 0; round < 3; round += 1) bare = bare.replace(LEADS, '');
      return bare.replace(/[\s,.;:!?]+$/u, '');
    })
    .filter((clause) => clause.length > 3);
}

/** Whether a clause brings a capability into its markets that nothing in their description speaks of. */
export function isDistinctive(label: string, categoryIds: readonly string[]): boolean {
  const markets = categoryIds.flatMap((id) => marketTerms(id) ?? []);
  if (termsOf(label).length < 2 || markets.length === 0) return false;
  return capabilitiesIn(label).some(({ stems }) => markets.every(({ bag }) => ![...stems].some((term) => bag.has(term))));
}
