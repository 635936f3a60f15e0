import { unitTexts, type CatalogueIndex } from './catalogue-index.ts';
import type { Hit, SearchResult } from './catalogue-search.ts';
import { companyFits } from './company-fit.ts';
import type { Language } from './lexicon.ts';
import type { Query } from './query.ts';
import type { CatalogueCompany, CatalogueFeature, Category } from './schema.ts';
import type { CompanyHome, Shelf } from './shelf.ts';

type MatchedCategory = { category: Category; score: number; matched: string[] };
type MatchedCompany = {
  company: CatalogueCompany;
  category: Category;
  features: string[];
  score: number;
  matchedFeatures: string[];
};
type MatchedFeature = {
  feature: CatalogueFeature;
  category: Category;
  askedFor: boolean;
  heldBy: string[];
  frequency: number;
};
export type CatalogueAnswer = {
  language: Language;
  /** 0 = nothing known about this text, 1 = certain; below `UNKNOWN_BELOW` the market is unknown. */
  confidence: number;
  categories: MatchedCategory[];
  companies: MatchedCompany[];
  features: MatchedFeature[];
};

/** A company that serves a market, with its rank there. */
type Holder = CompanyHome & { features: readonly string[]; rank: number };

const MATCHED_SHOWN = 8;
const ASKED_COVERAGE = 0.75;
/** Weight that a match needs to count as a wish; a single common word stays below it. */
const ASKED_WEIGHT = 2;
/** Where the first company of another file stands when its place is not told. */
const LINKED_FROM = 3;
const OVERLAP_SHARE = 0.2;
const FIT_SHARE = 0.5;
const PROMINENCE_LOSS = 0.04;
const NAMED_BONUS = 0.25;
const HOME_BONUS = 0.2;
/** By what a summary or an address tells that a product is made where a language is spoken. */
const HOMES: Readonly<Partial<Record<Language, RegExp>>> = {
  de: /\b(?:German|Germany|Austrian?|Swiss|Berlin|Munich|Vienna|Hamburg)\b|\.(?:de|at|ch)$/,
  fr: /\b(?:French|France|Paris|Belgian|Quebec)\b|\.fr$/,
  es: /\b(?:Spanish|Spain|Barcelona|Madrid|Latin America[n]?|Mexic\w+|Argentin\w+|Chile\w*|Colombia\w*|Peru\w*)\b|\.(?:es|mx|cl|ar|co|pe)$/,
  pt: /\b(?:Brazil\w*|Portug\w+|São Paulo|Lisbon)\b|\.(?:br|pt)$/,
};

const round = (value: number) => Math.round(value * 1000) / 1000;

/** Home companies in file order, and those of other files before whoever holds the place they were given, else a little after their own order. */
function holdersOf(at: number, category: Category, shelf: Shelf): Holder[] {
  const [first] = shelf.companiesOf(at);
  const own = category.companies.map((company, rank): Holder => ({ company, category, place: first + rank, features: company.features, rank }));
  const linked = category.also.flatMap((link, order): Holder[] => {
    const home = shelf.company(link.company);
    const rank = link.place === undefined ? order + LINKED_FROM : link.place - 0.5;
    return home ? [{ company: home.company, category, place: home.place, features: link.features, rank }] : [];
  });
  return [...own, ...linked];
}

function askedFeatures({ matches }: Hit, index: CatalogueIndex): Set<number> {
  const asked = new Set<number>();
  for (const { unit, found, covered } of matches) {
    const feature = index.units.features[unit] ?? -1;
    if (feature >= 0 && covered >= ASKED_COVERAGE && found >= ASKED_WEIGHT) asked.add(feature);
  }
  return asked;
}

function matchedTexts({ category: at, units }: Hit, category: Category, index: CatalogueIndex): string[] {
  const texts = unitTexts(category);
  const [first] = index.unitRanges[at] ?? [0];
  return [...new Set(units.flatMap((unit) => texts[unit - first] ?? []))].slice(0, MATCHED_SHOWN);
}

function companiesOf(
  holders: readonly Holder[],
  asked: ReadonlySet<string>,
  hit: Hit,
  named: ReadonlySet<number>,
  language: Language,
  fits: readonly number[],
): MatchedCompany[] {
  return holders.map(({ company, category, place, features, rank }, at) => {
    const matchedFeatures = features.filter((feature) => asked.has(feature));
    const overlap = asked.size > 0 ? matchedFeatures.length / asked.size : 1;
    const prominence = Math.max(0.5, 1 - PROMINENCE_LOSS * rank);
    const bonus = (named.has(place) ? 1 + NAMED_BONUS : 1) * (isAtHome(company, language) ? 1 + HOME_BONUS : 1);
    const nearness = (1 - OVERLAP_SHARE + OVERLAP_SHARE * overlap) * (1 - FIT_SHARE + FIT_SHARE * (fits[at] ?? 0));
    const score = Math.min(1, hit.score * nearness * prominence * bonus);
    return { company, category, features: [...features], score: round(score), matchedFeatures };
  });
}

/** Whoever writes in a language has the products of its countries as rivals first. */
const isAtHome = ({ summary, domain }: CatalogueCompany, language: Language): boolean =>
  HOMES[language]?.test(summary) === true || HOMES[language]?.test(domain) === true;

function featuresOf(category: Category, holders: readonly Holder[], asked: ReadonlySet<string>): MatchedFeature[] {
  return category.features.map((feature) => {
    const heldBy = holders.filter((holder) => holder.features.includes(feature.id)).map((holder) => holder.company.id);
    const frequency = holders.length > 0 ? round(heldBy.length / holders.length) : 0;
    return { feature, category, askedFor: asked.has(feature.id), heldBy, frequency };
  });
}

/** Each company once, in the first market that has it, with its best score. */
function inBestMarket(companies: readonly MatchedCompany[]): MatchedCompany[] {
  const kept = new Map<string, MatchedCompany>();
  for (const entry of companies) {
    const earlier = kept.get(entry.company.id);
    kept.set(entry.company.id, earlier ? { ...earlier, score: Math.max(earlier.score, entry.score) } : entry);
  }
  return [...kept.values()];
}

/** Joins the markets found with their companies and features; a company of two markets stands once, in the better market. */
export function composeAnswer(
  result: SearchResult,
  query: Query,
  named: ReadonlySet<number>,
  { index, shelf }: { index: CatalogueIndex; shelf: Shelf },
): CatalogueAnswer {
  const answer: CatalogueAnswer = {
    language: query.language,
    confidence: round(result.confidence),
    categories: [],
    companies: [],
    features: [],
  };
  for (const hit of result.hits) {
    const category = shelf.at(hit.category);
    if (!category) continue;
    const holders = holdersOf(hit.category, category, shelf);
    const positions = askedFeatures(hit, index);
    const asked = new Set(category.features.filter((_, position) => positions.has(position)).map((feature) => feature.id));
    answer.categories.push({ category, score: round(hit.score), matched: matchedTexts(hit, category, index) });
    answer.companies.push(...companiesOf(holders, asked, hit, named, query.language, companyFits(query, hit, category, index, holders)));
    answer.features.push(...featuresOf(category, holders, asked));
  }
  answer.companies = inBestMarket(answer.companies).sort((left, right) => right.score - left.score);
  return answer;
}
