import type { CatalogueIndex } from './catalogue-index.ts';
import type { Hit, SearchResult } from './catalogue-search.ts';
import type { Query } from './query.ts';
import type { CatalogueCompany, Category } from './schema.ts';
import { rememberingPer } from '#lib/remembering.ts';
import { stem } from './stem.ts';
import { wordsOf } from './text.ts';

/** Weight of telling words at which a company's fit reaches 63 %. */
const CERTAIN = 10;
/** A phrase of a feature counts by the share of it that the text says, raised to this. */
const WHOLE_PHRASE = 1.5;

const termsRead = rememberingPer<ReadonlySet<number>>(20_000);

/** The catalogue's terms in the one line that is said of a company. */
const termsOf = (summary: string, index: CatalogueIndex): ReadonlySet<number> =>
  termsRead(index)(summary, () => new Set(wordsOf(summary).flatMap((word) => index.vocabulary.get(stem(word)) ?? [])));

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
    const holding = shares.filter((share) => share > 0).length;
    if (holding === 0) return;
    const tells = weight * (1 - Math.log(holding) / all);
    shares.forEach((share, place) => (fits[place] = (fits[place] ?? 0) + tells * share));
  };
  const said = holders.map(({ company }) => termsOf(company.summary, index));
  for (const { alternatives, strength, mass } of query.terms) {
    add(
      strength * mass,
      said.map((terms) => Math.max(0, ...alternatives.map(({ term, weight }) => (terms.has(term) ? weight : 0)))),
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
