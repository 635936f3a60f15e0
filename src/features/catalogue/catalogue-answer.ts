import { wishesIn, type Wish } from './asked-features.ts';
import { unitTexts, type CatalogueIndex } from './catalogue-index.ts';
import type { SearchResult } from './catalogue-search.ts';
import type { Hit } from './match-units.ts';
import { signalsOf, type CertaintySignals } from './certainty.ts';
import { companyFits } from './company-fit.ts';
import { areaOf, isMadeElsewhere, isMadeIn } from './home.ts';
import type { ForeignLanguage, Language } from './lexicon.ts';
import type { Query } from './query.ts';
import type { CatalogueCompany, CatalogueFeature, Category } from './schema.ts';
import type { CompanyHome, Shelf } from './shelf.ts';
import { normalise } from './text.ts';

type MatchedCategory = { category: Category; score: number; matched: string[] };
type MatchedCompany = { company: CatalogueCompany; category: Category; features: string[]; score: number };
type MatchedFeature = {
  feature: CatalogueFeature;
  category: Category;
  /** How surely the text asks for it, 0 to 1, and the part of it that does so most. */
  certainty: number;
  clause: string;
  heldBy: string[];
  frequency: number;
};
export type CatalogueAnswer = {
  language: Language;
  /** 0 = nothing known about this text, 1 = certain; below `UNKNOWN_BELOW` the market is unknown. */
  confidence: number;
  /** What tells how surely the first market is the one that is meant. */
  signals: CertaintySignals;
  categories: MatchedCategory[];
  companies: MatchedCompany[];
  features: MatchedFeature[];
};

/** A company that serves a market, with its rank there. */
type Holder = CompanyHome & { features: readonly string[]; rank: number };

const MATCHED_SHOWN = 8;
/** Where the first company of another file stands when its place is not told. */
const LINKED_FROM = 3;
const OVERLAP_SHARE = 0.3;
/** Wishes that a text does not tell: whoever has the one thing recognised need not have all that is wanted. */
const UNTOLD = 1;
const FIT_SHARE = 0.8;
const PROMINENCE_LOSS = 0.04;
const NAMED_BONUS = 0.25;
/** What the products gain that an idea's own country knows first, and what those lose that serve another one. */
const HOME_BONUS = 0.4;
const AWAY_LOSS = 0.2;
/** Less is recorded of products that one country alone knows: they are taken to have this share of what is asked for at least. */
const HOME_HELD = 0.8;

/** So many of the things that a text asks for in a market tell whether it is the one meant. */
const TELLING_WISHES = 3;
/** Share of its score that a market loses for each thing less than the market of which most is asked for. */
const ASKED_ELSEWHERE = 0.1;

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
  // Several that stand before the same company keep their order.
  return [...own, ...linked].sort((left, right) => left.rank - right.rank).map((holder, rank) => ({ ...holder, rank }));
}

function matchedTexts({ category: at, units }: Hit, category: Category, index: CatalogueIndex): string[] {
  const texts = unitTexts(category);
  const [first] = index.unitRanges[at] ?? [0];
  return [...new Set(units.flatMap((unit) => texts[unit - first] ?? []))].slice(0, MATCHED_SHOWN);
}

/** How each company stands with somebody of an area: its rank there and what that does to its score. */
function standingIn(area: ForeignLanguage | undefined, { locally }: Category): (holder: Holder) => { rank: number; factor: number } {
  if (!area) return ({ rank }) => ({ rank, factor: 1 });
  const named = locally[area] ?? [];
  return ({ company, rank }) => {
    const place = named.indexOf(company.id);
    if (place >= 0) return { rank: place, factor: 1 + HOME_BONUS };
    if (named.length === 0 && isMadeIn(company, area)) return { rank, factor: 1 + HOME_BONUS };
    return { rank: rank + named.length, factor: isMadeElsewhere(company, area) ? 1 - AWAY_LOSS : 1 };
  };
}

const sumOf = (wishes: readonly Wish[]): number => wishes.reduce((sum, { certainty }) => sum + certainty, 0);

