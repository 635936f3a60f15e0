import type { CatalogueIndex } from './catalogue-index.ts';
import type { Hit } from './match-units.ts';
import { weightOf } from './match-units.ts';
import type { Query } from './query.ts';
import type { CatalogueCompany, Category } from './schema.ts';

/** Weight of telling words at which a company's fit reaches 63 %. */
const CERTAIN = 15;
/** A phrase of a feature counts by the share of it that the text says, raised to this. */
const WHOLE_PHRASE = 1.5;
/** The same for a need. */
const WHOLE_NEED = 0.7;
/** What each place among the answers to a need costs. */
const LATER = 0.08;
/** So many of the companies that fit best say what kind of company is wanted. */
const LEADING = 4;
/** Share of the best fit that a company gains which stands beside the leading ones more than any other does. */
const LIKENESS = 0.7;
/** How far somebody who stands in many lists is no sign: each of them counts by the number of lists to this power. */
const COMMON = 0.8;

/** How far the one line that is said of a company, by its place among all companies, says each term of a query, 0..1. */
export type SaidBy = (company: number) => Float64Array;

/** Reads a query against the lines that are said of companies. */
export function saidBy(query: Query, { summaries: { values, ends } }: CatalogueIndex): SaidBy {
  const asked = new Map<number, { position: number; weight: number }[]>();
  query.terms.forEach(({ alternatives }, position) => {
    for (const { term, weight } of alternatives) asked.set(term, [...(asked.get(term) ?? []), { position, weight }]);
  });
  return (company) => {
    const shares = new Float64Array(query.terms.length);
    const end = ends[company + 1] ?? 0;
    for (let place = ends[company] ?? 0; place < end; place += 1) {
      for (const { position, weight } of asked.get(values[place] ?? 0) ?? []) shares[position] = Math.max(shares[position] ?? 0, weight);
    }
    return shares;
  };
}

/** The companies of a market that count where a text is held against all it says of them. */
const LISTED = 14;
const NEAREST = 6;

/** Weight of a text's words in what is said of a market's companies: the mean of the nearest of those listed first. */
export function saidOfCompanies([first, end]: readonly [number, number], query: Query, said: SaidBy): number {
  const weights: number[] = [];
  for (let company = first; company < Math.min(end, first + LISTED); company += 1) {
    const shares = said(company);
    weights.push(query.terms.reduce((sum, term, position) => sum + weightOf(term) * (shares[position] ?? 0), 0));
  }
  const nearest = weights.sort((left, right) => right - left).slice(0, NEAREST);
  return nearest.reduce((sum, weight) => sum + weight, 0) / NEAREST;
}

/**
 * How far each company of a market answers a text by what its one line says, by its features and by the needs that it is
 * an answer to, 0 to 1. What most of these companies have tells none from another; what one alone has tells all of its
 * weight.
 */
export function companyFits(
  query: Query,
  hit: Hit,
  category: Category,
  index: CatalogueIndex,
  holders: readonly { company: CatalogueCompany; place: number; features: readonly string[] }[],
): number[] {
  const fits = holders.map(() => 0);
  const all = Math.log(holders.length + 1);
  const add = (weight: number, shares: readonly number[]) => {
    const holding = shares.filter((held) => held > 0).length;
    if (holding === 0) return;
    const tells = weight * (1 - Math.log(holding) / all);
    shares.forEach((held, place) => (fits[place] = (fits[place] ?? 0) + tells * held));
  };
  const said = saidBy(query, index);
  const lines = holders.map(({ place }) => said(place));
  query.terms.forEach((term, position) =>
    add(
      weightOf(term),
      lines.map((shares) => shares[position] ?? 0),
    ),
  );
  for (const [feature, weight] of featureWeights(hit, category.features, index)) {
    add(
      weight,
      holders.map(({ features: own }) => Number(own.includes(feature))),
    );
  }
  const answering = answerWeights(hit, category, index);
  holders.forEach(({ company }, place) => (fits[place] = (fits[place] ?? 0) + (answering.get(company.id) ?? 0)));
  const best = Math.max(0, ...fits);
  return likeness(fits, category, holders).map((like, place) => 1 - Math.exp(-((fits[place] ?? 0) + LIKENESS * best * like) / CERTAIN));
}

/**
 * How far each company stands where those that fit best stand: an answer to the same needs, a holder of the same features.
 * Few words of a text say what kind of company is wanted, and the first ones that they find say the rest (feedback from
 * the first answers, Rocchio 1971). 1 for whoever does so most.
 */
function likeness(
  fits: readonly number[],
  { answered_by: answers, features }: Category,
  holders: readonly { company: CatalogueCompany; features: readonly string[] }[],
): number[] {
  const places = new Map(holders.map(({ company }, place) => [company.id, place]));
  const lists = [
    ...Object.values(answers).map((companies) => companies.flatMap((company) => places.get(company) ?? [])),
    ...features.map(({ id }) => holders.flatMap((holder, place) => (holder.features.includes(id) ? [place] : []))),
  ];
  const standsIn = holders.map(() => 0);
  for (const list of lists) for (const place of list) standsIn[place] = (standsIn[place] ?? 0) + 1;
  const each = standsIn.map((count) => 1 / Math.max(1, count) ** COMMON);
  const leading = new Set(
    fits
      .map((_, place) => place)
      .sort((left, right) => (fits[right] ?? 0) - (fits[left] ?? 0))
      .slice(0, LEADING),
  );
  const like = holders.map(() => 0);
  for (const list of lists) {
    const led = list.reduce((sum, place) => sum + (leading.has(place) ? (fits[place] ?? 0) * (each[place] ?? 0) : 0), 0) / Math.max(1, list.length);
    for (const place of list) like[place] = (like[place] ?? 0) + led * (each[place] ?? 0);
  }
  const most = Math.max(...like) || 1;
  return like.map((value) => value / most);
}

/** How much of the text the needs say that each company is an answer to; whoever is named later counts a little less. */
function answerWeights({ category: at, matches }: Hit, { needs, answered_by: answers }: Category, index: CatalogueIndex): Map<string, number> {
  const weights = new Map<string, number>();
  // Its needs are the first units of a market.
  const [first] = index.unitRanges[at] ?? [0];
  for (const { unit, found, covered } of matches) {
    for (const [order, company] of (answers[needs[unit - first] ?? ''] ?? []).entries())
      weights.set(company, (weights.get(company) ?? 0) + found * covered ** WHOLE_NEED * (1 - LATER * order));
  }
  return weights;
}

/** How much of the text the best phrase of each feature says. */
function featureWeights({ matches }: Hit, features: Category['features'], index: CatalogueIndex): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { unit, found, covered } of matches) {
    const feature = features[index.units.features[unit] ?? -1];
    if (!feature) continue;
    const weight = found * covered ** WHOLE_PHRASE;
    if (weight > (weights.get(feature.id) ?? 0)) weights.set(feature.id, weight);
  }
  return weights;
}
