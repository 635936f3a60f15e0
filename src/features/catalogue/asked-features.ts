import { readFileSync } from 'node:fs';
import { openCompiled } from './compiled.ts';
import { detectLanguage } from './language.ts';
import { cosine, toUnit } from './meanings.ts';
import { leadingStems, readQuery, SYNONYM } from './query.ts';
import type { Category } from './schema.ts';
import { marketTerms, type MarketTerms } from './terms.ts';
import { readable } from '#lib/readable.ts';
import { lru } from '#lib/lru.ts';

/** How surely a text asks for a feature of a market, 0 to 1, and the part of it that does so most. */
export type Wish = { feature: string; certainty: number; clause: string };

/** Certainty from which a text counts as asking for a feature, and from which it comes near to it. */
export const ASKED_FROM = 0.45;
export const NEAR_FROM = 0.25;

/** Weight of matching words that makes a fit 63 % certain. */
const CERTAIN_MASS = 1.5;
/** How much of what a whole market means is taken from a clause, to see which of its features it speaks of. */
const MARKET_SHARE = 0.7;
/** The companies of a market that stand first show what everybody there has. */
const LEADING = 10;

const BREAKS =
  /[.!?;:\n…–—()"“”„«»]+(?=\s|$)|,(?!\d)|\s[-–—(]+\s?|\s(?:and|but|then|so|that|which|or|nor|und|aber|dann|oder|y|pero|luego|et|mais|puis|e|mas|depois|plus|ni|nem|noch|ou)\s/iu;
const SHORTEST_CLAUSE = 4;
/** Each is held against every feature of a market; an idea of 700 characters has up to 30. */
const MOST_CLAUSES = 100;
/** Who somebody is tells their market and asks for nothing. */
const INTRODUCES =
  /^(?:(?:i|we)(?:[’']m|[’']re| am| are| run| own| manage| teach| work)|(?:an? |the )?(?:app|tool|platform|software|service|website|site|system) for|wir sind|ich bin|wir betreiben|ich betreibe|ich leite|soy|somos|llevo|dirijo|trabajo|je suis|nous sommes|je gère|nous gérons|je tiens|sou|somos|trabalho|tenho um)\b/iu;

/** A part of a text: which stems it says, how plainly, and what it means. */
type Part = { text: string; said: ReadonlyMap<string, number>; meaning: Float32Array | undefined };

/** What tells whether a text asks for a feature; the weights are learnt by bench/eval/learn-asked.ts. */
export type Signals = {
  /** The later a feature stands in its market's file, the less it is what people come for. */
  place: number;
  /** How sure the market itself is. */
  market: number;
  placeInMarket: number;
  /** Share of the leading companies that have it. */
  frequency: number;
  /** What the whole text says of all words of the feature, and what it lacks to the one that it says most of. */
  said: number;
  behind: number;
  /** What share of its name's words one clause says. */
  named: number;
  /** How well one clause says one of its phrases, synonyms included, and with how many telling words. */
  phrase: number;
  phraseMass: number;
  /** How near one clause comes to it in meaning, and how near without what its whole market means. */
  nearness: number;
  nearnessWithin: number;
};

type Weights = { bias: number; weights: Signals };
let learnt: Weights | undefined;
const openWeights = (): Weights => (learnt ??= JSON.parse(readFileSync(new URL('./asked-weights.json', import.meta.url), 'utf8')) as Weights);

/** How surely a text asks for each feature of a market that it was found to be about with `confidence`; in the market's order. */
export function wishesIn(text: string, category: Category, confidence: number): Wish[] {
  const { bias, weights } = openWeights();
  const names = Object.keys(weights) as (keyof Signals)[];
  return askedSignals(text, category, confidence).map(({ feature, signals, clause }) => {
    const sum = names.reduce((total, name) => total + weights[name] * signals[name], bias);
    return { feature, certainty: 1 / (1 + Math.exp(-sum)), clause };
  });
}

/** Per feature of a market, what tells whether a text asks for it. */
export function askedSignals(text: string, category: Category, confidence: number): { feature: string; signals: Signals; clause: string }[] {
  const market = marketTerms(category.id);
  if (!market) return [];
  const { whole, clauses } = partsOf(readable(text));
  const meanings = meaningsOf(category.id, market);
  const leading = category.companies.slice(0, LEADING);
  const said = market.features.map(({ bag }) => Math.sqrt(massOf([...bag], market, whole)));
  const most = Math.max(...said);
  const within = clauses.map(({ meaning }) => meaning && apartFrom(meanings.market, meaning, MARKET_SHARE));
  return market.features.map(({ feature, units }, place) => {
    const meant = meanings.features[place];
    const best = { named: 0, phrase: 0, phraseMass: 0, nearness: 0, nearnessWithin: 0 };
    let [clause, strongest] = ['', 0];
    clauses.forEach((part, at) => {
      const phrase = Math.max(...units.map((unit) => fitOf(unit, market, part)));
      const near = cosine(part.meaning, meant?.own);
      const nearWithin = cosine(within[at], meant?.within);
      const strength = phrase + nearWithin;
      if (strength > strongest) [clause, strongest] = [part.text, strength];
      best.named = Math.max(best.named, namedBy(units[0] ?? [], part));
      best.phrase = Math.max(best.phrase, phrase);
      best.phraseMass = Math.max(best.phraseMass, ...units.map((unit) => massOf(unit, market, part)));
      best.nearness = Math.max(best.nearness, near);
      best.nearnessWithin = Math.max(best.nearnessWithin, nearWithin);
    });
    const signals: Signals = {
      ...best,
      place: Math.log1p(place),
      market: confidence,
      placeInMarket: confidence * Math.log1p(place),
      frequency: leading.filter(({ features }) => features.includes(feature.id)).length / Math.max(1, leading.length),
      said: said[place] ?? 0,
      behind: most - (said[place] ?? 0),
    };
    return { feature: feature.id, signals, clause };
  });
}

type Parts = { whole: Part; clauses: Part[] };

/** A text is held against several markets one after the other. */
const read = lru<Parts>(20);
const partsOf = (text: string): Parts => read(text, () => readParts(text));

/** A text as a whole, and its parts that each say one thing. */
function readParts(text: string): Parts {
  const language = detectLanguage(text);
  const { index, lexicon, meanings } = openCompiled();
  const readPart = (part: string): Part => {
    const query = readQuery(part, index, lexicon, { language });
    const said = new Map<string, number>();
    const say = (stem: string, weight: number): void => void said.set(stem, Math.max(said.get(stem) ?? 0, weight));
    for (const stem of query.terms.flatMap(({ stems }) => stems)) {
      say(stem, 1);
      for (const synonym of lexicon.synonyms.get(stem) ?? []) say(synonym, SYNONYM);
    }
    return { text: part, said, meaning: meanings.meaningOf(leadingStems(query)) };
  };
  const clauses = text
    .split(BREAKS)
    .map((clause) => clause.trim())
    .filter((clause) => clause.length >= SHORTEST_CLAUSE && !INTRODUCES.test(clause));
  return { whole: readPart(text), clauses: [...new Set(clauses)].slice(0, MOST_CLAUSES).map(readPart) };
}

/** Weight of a phrase's words that a part says; from `least` on a word counts as said. */
function massOf(unit: readonly string[], market: MarketTerms, { said }: Part, least = 1): number {
  return unit.reduce((sum, term) => {
    const plain = said.get(term) ?? 0;
    return plain >= least ? sum + market.weightOf(term) * plain : sum;
  }, 0);
}

/** Share of the words of a name that a part says; one word alone is hardly a name. */
function namedBy(name: readonly string[], { said }: Part): number {
  const plain = name.filter((term) => said.get(term) === 1).length;
  return plain / Math.max(2, name.length);
}

/** How surely a part says a phrase, 0 to 1: the share of the phrase's weight that it says, synonyms too, times how much that weight tells. */
function fitOf(unit: readonly string[], market: MarketTerms, part: Part): number {
  const mass = massOf(unit, market, part, 0);
  const whole = unit.reduce((sum, term) => sum + market.weightOf(term), 0);
  return whole > 0 ? (mass / whole) * (1 - Math.exp(-mass / CERTAIN_MASS)) : 0;
}

/** What a market means, and each of its features: by itself, and apart from what they all share. */
type MarketMeanings = { market: Float32Array; features: { own: Float32Array; within: Float32Array }[] };

const remembered = lru<MarketMeanings>(150);

function meaningsOf(id: string, { features }: MarketTerms): MarketMeanings {
  return remembered(id, () => {
    const { meanings } = openCompiled();
    const own = features.map(({ units, description }) => {
      // The name and the description say more of a feature than one more way of asking for it.
      const vectors = [...units, units[0] ?? [], description, description].flatMap((unit) => meanings.meaningOf(unit) ?? []);
      const sum = sumOf(vectors);
      toUnit(sum);
      return sum;
    });
    const market = sumOf(own).map((value) => value / own.length);
    return { market, features: own.map((meaning) => ({ own: meaning, within: apartFrom(market, meaning) })) };
  });
}

function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) vector.forEach((value, at) => (sum[at] = (sum[at] ?? 0) + value));
  return sum;
}

/** What is left of a meaning without a share of what its market means. */
function apartFrom(market: Float32Array, meaning: Float32Array, share = 1): Float32Array {
  const apart = meaning.map((value, at) => value - share * (market[at] ?? 0));
  toUnit(apart);
  return apart;
}
