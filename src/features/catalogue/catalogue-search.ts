import { categoriesOfPair, type CatalogueIndex, kindOf, KINDS, type UnitKind } from './catalogue-index.ts';
import { confidenceOf, type Evidence } from './confidence.ts';
import { saidBy, saidOfCompanies } from './company-fit.ts';
import { matchesOf, matchUnits, weightOf, type Hit, type UnitMatch, type UnitMatches } from './match-units.ts';
import type { Meanings } from './meanings.ts';
import type { Mention } from './product-names.ts';
import { leadingStems, type Query, type QueryTerm } from './query.ts';
import type { Shelf } from './shelf.ts';

export type SearchResult = { confidence: number; hits: readonly Hit[]; fits: readonly MarketFit[]; evidence: Evidence };

/** How a market stands beside the best one: by its words, by those and what they mean, and by what its companies do; the nearest first. */
type MarketFit = { category: number; words: number; value: number; nearness: number; companies: number; product: number };

type Candidate = {
  category: number;
  /** How well its words fit those of the query. */
  total: number;
  /** The same with what the words mean. */
  value: number;
  /** How near it is in meaning, and how much of the text its companies' lines say. */
  nearness: number;
  companies: number;
  product: number;
  /** Per term that the catalogue knows (`knownTerms`), how well the market speaks of it, 0..1. */
  coverage: Float64Array;
};

/** BM25 term frequency saturation (Robertson, Zaragoza 2009). */
const SATURATION = 0.4;
const LEXICAL = 1;
const PHRASE = 0.36;
const PAIR = 0.2;
const PRODUCT = 1.5;
const COMPANIES = 0.45;
/** What nearness in meaning adds, as a share of what the best market's words score. */
const MEANING = 0.5;
/** One or two words by themselves are taken for what they say. */
const FEWEST_STEMS = 3;
/** So many of the best markets are read down to what is said of their companies. */
const READ_CLOSELY = 8;
/** What a narrow market's claim on a text is worth beside that of a broad one. */
const NICHE = 0.97;
/** A product name tells as much as this weight of words. */
const PRODUCT_MASS = 8;
/** Weight of about twenty telling words: what a text longer than that can hold in one need. */
const NEED_MASS = 60;
const KIND_WEIGHT: Readonly<Record<UnitKind, number>> = {
  need: 1,
  use: 0.9,
  name: 1.1,
  keyword: 0.56,
  feature: 0.52,
  term: 0.48,
  audience: 0.35,
  description: 0,
  summary: 0,
};
const WEAK_TELLS = 0.33;
const CLEAR_UNIT = 0.6;
const SHOWN_KIND = 0.4;
/** Among words that the catalogue knows, a made-up product name or a rare word leaves an answer as sure as it was. */
const MOST_FORGIVEN = 2;
/** Weight of matched words beyond which more of them make an answer no surer. */
const FULL_MATCH = 30;
/** A text of which so much is matched is understood, even when it is a single word. */
const WHOLE = 0.8;
const SECOND_BAND = 0.55;
const NOVEL_BAND = 0.32;
const NOVEL_SHARE = 0.22;
const NOVELTY = 0.8;
const CONSIDERED = 14;

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
/** Weak words help to tell markets apart and say little about whether a text says anything. */
const tellingWeight = (term: QueryTerm) => (term.weak ? WEAK_TELLS : 1) * weightOf(term);

/** The terms of a query that any market speaks of. */
const knownTerms = ({ terms }: Query): QueryTerm[] => terms.filter(({ alternatives }) => alternatives.length > 0);

