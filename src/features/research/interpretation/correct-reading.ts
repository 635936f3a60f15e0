import { ASKED_FROM, openCatalogue, type Category } from '#features/catalogue';
import { shorten } from '#lib/text.ts';
import { certaintyIn, type Interpretation, type Told } from '../analyst.ts';
import { plain } from '../grounding/plain-text.ts';
import { quotesFrom } from '../grounding/spans.ts';
import { marketsOf, present } from './describe-reading.ts';
import type { Correction, IdeaInterpretation, Statement } from './schema.ts';
import type { StoredInterpretation } from './stored-interpretation.ts';
import { wantedIn, wantedOnly } from './wanted-only.ts';

const SUMMARY = 200;
const QUERY = 100;

/** A reading with what its user put right; whatever follows from that is read anew, and nothing else. */
export function correctReading(idea: string, { reading, described }: StoredInterpretation, correction: Correction): StoredInterpretation {
  const told = toldBy(correction, reading.told);
  const markets = correction.markets === undefined ? undefined : (told.markets ?? []).flatMap((id) => openCatalogue().category(id) ?? []);
  const texts = correction.asked_for === undefined ? described.asked_for.map(({ text }) => text) : (correction.asked_for ?? []);
  const named = { ...withTexts(reading, correction), ...(markets ? inMarkets(markets) : {}), told };
  const askedFor = markets || correction.asked_for !== undefined ? wishesFor(texts, named.categoryIds) : reading.askedFor;
  const corrected = wantedOnly(idea, withLines({ ...named, askedFor }, correction));
  return { reading: corrected, described: describeCorrected(idea, described, corrected, correction) };
}

function toldBy({ markets, asked_for: askedFor, not_asked_for: unasked }: Correction, before: Told = {}): Told {
  return {
    ...before,
    ...(markets === undefined ? {} : { markets: [...new Set(markets ?? [])] }),
    ...(askedFor === undefined ? {} : { askedFor: askedFor ?? [] }),
    ...(unasked === undefined ? {} : { unasked: unasked ?? [] }),
  };
}

/** What is taken away counts as not said. */
function withTexts(reading: Interpretation, { user, pain, core_action: action, place, price, language }: Correction): Interpretation {
  const { place: oldPlace, price: oldPrice, ...rest } = reading;
  const clear = (text: string | null | undefined, before: number): number => (text === undefined ? before : text === null ? 0 : 1);
  return {
    ...rest,
    ...present({ place: place === undefined ? oldPlace : (place ?? undefined), price: price === undefined ? oldPrice : (price ?? undefined) }),
    ...(language ? { language } : {}),
    ...(language === null ? { language: 'und' } : {}),
    targetUser: user === undefined ? reading.targetUser : (user ?? ''),
    problemStatement: pain === undefined ? reading.problemStatement : (pain ?? ''),
    proposedSolution: action === undefined ? reading.proposedSolution : (action ?? ''),
    clarity: {
      user: clear(user, reading.clarity.user),
      problem: clear(pain, reading.clarity.problem),
      solution: clear(action, reading.clarity.solution),
    },
  };
}

function inMarkets(markets: readonly Category[]) {
  const [first, second] = markets;
  return {
    categoryIds: markets.map(({ id }) => id),
    confidence: first ? 1 : 0,
    certainty: first ? ('sure' as const) : ('unknown' as const),
    candidates: [],
    category: first?.name ?? 'Market outside the catalogue',
    subcategory: second?.name ?? first?.aliases[0] ?? '',
    ...(first ? { marketType: first.market_type } : {}),
  };
}

/** Each wish with the feature of its markets that it asks for most surely. */
function wishesFor(texts: readonly string[], markets: readonly string[]): Interpretation['askedFor'] {
  return [...new Set(texts)].map((label) => ({ label, featureId: featureFor(label, markets) }));
}

function featureFor(text: string, markets: readonly string[]): string | null {
  if (markets.length === 0) return null;
  const [best] = openCatalogue()
    .search(text, { markets })
    .features.toSorted((left, right) => right.certainty - left.certainty);
  return best && best.certainty >= ASKED_FROM ? best.feature.id : null;
}

/** The lines that say an idea in short, and what the web is asked, where they rest on what was put right. */
function withLines(reading: Interpretation, { user, core_action: action, asked_for: asked, markets }: Correction): Interpretation {
  if ([user, action, asked, markets].every((field) => field === undefined)) return reading;
  const core = reading.proposedSolution || reading.normalizedIdea;
  const market = openCatalogue().category(reading.categoryIds[0] ?? '');
  const queries = [
    core,
    market ? `best ${market.aliases[0] ?? market.name} apps` : `${reading.shortTitle} app`,
    `${market?.companies[0]?.name ?? reading.shortTitle} alternatives`,
    ...reading.askedFor.slice(0, 1).map(({ label }) => label),
  ];
  const lines = [...new Set(queries.map((query) => shorten(query, QUERY).replace(/…$/, '')))];
  return { ...reading, oneLineSummary: shorten(core, SUMMARY), queries: lines };
}

function describeCorrected(idea: string, before: IdeaInterpretation, reading: Interpretation, correction: Correction): IdeaInterpretation {
  const quote = quotesFrom(idea);
  const said = (text: string): Statement => ({ text, said_by: 'user', span: quote(text) ?? null });
  const field = (name: 'user' | 'pain' | 'core_action' | 'place' | 'price' | 'language'): Statement | undefined => {
    const text = correction[name];
    return text === undefined ? before[name] : text === null ? undefined : said(text);
  };
  const isWanted = wantedIn(idea, reading);
  const features = new Map(reading.askedFor.map(({ label, featureId }) => [label, featureId]));
  const wishes =
    correction.asked_for === undefined ? before.asked_for : (correction.asked_for ?? []).map((text) => ({ ...said(text), feature_id: null }));
  const wanted = wishes
    .map((wish) => ({ ...wish, feature_id: features.get(wish.text) ?? (correction.markets === undefined ? wish.feature_id : null) }))
    .filter((wish) => isWanted(wish.text, wish.feature_id));
  const asked = new Set(correction.asked_for === undefined ? [] : wanted.map(({ text }) => plain(text)));
  const unasked =
    correction.not_asked_for === undefined
      ? before.not_asked_for.filter(({ text }) => !asked.has(plain(text)))
      : (correction.not_asked_for ?? []).map(said);
  return {
    ...present({
      user: field('user'),
      pain: field('pain'),
      core_action: field('core_action'),
      place: field('place'),
      price: field('price'),
      language: field('language'),
    }),
    asked_for: wanted,
    not_asked_for: unasked,
    markets: correction.markets === undefined ? before.markets : marketsOf(idea, reading, 'rules', quote),
    certainty: certaintyIn(reading),
  };
}
