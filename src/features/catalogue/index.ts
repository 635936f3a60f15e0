import { type CatalogueAnswer, composeAnswer } from './catalogue-answer.ts';
import { rankMarkets, searchIndex } from './catalogue-search.ts';
import { type Compiled, openCompiled } from './compiled.ts';
import { openCompanyNames, type CompanyMatch, type CompanyNames } from './company-names.ts';
import { readText } from './reading.ts';
import { remembering } from '#lib/remembering.ts';
import type { Category } from './schema.ts';
import type { CompanyHome, Shelf } from './shelf.ts';

export { ASKED_FROM, NEAR_FROM } from './asked-features.ts';
export type { CatalogueAnswer } from './catalogue-answer.ts';
export { DOUBTFUL_BELOW, UNKNOWN_BELOW } from './confidence.ts';
export { detectLanguage } from './language.ts';
export { marketsSaying, significantTerms } from './reading.ts';
export type { Language } from './lexicon.ts';
export type { CatalogueCompany, CatalogueFeature, Category, MarketType, Segment } from './schema.ts';
export { stem } from './stem.ts';
export { isProductTalk, marketTerms, rarityOf, shareIn, stemsOf, termsOf, withStems, type FeatureTerms, type MarketTerms } from './terms.ts';
export { tokenize } from './text.ts';

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
  search(text: string, options?: { limit?: number }): CatalogueAnswer;
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
  const recent = remembering<CatalogueAnswer>(REMEMBERED);
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
    search: (text, { limit = DEFAULT_LIMIT } = {}) =>
      recent(`${limit} ${text}`, () => {
        const { query, mentions } = readText(text, compiled);
        const result = searchIndex(query, mentions, compiled, limit);
        const named = new Set(mentions.map((mention) => mention.company));
        return composeAnswer(text, result, query, named, compiled);
      }),
    companyCalled: (name) => named().called(name),
    findCompanies: (name, limit) => named().find(name, limit),
  };
  return { catalogue: Object.freeze(catalogue), ...compiled };
}

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