/** How well each market speaks of each term, 0..1: a row per market, a column per term. */
function coverageByCategory(terms: readonly QueryTerm[], { size, postings: { values, ends, frequencies }, rarity }: CatalogueIndex): Float64Array {
  const width = terms.length;
  const coverage = new Float64Array(size * width);
  terms.forEach((term, position) => {
    for (const alternative of term.alternatives) {
      // A rare synonym of a common word tells no more than the word itself.
      const share = alternative.weight * Math.min(1, (rarity[alternative.term] ?? 0) / term.mass);
      const end = ends[alternative.term + 1] ?? 0;
      for (let place = ends[alternative.term] ?? 0; place < end; place += 1) {
        const frequency = frequencies[place] ?? 0;
        const value = (share * frequency) / (frequency + SATURATION);
        const cell = (values[place] ?? 0) * width + position;
        if (value > (coverage[cell] ?? 0)) coverage[cell] = value;
      }
    }
  });
  return coverage;
}

function pairScores(query: Query, index: CatalogueIndex): Float64Array {
  const { size: length } = index;
  const scores = new Float64Array(length);
  query.terms.slice(1).forEach((right, before) => {
    const left = query.terms[before];
    if (!left || left.strength + right.strength < 0.8) return;
    const seen = new Map<number, number>();
    for (const one of left.alternatives) {
      for (const other of right.alternatives) {
        const categories = categoriesOfPair(index, one.term, other.term);
        const rarity = Math.log(1 + length / (categories.length + 0.5));
        const value = rarity * one.weight * other.weight * Math.min(left.strength, right.strength);
        for (const category of categories) if (value > (seen.get(category) ?? 0)) seen.set(category, value);
      }
    }
    for (const [category, value] of seen) scores[category] = (scores[category] ?? 0) + value;
  });
  return scores;
}

/** Per market, the fit of its best unit (with a small part of the next best of other words). */
function phraseScores({ length, units, found, covered }: UnitMatches, index: CatalogueIndex, room: number): Float64Array {
  const [firsts, seconds] = [new Float64Array(index.size), new Float64Array(index.size)];
  const weights = KINDS.map((kind) => KIND_WEIGHT[kind]);
  const { kinds, categories } = index.units;
  for (let at = 0; at < length; at += 1) {
    const unit = units[at] ?? 0;
    const fit = (weights[kinds[unit] ?? 0] ?? 0) * Math.min(1, (found[at] ?? 0) / room) * Math.sqrt(covered[at] ?? 0);
    const category = categories[unit] ?? 0;
    const first = firsts[category] ?? 0;
    if (fit > first) {
      seconds[category] = first;
      firsts[category] = fit;
    } else if (fit > (seconds[category] ?? 0)) seconds[category] = fit;
  }
  return firsts.map((first, category) => first + 0.25 * (seconds[category] ?? 0));
}

function productScores(mentions: readonly Mention[]): Map<number, number> {
  const scores = new Map<number, number>();
  for (const mention of mentions) {
    for (const home of mention.homes) {
      scores.set(home.category, Math.max(scores.get(home.category) ?? 0, home.weight * mention.strength));
    }
  }
  return scores;
}

function rank(query: Query, mentions: readonly Mention[], matches: UnitMatches, index: CatalogueIndex): Candidate[] {
  const known = knownTerms(query);
  const weights = known.map(weightOf);
  const mass = sumOf(weights) || 1;
  const room = Math.min(NEED_MASS, Math.max(mass, 5));
  const coverage = coverageByCategory(known, index);
  const pairs = pairScores(query, index);
  const phrases = phraseScores(matches, index, room);
  const products = productScores(mentions);
  const candidates: Candidate[] = [];
  for (let category = 0; category < index.size; category += 1) {
    const row = category * weights.length;
    const product = products.get(category) ?? 0;
    let lexical = 0;
    for (let position = 0; position < weights.length; position += 1) lexical += (weights[position] ?? 0) * (coverage[row + position] ?? 0);
    if (lexical === 0 && product === 0) continue;
    const phrase = phrases[category] ?? 0;
    const pair = Math.min(1, (pairs[category] ?? 0) / room);
    const claim = index.niches[category] === 1 ? NICHE : 1;
    const total = claim * ((LEXICAL * lexical) / mass + PHRASE * phrase + PAIR * pair + PRODUCT * product);
    candidates.push({
      category,
      total,
      value: total,
      nearness: 0,
      companies: 0,
      product,
      coverage: coverage.subarray(row, row + weights.length),
    });
  }
  return candidates.sort((left, right) => right.total - left.total || left.category - right.category);
}

