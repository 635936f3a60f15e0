import type { CatalogueIndex } from './catalogue-index.ts';
import type { Hit, SearchResult } from './catalogue-search.ts';
import type { Query, QueryTerm } from './query.ts';
import type { CatalogueCompany, Category } from './schema.ts';
import { rememberingPer } from '#lib/remembering.ts';
import { stem } from './stem.ts';
import { wordsOf } from './text.ts';

/** Weight of telling words at which a company's fit reaches 63 %. */
const CERTAIN = 15;
/** A phrase of a feature counts by the share of it that the text says, raised to this. */
const WHOLE_PHRASE = 1.5;

const termsRead = rememberingPer<ReadonlySet<number>>(4000);

/** The catalogue's terms in the one line that is said of a company. */
const termsOf = (summary: string, index: CatalogueIndex): ReadonlySet<number> =>
  termsRead(index)(summary, () => new Set(wordsOf(summary).flatMap((word) => index.vocabulary.get(stem(word)) ?? [])));

const share = ({ alternatives }: QueryTerm, terms: ReadonlySet<number>): number =>
  Math.max(0, ...alternatives.map(({ term, weight }) => (terms.has(term) ? weight : 0)));

/** The companies of a market that count where a text is held against all it says of them. */
const LISTED = 14;
const NEAREST = 6;

/** Weight of a text's words in what is said of a market's companies: the mean of the nearest of those listed first. */
export function saidOfCompanies(query: Query, companies: readonly CatalogueCompany[], index: CatalogueIndex): number {
  const weights = companies.slice(0, LISTED).map(({ summary }) => {
    const terms = termsOf(summary, index);
    return query.terms.reduce((sum, term) => sum + term.strength * term.mass * share(term, terms), 0);
  });
  const nearest = weights.sort((left, right) => right - left).slice(0, NEAREST);
  return nearest.reduce((sum, weight) => sum + weight, 0) / NEAREST;
}

/**
 * How far each company of a market answers a text by what its one line says and by its features, 0 to 1. What most of
 * these companies have tells none from another; what one alone has tells all of its weight.
 */
export function companyFits(
  query: Query,
  hit: Hit,
  { match }: SearchResult,
  index: CatalogueIndex,
  holders: readonly { company: CatalogueCompany; features: readonly string[] }[],
): number[] {
  const fits = holders.map(() => 0);
  const all = Math.log(holders.length + 1);
  const add = (weight: number, shares: readonly number[]) => {
    const holding = shares.filter((held) => held > 0).length;
    if (holding === 0) return;
    const tells = weight * (1 - Math.log(holding) / all);
    shares.forEach((held, place) => (fits[place] = (fits[place] ?? 0) + tells * held));
  };
  const said = holders.map(({ company }) => termsOf(company.summary, index));
  for (const term of query.terms) {
    add(
      term.strength * term.mass,
      said.map((terms) => share(term, terms)),
    );
  }
  for (const [feature, weight] of featureWeights(hit, match, index)) {
    add(
      weight,
      holders.map(({ features }) => Number(features.includes(feature))),
    );
  }
  return fits.map((sum) => 1 - Math.exp(-sum / CERTAIN));
}

/** How much of the text the best phrase of each feature says. */
function featureWeights({ category: at }: Hit, match: SearchResult['match'], index: CatalogueIndex): Map<string, number> {
  const features: Category['features'] = index.categories[at]?.features ?? [];
  const weights = new Map<string, number>();
  const [first, end] = index.unitRanges[at] ?? [0, 0];
  for (let position = first; position < end; position += 1) {
    const feature = features[index.units.features[position] ?? -1];
    const found = match.found[position] ?? 0;
    if (!feature || found === 0) continue;
    const weight = found * (match.covered[position] ?? 0) ** WHOLE_PHRASE;
    if (weight > (weights.get(feature.id) ?? 0)) weights.set(feature.id, weight);
  }
  return weights;
}
