import { termOf } from './catalogue-index.ts';
import { openCompiled } from './compiled.ts';
import { marketsSaying, significantTerms } from './reading.ts';
import type { CatalogueFeature, Category } from './schema.ts';
import { stem } from './stem.ts';
import { tokenize, wordsOf } from './text.ts';
import { readable } from '#lib/readable.ts';
import { lru } from '#lib/lru.ts';

/** Words of product talk: they stand in any idea and tell none from another. */
const PRODUCT_TALK = withStems(
  `app apps application website web site online internet platform tool tools software service services system solution product startup business company
  idea thing things something anything everything stuff way time day make made build built create creat help helps user users people person everyone
  feature features simple simpl easy easi easier smart ai automatic automat automatically better best good great nice cool new fast quick free want need
  like just really work works get let use used using one two first many much more other different also able lot bit phone mobile mobil problem problem
  always alway never often hate love find start give show know keep say tell think able can will would should could right real every useful surprise world place everywhere nowhere anywhere somewhere elsewhere`.split(
    /\s+/,
  ),
);

/** Words together with their stems, so that either form is found. */
export function withStems(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => [word, stem(word)]));
}

export const isProductTalk = (term: string): boolean => PRODUCT_TALK.has(term) || PRODUCT_TALK.has(stem(term));

/** One research asks for the terms of the same few clauses again and again. */
const remembered = lru<readonly string[]>(4000);

/** The telling stems of a text in English, without product talk; each once, in order. */
export function termsOf(text: string): readonly string[] {
  return remembered(text, () => [...new Set(significantTerms(text).filter((term) => term.length > 1 && !isProductTalk(term)))]);
}

/** The same of a line of the catalogue, which is English, has no misspelling and names no product. */
function plainTermsOf(line: string): string[] {
  const { lexicon } = openCompiled();
  const stems = wordsOf(line).flatMap((word) => termOf(word, 'en', lexicon) ?? []);
  return [...new Set(stems.filter((term) => term.length > 1 && !isProductTalk(term)))];
}

/** Stems of plain English text, cheap: for pages and catalogue lines that need no spelling help. */
export const stemsOf = (text: string): string[] => wordsOf(readable(text)).map(stem);

/** Share of `wanted` that stands in `given`, 0 to 1; 0 for nothing wanted. */
export function shareIn(wanted: readonly string[], given: ReadonlySet<string>): number {
  if (wanted.length === 0) return 0;
  return wanted.filter((term) => given.has(term)).length / wanted.length;
}

const FEW_WORDS = 2;

/** A phrase of three words or more of which one alone tells anything ("places for dementia") says something else than that word. */
const isWhole = (phrase: string): boolean => plainTermsOf(phrase).length > 1 || tokenize(phrase).length <= FEW_WORDS;

export type FeatureTerms = {
  feature: CatalogueFeature;
  /** Its name and the phrases by which people ask for it. */
  units: readonly (readonly string[])[];
  description: readonly string[];
  bag: ReadonlySet<string>;
};
export type MarketTerms = {
  category: Category;
  features: readonly FeatureTerms[];
  /** Stems that the whole market speaks of: they tell none of its features from another. */
  core: ReadonlySet<string>;
  /** Everything the market's description says. */
  bag: ReadonlySet<string>;
  /** How much a stem tells one of its features from the others: rare among the markets, and among its own features. */
  weightOf(term: string): number;
};

/** How rare a stem is among the markets: the logarithm of markets per market that speaks of it. */
export const rarityOf = (term: string): number => Math.log(openCompiled().shelf.size / Math.max(1, marketsSaying(term)));

/** The same, flattened for the rarest: a word that few markets happen to use is not thereby certain. */
const softRarityOf = (term: string): number => Math.log1p(openCompiled().shelf.size / (marketsSaying(term) + RARE_MARKETS));
const RARE_MARKETS = 3;
const LEAST_WEIGHT = 0.05;

/** About as many as the researches of one moment are in. */
const read = lru<MarketTerms | undefined>(150);

/** The vocabulary of a market, kept while researches are in it. */
export const marketTerms = (id: string): MarketTerms | undefined => read(id, () => readTerms(id));

function readTerms(id: string): MarketTerms | undefined {
  const category = openCompiled().shelf.category(id);
  if (!category) return undefined;
  const features = category.features.map((feature): FeatureTerms => {
    const units = [feature.name, ...feature.terms.filter(isWhole)].map(plainTermsOf).filter((unit) => unit.length > 0);
    return { feature, units, description: plainTermsOf(feature.description), bag: new Set([...units.flat(), ...stemsOf(feature.description)]) };
  });
  return { category, features, core: coreOf(category, features), bag: bagOf(category, features), weightOf: weightsIn(features) };
}

/** What every feature of the market shares tells nothing, what one alone says tells all of its rarity. */
function weightsIn(features: readonly FeatureTerms[]): (term: string) => number {
  const holders = new Map<string, number>();
  for (const { bag } of features) for (const term of bag) holders.set(term, (holders.get(term) ?? 0) + 1);
  const all = Math.log(features.length + 1);
  const weigh = (term: string, held: number): number => LEAST_WEIGHT + softRarityOf(term) * (1 - Math.log(held) / all);
  const weights = new Map([...holders].map(([term, held]) => [term, weigh(term, held)]));
  return (term) => weights.get(term) ?? weigh(term, 1);
}

function coreOf(category: Category, features: readonly FeatureTerms[]): Set<string> {
  const core = new Set([category.name, ...category.aliases].flatMap(plainTermsOf));
  const seen = new Map<string, number>();
  for (const { units } of features) for (const term of new Set(units.flat())) seen.set(term, (seen.get(term) ?? 0) + 1);
  for (const [term, times] of seen) if (times >= 4) core.add(term);
  return core;
}

function bagOf(category: Category, features: readonly FeatureTerms[]): Set<string> {
  const lines = [category.name, ...category.aliases, ...category.use_cases, ...category.needs, ...category.keywords, ...category.audience];
  return new Set([...lines.flatMap(stemsOf), ...features.flatMap(({ bag }) => [...bag])]);
}