/** Among the best markets, the one whose companies do what the text speaks of comes before one that only shares its words. */
function readClosely(ranked: readonly Candidate[], query: Query, index: CatalogueIndex, shelf: Shelf): Candidate[] {
  const mass = sumOf(query.terms.map(weightOf)) || 1;
  const said = saidBy(query, index);
  const near = ranked.slice(0, READ_CLOSELY).map((candidate) => {
    const companies = saidOfCompanies(shelf.companiesOf(candidate.category), query, said) / mass;
    return { ...candidate, companies, total: candidate.total + COMPANIES * companies };
  });
  return [...near.sort((left, right) => right.total - left.total || left.category - right.category), ...ranked.slice(READ_CLOSELY)];
}

/** Where a text shares few words with its market, what they mean decides: "burner" of an oven is no throw-away number. */
function byMeaning(ranked: readonly Candidate[], query: Query, meanings: Meanings): Candidate[] {
  const stems = leadingStems(query);
  const nearness = meanings.nearnessOf(stems);
  const most = stems.length < FEWEST_STEMS ? 0 : (ranked[0]?.total ?? 0);
  return ranked
    .map((candidate) => {
      const near = nearness[candidate.category] ?? 0;
      return { ...candidate, nearness: near, value: candidate.total + MEANING * most * near };
    })
    .sort((left, right) => right.value - left.value || left.category - right.category);
}

/** Greedy choice: the best market, then those close to it or speaking of what the chosen ones leave out. */
function choose(ranked: readonly Candidate[], query: Query, limit: number): Candidate[] {
  const [best] = ranked;
  if (!best || limit < 1) return [];
  const weights = knownTerms(query).map(weightOf);
  const mass = sumOf(query.terms.map(weightOf)) || 1;
  const chosen = [best];
  const spoken = [...best.coverage];
  const rest = ranked.slice(1, CONSIDERED);
  while (chosen.length < limit && rest.length > 0) {
    const rated = rest.map((candidate) => {
      const novel =
        sumOf(weights.map((weight, position) => weight * Math.max(0, (candidate.coverage[position] ?? 0) - (spoken[position] ?? 0)))) / mass;
      return { candidate, novel, value: candidate.value * (1 + NOVELTY * novel) };
    });
    rated.sort((left, right) => right.value - left.value || left.candidate.category - right.candidate.category);
    const next = rated.find(
      ({ candidate, novel }) =>
        candidate.value >= SECOND_BAND * best.value ||
        (candidate.value >= NOVEL_BAND * best.value && novel >= NOVEL_SHARE) ||
        candidate.product > 0.7,
    );
    if (!next) break;
    chosen.push(next.candidate);
    next.candidate.coverage.forEach((value, position) => {
      spoken[position] = Math.max(spoken[position] ?? 0, value);
    });
    rest.splice(rest.indexOf(next.candidate), 1);
  }
  return chosen;
}

function weigh(ranked: readonly Candidate[], query: Query, mentions: readonly Mention[]): Evidence {
  const [best] = ranked;
  if (!best) return { known: 0, matched: 0, cover: 0, alone: 1, lead: 0 };
  // A product held up as a model tells something even where its own market is not the one meant ("Tinder for jobs").
  const model = Math.max(0, ...mentions.map(({ strength }) => strength));
  const named = PRODUCT_MASS * Math.max(best.product, model / 2);
  const known = knownTerms(query);
  const weights = known.map((term, position) => (term.weak ? 0 : weightOf(term) * (best.coverage[position] ?? 0)));
  const matched = sumOf(weights) + named;
  const cover = matched / (sumOf(query.terms.map((term) => (term.weak ? 0 : weightOf(term)))) + named || 1);
  const mass = sumOf(known.map(tellingWeight)) + named || 1;
  const strange = query.terms.filter((term) => term.alternatives.length === 0).map(tellingWeight);
  const forgiven = Math.min(MOST_FORGIVEN, Math.floor(known.length / 2));
  const unknown = sumOf(strange.sort((left, right) => right - left).slice(forgiven));
  const field = ranked.slice(4, 12);
  const level = field.length > 0 ? sumOf(field.map((candidate) => candidate.total)) / field.length : 0;
  return {
    known: mass / (mass + unknown),
    matched: Math.min(1, matched / FULL_MATCH),
    cover,
    alone: matched === 0 ? 1 : cover > WHOLE ? 0 : Math.max(named, ...weights) / matched,
    lead: best.total > 0 ? Math.max(0, 1 - level / best.total) : 0,
  };
}

