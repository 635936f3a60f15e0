import type { CatalogueIndex } from './catalogue-index.ts';
import type { Hit } from './catalogue-search.ts';
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
  return fits.map((sum) => 1 - Math.exp(-sum / CERTAIN));
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
