import { readFileSync } from 'node:fs';
import type { SearchResult } from './catalogue-search.ts';
import type { Query } from './query.ts';

/** What tells how surely the first market of an answer is the one that a text means; the weights are learnt by bench/eval/learn-certainty.ts. */
export type CertaintySignals = Readonly<
  Record<
    /** The search's own evidence: how much of the text the catalogue knows, and how much of that the best market says. */
    | 'known'
    | 'matched'
    | 'cover'
    | 'alone'
    | 'lead'
    | 'confidence'
    /** How far the first market stands above the second, the third and the mean of the next ones. */
    | 'margin'
    | 'marginThird'
    | 'marginField'
    | 'wordMargin'
    /** How near it is in meaning, and how much nearer than the nearest other one. */
    | 'nearness'
    | 'nearnessMargin'
    /** How much of the text its companies' lines say, and how much more than those of the others. */
    | 'companies'
    | 'companiesMargin'
    /** Its share of what all near markets score, each to a high power. */
    | 'share'
    /** What of it is asked for, and how much more than of the others. */
    | 'asked'
    | 'askedMargin'
    /** Whether it was first before what is asked for was looked at. */
    | 'agrees'
    | 'product'
    | 'terms'
    | 'english',
    number
  >
>;

const SHARPNESS = 8;
const FIELD = 3;

/** @param found the markets found, in the order in which they are given */
export function signalsOf(
  { confidence, evidence, fits }: SearchResult,
  query: Query,
  found: readonly { hit: { category: number }; asked: number }[],
): CertaintySignals {
  const first = fits.find(({ category }) => category === found[0]?.hit.category);
  const others = fits.filter((fit) => fit !== first);
  const over = (own: number, other: number): number => (own > 0 ? (own - other) / own : 0);
  const most = (pick: (fit: (typeof fits)[number]) => number): number => Math.max(0, ...others.map(pick));
  const value = first?.value ?? 0;
  const field = others.slice(FIELD);
  const total = fits.reduce((sum, fit) => sum + fit.value ** SHARPNESS, 0);
  const [asked, ...askedElsewhere] = found.map((one) => one.asked);
  return {
    ...evidence,
    confidence,
    margin: over(value, others[0]?.value ?? 0),
    marginThird: over(value, others[1]?.value ?? 0),
    marginField: over(value, field.reduce((sum, fit) => sum + fit.value, 0) / Math.max(1, field.length)),
    wordMargin: over(
      first?.words ?? 0,
      most(({ words }) => words),
    ),
    nearness: first?.nearness ?? 0,
    nearnessMargin: (first?.nearness ?? 0) - most(({ nearness }) => nearness),
    companies: first?.companies ?? 0,
    companiesMargin: (first?.companies ?? 0) - most(({ companies }) => companies),
    share: total > 0 ? value ** SHARPNESS / total : 0,
    asked: asked ?? 0,
    askedMargin: (asked ?? 0) - Math.max(0, ...askedElsewhere),
    agrees: first !== undefined && first === fits[0] ? 1 : 0,
    product: Math.min(1, first?.product ?? 0),
    terms: Math.log1p(query.terms.filter(({ weak }) => !weak).length),
    english: query.language === 'en' ? 1 : 0,
  };
}

/**
 * From here on the market is taken to be known: the least at which no more than 3 % of held-out ideas are sure of a wrong one
 * (bench/eval/learn-certainty.ts). Below the other nothing near to it is known.
 */
export const SURE_FROM = 0.5;
export const UNSURE_FROM = 0.15;

type Learnt = { bias: number; weights: CertaintySignals };
let learnt: Learnt | undefined;
const openLearnt = (): Learnt => (learnt ??= JSON.parse(readFileSync(new URL('./certainty-weights.json', import.meta.url), 'utf8')) as Learnt);

/** How likely it is, 0 to 1, that the first market of an answer is the one that the text means. */
export function certaintyOf(signals: CertaintySignals): number {
  const { bias, weights } = openLearnt();
  const names = Object.keys(weights) as (keyof CertaintySignals)[];
  return 1 / (1 + Math.exp(-names.reduce((sum, name) => sum + weights[name] * signals[name], bias)));
}