/** The units that tell why a market was found, best first. */
function tellingUnits(matches: readonly UnitMatch[], index: CatalogueIndex): number[] {
  const rated: { unit: number; value: number }[] = [];
  for (const { unit, found, covered } of matches) {
    const weight = KIND_WEIGHT[kindOf(index, unit)];
    if (weight < SHOWN_KIND) continue;
    if (covered >= CLEAR_UNIT || found * covered >= 4) rated.push({ unit, value: weight * found * Math.sqrt(covered) });
  }
  return rated.sort((left, right) => right.value - left.value || left.unit - right.unit).map(({ unit }) => unit);
}

type Searched = { index: CatalogueIndex; shelf: Shelf; meanings: Meanings };

/** Every market that says anything of a query, the nearest first. */
export const rankMarkets = (
  query: Query,
  mentions: readonly Mention[],
  { index, shelf, meanings }: Searched,
): readonly Pick<Candidate, 'category' | 'value'>[] =>
  byMeaning(readClosely(rank(query, mentions, matchUnits(query, index), index), query, index, shelf), query, meanings);

type Chosen = readonly Pick<Candidate, 'category' | 'value'>[];

/** Markets that somebody named, in that order, each as sure as it can be. */
const named = (places: readonly number[], best: number): Chosen => places.map((category) => ({ category, value: best || 1 }));

/**
 * Markets by need: BM25F over each market's phrases, the fit of the best single phrase, neighbouring words, product
 * names, and what the words mean, each market's words counted once in the choice of the next.
 * @param told places of the markets that are meant, where that is known: then no others are looked for
 * @param except places of markets that are not meant
 */
export function searchIndex(
  query: Query,
  mentions: readonly Mention[],
  { index, shelf, meanings }: Searched,
  { limit, told, except = [] }: { limit: number; told?: readonly number[] | undefined; except?: readonly number[] },
): SearchResult {
  const matches = matchUnits(query, index);
  const all = rank(query, mentions, matches, index);
  const allowed = except.length > 0 ? all.filter(({ category }) => !except.includes(category)) : all;
  const ranked = byMeaning(readClosely(allowed, query, index, shelf), query, meanings);
  const evidence = weigh(ranked, query, mentions);
  const best = ranked[0]?.value || (told ? 1 : 0);
  const confidence = told ? 1 : ranked.length === 0 ? 0 : confidenceOf(evidence);
  const chosen = told ? named(told, best) : choose(ranked, query, limit);
  const own = matchesOf(
    chosen.map(({ category }) => category),
    matches,
    index,
  );
  const hits = chosen.map(({ category, value }): Hit => {
    const units = own.get(category) ?? [];
    return { category, score: best > 0 ? (confidence * value) / best : 0, matches: units, units: tellingUnits(units, index) };
  });
  return { confidence, hits, evidence, fits: ranked.slice(0, FITS).map(fitOf) };
}

/** So many of the nearest markets tell how far the first one stands above the others. */
const FITS = 12;
const fitOf = ({ category, total, value, nearness, companies, product }: Candidate): MarketFit => ({
  category,
  words: total,
  value,
  nearness,
  companies,
  product,
});