function companiesOf(
  holders: readonly Holder[],
  wishes: readonly Wish[],
  hit: Hit,
  named: ReadonlySet<number>,
  standing: ReturnType<typeof standingIn>,
  fits: readonly number[],
): MatchedCompany[] {
  const wanted = sumOf(wishes);
  return holders.map((holder, at) => {
    const { company, category, place, features } = holder;
    const { rank, factor } = standing(holder);
    const held = (sumOf(wishes.filter(({ feature }) => features.includes(feature))) + UNTOLD / 2) / (wanted + UNTOLD);
    const overlap = factor > 1 ? Math.max(held, HOME_HELD) : held;
    const prominence = Math.max(0.5, 1 - PROMINENCE_LOSS * rank);
    const bonus = (named.has(place) ? 1 + NAMED_BONUS : 1) * factor;
    const nearness = (1 - OVERLAP_SHARE + OVERLAP_SHARE * overlap) * (1 - FIT_SHARE + FIT_SHARE * (fits[at] ?? 0));
    const score = Math.min(1, hit.score * nearness * prominence * bonus);
    return { company, category, features: [...features], score: round(score) };
  });
}

function featuresOf(category: Category, holders: readonly Holder[], wishes: readonly Wish[]): MatchedFeature[] {
  return category.features.map((feature, at) => {
    const heldBy = holders.filter((holder) => holder.features.includes(feature.id)).map((holder) => holder.company.id);
    const frequency = holders.length > 0 ? round(heldBy.length / holders.length) : 0;
    const { certainty = 0, clause = '' } = wishes[at] ?? {};
    return { feature, category, certainty: round(certainty), clause, heldBy, frequency };
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

/** Of a maker's products whose names say the same, as "Acronis" and "Acronis Cyber Protect" do, the one that stands first. */
function oncePerLine(companies: readonly MatchedCompany[]): MatchedCompany[] {
  const shown = new Map<string, string[]>();
  return companies.filter(({ company }) => {
    const name = `${normalise(company.name)} `;
    const earlier = shown.get(company.domain) ?? [];
    if (earlier.some((other) => name.startsWith(other) || other.startsWith(name))) return false;
    shown.set(company.domain, [...earlier, name]);
    return true;
  });
}

type Found = { hit: Hit; category: Category; wishes: readonly Wish[]; asked: number };

/** The markets found, those first of which most is asked for: cleaners who speak of wages want a payroll, not another plan of their rounds. */
function byWishes(text: string, { hits, confidence }: SearchResult, shelf: Shelf): Found[] {
  const found = hits.flatMap((hit): Found[] => {
    const category = shelf.at(hit.category);
    if (!category) return [];
    const wishes = wishesIn(text, category, confidence);
    const surest = wishes.toSorted((left, right) => right.certainty - left.certainty).slice(0, TELLING_WISHES);
    return [{ hit, category, wishes, asked: sumOf(surest) }];
  });
  const most = Math.max(...found.map(({ asked }) => asked));
  return found
    .map((one) => ({ ...one, hit: { ...one.hit, score: one.hit.score * (1 - ASKED_ELSEWHERE * (most - one.asked)) } }))
    .sort((left, right) => right.hit.score - left.hit.score);
}

/** Joins the markets found with their companies and features; a company of two markets stands once, in the better market. */
export function composeAnswer(
  text: string,
  result: SearchResult,
  query: Query,
  named: ReadonlySet<number>,
  { index, shelf }: { index: CatalogueIndex; shelf: Shelf },
): CatalogueAnswer {
  const found = byWishes(text, result, shelf);
  const answer: CatalogueAnswer = {
    language: query.language,
    confidence: round(result.confidence),
    signals: signalsOf(result, query, found),
    categories: [],
    companies: [],
    features: [],
  };
  const area = areaOf(query);
  for (const { hit, category, wishes } of found) {
    const holders = holdersOf(hit.category, category, shelf);
    answer.categories.push({ category, score: round(hit.score), matched: matchedTexts(hit, category, index) });
    const fits = companyFits(query, hit, category, index, holders);
    answer.companies.push(...companiesOf(holders, wishes, hit, named, standingIn(area, category), fits));
    answer.features.push(...featuresOf(category, holders, wishes));
  }
  answer.companies = oncePerLine(inBestMarket(answer.companies).sort((left, right) => right.score - left.score));
  return answer;
}
