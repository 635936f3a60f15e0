import { openCatalogue, UNKNOWN_BELOW, wordsFor, type Category } from '#features/catalogue';
import { certaintyIn, type Interpretation } from '../analyst.ts';
import { quotesFrom, spanOf, type Span } from '../grounding/spans.ts';
import { chooseMarkets } from '../rule-analyst/markets.ts';
import { unaskedIn, withoutUnasked } from '../rule-analyst/unasked.ts';
import type { IdeaInterpretation, MarketReading, SaidBy, Statement, Wish } from './schema.ts';

const MOST_MARKETS = 3;
const MOST_WORDS = 6;

type Reader = Exclude<SaidBy, 'user'>;

/**
 * How an idea was understood, each statement with the words that it rests on.
 * @param reading after its lock
 * @param own the same as its analyst gave it: what differs was put there by the rules
 */
export function describeReading(idea: string, reading: Interpretation, own: Interpretation, analyst: Reader): IdeaInterpretation {
  const quote = quotesFrom(idea);
  const state = (text: string | undefined, by: Reader): Statement | undefined => stated(text, by, quote);
  const field = (name: 'targetUser' | 'problemStatement' | 'proposedSolution', isSaid: boolean): Statement | undefined => {
    const by = reading[name] === own[name] ? analyst : 'rules';
    if (by === 'model') return state(reading[name], by);
    return isSaid ? state(withoutUnasked(reading[name]), by) : undefined;
  };
  const { clarity } = reading;
  return {
    ...present({
      user: field('targetUser', clarity.user > 0),
      pain: field('problemStatement', clarity.problem > 0),
      core_action: field('proposedSolution', true),
      place: state(reading.place, analyst),
      price: state(reading.price, analyst),
      language: languageOf(idea, reading.language, analyst),
    }),
    asked_for: wishesOf(reading, analyst, quote),
    not_asked_for: unaskedOf(idea, reading, (text) => state(text, analyst)),
    markets: marketsOf(idea, reading, analyst, quote),
    certainty: certaintyIn(reading),
  };
}

type Quote = (text: string) => Span | undefined;

/** Rules may only quote; a model's own words have passed the lock. */
function stated(text: string | undefined, by: Reader, quote: Quote): Statement | undefined {
  if (!text) return undefined;
  const span = quote(text);
  if (by === 'model') return { text, said_by: by, span: span ?? null };
  return span && { text: span.quote, said_by: by, span };
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Only what is there. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;

const languageOf = (idea: string, language: string, by: Reader): Statement | undefined =>
  language === 'und' || language === '' ? undefined : { text: language, said_by: by, span: spanOf(idea, 0, idea.length) };

function wishesOf({ askedFor }: Interpretation, analyst: Reader, quote: Quote): Wish[] {
  return askedFor.flatMap(({ label, featureId, quote: said }) => {
    const statement = stated(analyst === 'rules' ? (said ?? label) : label, analyst, quote);
    return statement ? [{ ...statement, feature_id: featureId }] : [];
  });
}

/** What the analyst says, and what it passed over although the text says it in so many words. */
function unaskedOf(idea: string, { unasked = [] }: Interpretation, state: (text: string) => Statement | undefined): Statement[] {
  const said = unasked.flatMap((text) => state(text) ?? []);
  const isSaid = ({ start, end }: Span): boolean => said.some(({ span }) => span && span.start < end && start < span.end);
  const rest = unaskedIn(idea).things.filter((span) => !isSaid(span));
  return [...said, ...rest.map((span): Statement => ({ text: span.quote, said_by: 'rules', span }))];
}

/** The markets that a research is about, and those that were near. */
export function marketsOf(idea: string, reading: Interpretation, analyst: Reader, quote: Quote): MarketReading[] {
  const { answer } = chooseMarkets(idea, reading.told);
  const near = new Map(answer.categories.map(({ category, score }) => [category.id, score]));
  const chosen = reading.categoryIds.flatMap((id) => openCatalogue().category(id) ?? []);
  const others = answer.categories.filter(({ category, score }) => score >= UNKNOWN_BELOW && !chosen.includes(category));
  const first = reading.confidence;
  const entry = (market: Category, confidence: number, by: SaidBy, isChosen: boolean): MarketReading => ({
    id: market.id,
    name: market.name,
    confidence: Math.round(Math.min(1, Math.max(0, confidence)) * 1000) / 1000,
    chosen: isChosen,
    said_by: by,
    words: wordsFor(withoutUnasked(idea), market.id, MOST_WORDS).flatMap((word) => quote(word) ?? []),
  });
  return [
    ...chosen.map((market, place) =>
      entry(market, place === 0 ? first : Math.min(first, near.get(market.id) ?? first), reading.told?.markets ? 'user' : analyst, true),
    ),
    ...others.map(({ category, score }) => entry(category, chosen.length > 0 ? Math.min(first, score) : score, 'rules', false)),
  ].slice(0, MOST_MARKETS);
}
