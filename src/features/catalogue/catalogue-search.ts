import { categoriesOfPair, categoriesOfTerm, type CatalogueIndex, frequenciesOfTerm, kindOf, unitsOfTerm, type UnitKind } from './catalogue-index.ts';
import { confidenceOf, type Evidence } from './confidence.ts';
import { saidOfCompanies } from './company-fit.ts';
import type { Mention } from './product-names.ts';
import type { Query, QueryTerm } from './query.ts';

/** A market that answers a query. */
export type Hit = {
  category: number;
  score: number;
  /** Units of the catalogue that matched, best first. */
  units: readonly number[];
};
export type SearchResult = { confidence: number; hits: readonly Hit[]; match: Match };

/** How well every unit of the index answers the query. */
type Match = {
  /** Weight of the query found in the unit. */
  found: Float64Array;
  /** Share of the unit's own weight found in the query, 0..1. */
  covered: Float64Array;
};

type Candidate = {
  category: number;
  total: number;
  phrase: number;
  product: number;
  /** Per query term, how well the market speaks of it, 0..1. */
  coverage: number[];
};

/** BM25 term frequency saturation (Robertson, Zaragoza 2009). */
const SATURATION = 0.5;
const LEXICAL = 1;
const PHRASE = 0.36;
const PAIR = 0.2;
const PRODUCT = 1.4;
const COMPANIES = 0.3;
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

const at = (list: ArrayLike<number>, index: number) => list[index] ?? 0;
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
const weightOf = (term: QueryTerm) => term.strength * term.mass;
/** Weak words help to tell markets apart and say little about whether a text says anything. */
const tellingWeight = (term: QueryTerm) => (term.weak ? WEAK_TELLS : 1) * weightOf(term);

function matchUnits(query: Query, index: CatalogueIndex): Match {
  const found = new Float64Array(index.units.length);
  const own = new Float64Array(index.units.length);
  const best = new Float64Array(index.units.length);
  const covered = new Float64Array(index.units.length);
  for (const term of query.terms) {
    const touched: number[] = [];
    for (const alternative of term.alternatives) {
      const weight = at(index.weights, alternative.term) * alternative.weight;
      for (const unit of unitsOfTerm(index, alternative.term)) {
        if (at(best, unit) === 0) touched.push(unit);
        if (alternative.weight > at(best, unit)) best[unit] = alternative.weight;
        if (weight > at(own, unit)) own[unit] = weight;
      }
    }
    for (const unit of touched) {
      found[unit] = at(found, unit) + weightOf(term) * at(best, unit);
      covered[unit] = at(covered, unit) + at(own, unit);
      best[unit] = 0;
      own[unit] = 0;
    }
  }
  for (let position = 0; position < covered.length; position += 1) {
    const mass = at(index.units.masses, position);
    if (at(covered, position) > 0) covered[position] = mass > 0 ? Math.min(1, at(covered, position) / mass) : 0;
  }
  return { found, covered };
}

function coverageByCategory(query: Query, index: CatalogueIndex): Map<number, number[]> {
  const byCategory = new Map<number, number[]>();
  query.terms.forEach((term, position) => {
    for (const alternative of term.alternatives) {
      const rarity = at(index.rarity, alternative.term);
      // A rare synonym of a common word tells no more than the word itself.
      const share = alternative.weight * Math.min(1, rarity / term.mass);
      const frequencies = frequenciesOfTerm(index, alternative.term);
      categoriesOfTerm(index, alternative.term).forEach((category, place) => {
        const frequency = at(frequencies, place);
        const value = (share * frequency) / (frequency + SATURATION);
        const list = byCategory.get(category) ?? query.terms.map(() => 0);
        if (value > at(list, position)) list[position] = value;
        byCategory.set(category, list);
      });
    }
  });
  return byCategory;
}

function pairScores(query: Query, index: CatalogueIndex): Map<number, number> {
  const scores = new Map<number, number>();
  const { length } = index.categories;
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
    for (const [category, value] of seen) scores.set(category, (scores.get(category) ?? 0) + value);
  });
  return scores;
}

