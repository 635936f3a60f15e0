import { type CatalogueAnswer, composeAnswer } from './catalogue-answer.ts';
import { rankMarkets, searchIndex } from './catalogue-search.ts';
import { type Compiled, openCompiled } from './compiled.ts';
import { openCompanyNames, type CompanyMatch, type CompanyNames } from './company-names.ts';
import { readText } from './reading.ts';
import { readable } from '#lib/readable.ts';
import { lru } from '#lib/lru.ts';
import type { Category } from './schema.ts';
import type { CompanyHome, Shelf } from './shelf.ts';
import { marketTerms } from './terms.ts';

export { openByParts as openCatalogueByParts } from './compiled.ts';
export { ASKED_FROM, NEAR_FROM } from './asked-features.ts';
export type { CatalogueAnswer } from './catalogue-answer.ts';
export { certaintyOf, SURE_FROM, UNSURE_FROM, type CertaintySignals } from './certainty.ts';
export { DOUBTFUL_BELOW, UNKNOWN_BELOW } from './confidence.ts';
export { isEverydayWord, isGermanWord } from './everyday-words.ts';
export { detectLanguage } from './language.ts';
export { marketsSaying, significantTerms } from './reading.ts';
export type { Language } from './lexicon.ts';
export { cosine } from './meanings.ts';
export type { CatalogueCompany, CatalogueFeature, Category, MarketType, Segment } from './schema.ts';
export { stem } from './stem.ts';
export { isProductTalk, marketTerms, rarityOf, shareIn, stemsOf, termsOf, withStems, type FeatureTerms, type MarketTerms } from './terms.ts';
export { tokenize } from './text.ts';

export type SearchOptions = {
  limit?: number;
  /** What of the text asks for features, where that is not all of it. */
  asks?: string;
  /** Ids of the markets that are meant, where that is known, and of those that are not. */
  markets?: readonly string[];
  except?: readonly string[];
};

export type Catalogue = {
  /** Every market, frozen, sorted by id: each read when its turn comes. */
  categories: Iterable<Category>;
  /** How many markets there are. */
  size: number;
  category: Shelf['category'];
  /** The markets that a company serves, its own first. */
  marketsOf(company: string): readonly string[];
  /** A company with its home category. */
  company(id: string): CompanyHome | undefined;
  /** Markets, companies and features for a text; `limit` bounds the markets, three by default. */
  search(text: string, options?: SearchOptions): CatalogueAnswer;
  /** The company that a name, former name or domain means. */
  companyCalled(name: string): CompanyMatch | undefined;
  /** Companies by name or domain, exact ones first, then alike ones with their similarity 0..1. */
  findCompanies(name: string, limit?: number): CompanyMatch[];
};

/** Whatever follows from the catalogue alone changes with the files of this folder. */
export const CATALOGUE_FOLDER = import.meta.dirname;

/** The stages of one research ask for the same few texts again and again, and many researches run at once. */
const REMEMBERED = 200;

type Opened = Compiled & { catalogue: Catalogue };

const DEFAULT_LIMIT = 3;
function open(): Opened {
  const compiled = openCompiled();
  const { shelf } = compiled;
  const recent = lru<CatalogueAnswer>(REMEMBERED);
  let names: CompanyNames | undefined;
  const named = (): CompanyNames => (names ??= openCompanyNames(shelf, CATALOGUE_FOLDER));
  const catalogue: Catalogue = {
    categories: shelf,
    size: shelf.size,
    category: shelf.category,
    company: shelf.company,
    marketsOf: (id) => {
      const home = shelf.company(id);
      return home ? shelf.servedBy(home.place).map(shelf.idOf) : [];
    },
    search: (written, { limit = DEFAULT_LIMIT, asks = written, markets, except } = {}) => {
      const [text, wishes] = [readable(written), readable(asks)];
      return recent(JSON.stringify([limit, text, wishes === text ? null : wishes, markets, except]), () => {
        const { query, mentions } = readText(text, compiled);
        const told = markets && placesOf(markets, shelf);
        const result = searchIndex(query, mentions, compiled, { limit, told, except: placesOf(except ?? [], shelf) });
        const named = new Set(mentions.map((mention) => mention.company));
        return composeAnswer(wishes, result, query, named, compiled);
      });
    },
    companyCalled: (name) => named().called(name),
    findCompanies: (name, limit) => named().find(name, limit),
  };
  return { catalogue: Object.freeze(catalogue), ...compiled };
}

const placesOf = (ids: readonly string[], { size, idOf }: Shelf): number[] => {
  const places = new Map(Array.from({ length: size }, (_, place) => [idOf(place), place]));
  return ids.flatMap((id) => places.get(id) ?? []);
};

let opened: Opened | undefined;
function openOnce(): Opened {
  opened ??= open();
  return opened;
}

/** The catalogue, read and indexed on the first call. */
export function openCatalogue(): Catalogue {
  return openOnce().catalogue;
}

/** How much a text says: 0 for contentless text or gibberish, towards 1 with every further content word of a known vocabulary. */
export function contentScore(text: string): number {
  const { query, mentions } = readText(text, openOnce());
  const content = query.terms.filter((term) => !term.weak);
  const real = content.filter((term) => term.real).length + mentions.length;
  const noise = content.length + mentions.length - real;
  const words = real - content.filter((term) => term.corrected).length * 0.5 + Math.min(noise, real) * 0.3;
  const share = real / (real + noise || 1);
  return Math.round((1 - Math.exp(-words / 3)) * share * 1000) / 1000;
}

/** The words of a text that a market speaks of, as they are written there: the most telling first. */
export function wordsFor(text: string, market: string, most: number): string[] {
  const { query } = readText(text, openOnce());
  const { bag, core } = marketTerms(market) ?? { bag: new Set<string>(), core: new Set<string>() };
  const written = new Map(query.tokens.map((token) => [token.word, token.written]));
  const rated = query.terms.flatMap(({ word, stems, weak, strength, mass }) => {
    const isSpokenOf = !weak && stems.some((stem) => core.has(stem) || bag.has(stem));
    return isSpokenOf && written.has(word) ? [{ word: written.get(word) ?? word, value: strength * mass }] : [];
  });
  const best = rated.sort((left, right) => right.value - left.value).map(({ word }) => word);
  return [...new Set(best)].slice(0, most);
}

const NEAR = 20;
/** Raising the shares to a power lets the few markets that fit speak louder than the many that fit a little. */
const SHARPNESS = 3;

/** The markets nearest to a text with their weight, 1 for the nearest: what the text is about, in numbers. */
export function marketsNear(text: string): [id: string, weight: number][] {
  const compiled = openOnce();
  const { query, mentions } = readText(text, compiled);
  const near = rankMarkets(query, mentions, compiled).slice(0, NEAR);
  const best = near[0]?.value ?? 1;
  return near.map(({ category, value }) => [compiled.shelf.idOf(category), (value / best) ** SHARPNESS]);
}

/** What English stems mean together, as a vector of length 1; undefined when none of them is known. */
export const meaningOf = (stems: Iterable<string>): Float32Array | undefined => openOnce().meanings.meaningOf(stems);