/** Per category, the fit of its best unit (with a small part of the next best of other words). */
function phraseScores(match: Match, index: CatalogueIndex, room: number): Map<number, number> {
  const scores = new Map<number, { first: number; second: number }>();
  for (let position = 0; position < match.found.length; position += 1) {
    const found = at(match.found, position);
    if (found === 0) continue;
    const fit = KIND_WEIGHT[kindOf(index, position)] * Math.min(1, found / room) * Math.sqrt(at(match.covered, position));
    const category = at(index.units.categories, position);
    const known = scores.get(category) ?? { first: 0, second: 0 };
    if (fit > known.first) scores.set(category, { first: fit, second: known.first });
    else if (fit > known.second) scores.set(category, { first: known.first, second: fit });
  }
  return new Map([...scores].map(([category, { first, second }]) => [category, first + 0.25 * second]));
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

function rank(query: Query, mentions: readonly Mention[], match: Match, index: CatalogueIndex): Candidate[] {
  const known = query.terms.filter((term) => term.alternatives.length > 0);
  const mass = sumOf(known.map(weightOf)) || 1;
  const room = Math.min(NEED_MASS, Math.max(mass, 5));
  const coverage = coverageByCategory(query, index);
  const pairs = pairScores(query, index);
  const phrases = phraseScores(match, index, room);
  const products = productScores(mentions);
  const categories = new Set([...coverage.keys(), ...products.keys()]);
  return [...categories]
    .map((category) => {
      const terms = coverage.get(category) ?? query.terms.map(() => 0);
      const lexical = sumOf(query.terms.map((term, position) => weightOf(term) * at(terms, position))) / mass;
      const phrase = phrases.get(category) ?? 0;
      const product = products.get(category) ?? 0;
      const pair = Math.min(1, (pairs.get(category) ?? 0) / room);
      return {
        category,
        total: (index.categories[category]?.niche ? NICHE : 1) * (LEXICAL * lexical + PHRASE * phrase + PAIR * pair + PRODUCT * product),
        phrase,
        product,
        coverage: terms,
      };
    })
    .sort((left, right) => right.total - left.total || left.category - right.category);
}

/** Among the best markets, the one whose companies do what the text speaks of comes before one that only shares its words. */
function readClosely(ranked: readonly Candidate[], query: Query, index: CatalogueIndex): Candidate[] {
  const mass = sumOf(query.terms.map(weightOf)) || 1;
  const near = ranked.slice(0, READ_CLOSELY).map((candidate) => {
    const companies = index.categories[candidate.category]?.companies ?? [];
    return { ...candidate, total: candidate.total + (COMPANIES * saidOfCompanies(query, companies, index)) / mass };
  });
  return [...near.sort((left, right) => right.total - left.total || left.category - right.category), ...ranked.slice(READ_CLOSELY)];
}

/** Greedy choice: the best market, then those close to it or speaking of what the chosen ones leave out. */
function choose(ranked: readonly Candidate[], query: Query, limit: number): Candidate[] {
  const [best] = ranked;
  if (!best || limit < 1) return [];
  const mass = sumOf(query.terms.map(weightOf)) || 1;
  const chosen = [best];
  const spoken = [...best.coverage];
  const rest = ranked.slice(1, CONSIDERED);
  while (chosen.length < limit && rest.length > 0) {
    const rated = rest.map((candidate) => {
      const novel =
        sumOf(query.terms.map((term, position) => weightOf(term) * Math.max(0, at(candidate.coverage, position) - at(spoken, position)))) / mass;
      return { candidate, novel, value: candidate.total * (1 + NOVELTY * novel) };
    });
    rated.sort((left, right) => right.value - left.value || left.candidate.category - right.candidate.category);
    const next = rated.find(
      ({ candidate, novel }) =>
        candidate.total >= SECOND_BAND * best.total ||
        (candidate.total >= NOVEL_BAND * best.total && novel >= NOVEL_SHARE) ||
        candidate.product > 0.7,
    );
    if (!next) break;
    chosen.push(next.candidate);
    next.candidate.coverage.forEach((value, position) => {
      spoken[position] = Math.max(at(spoken, position), value);
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
  const weights = query.terms.map((term, position) => (term.weak ? 0 : weightOf(term) * at(best.coverage, position)));
  const matched = sumOf(weights) + named;
  const cover = matched / (sumOf(query.terms.map((term) => (term.weak ? 0 : weightOf(term)))) + named || 1);
  const known = query.terms.filter((term) => term.alternatives.length > 0);
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
    lead: best.total > 0 ? 1 - level / best.total : 0,
  };
}

function unitsOf(category: number, match: Match, index: CatalogueIndex): number[] {
  const rated: { position: number; value: number }[] = [];
  const [first, end] = index.unitRanges[category] ?? [0, 0];
  for (let position = first; position < end; position += 1) {
    const weight = KIND_WEIGHT[kindOf(index, position)];
    if (at(match.found, position) === 0 || weight < SHOWN_KIND) continue;
    const covered = at(match.covered, position);
    if (covered >= CLEAR_UNIT || at(match.found, position) * covered >= 4) {
      rated.push({ position, value: weight * at(match.found, position) * Math.sqrt(covered) });
    }
  }
  return rated.sort((left, right) => right.value - left.value || left.position - right.position).map(({ position }) => position);
}

/**
 * Markets by need: BM25F over each market's phrases, the fit of the best single phrase, neighbouring words, and product
 * names, each market's words counted once in the choice of the next.
 */
export function searchIndex(query: Query, mentions: readonly Mention[], index: CatalogueIndex, limit: number): SearchResult {
  const match = matchUnits(query, index);
  const ranked = readClosely(rank(query, mentions, match, index), query, index);
  const evidence = weigh(ranked, query, mentions);
  const confidence = ranked.length === 0 ? 0 : confidenceOf(evidence);
  const best = ranked[0]?.total ?? 0;
  const hits = choose(ranked, query, limit).map((candidate) => ({
    category: candidate.category,
    score: best > 0 ? (confidence * candidate.total) / best : 0,
    units: unitsOf(candidate.category, match, index),
  }));
  return { confidence, hits, match };
}
