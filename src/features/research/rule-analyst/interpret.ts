import { setImmediate as nextTurn } from 'node:timers/promises';
import { detectLanguage, DOUBTFUL_BELOW, marketTerms, rarityOf, shareIn, termsOf, type Category } from '#features/catalogue';
import { readable } from '#lib/readable.ts';
import { shorten } from '#lib/text.ts';
import { ContentlessIdea, type Interpretation } from '../analyst.ts';
import { askedForOf, clausesOf, type Asked } from './asked-for.ts';
import { capital, cleanSentences, inline, paragraphOf } from './clean-text.ts';
import { problemOf, solutionOf } from './idea-parts.ts';
import { rolesOf } from './roles.ts';
import { isPlural, isSomebody } from './somebody.ts';
import { chooseMarkets, marketTypeOf, type Markets } from './markets.ts';
import { headOfPhrase } from './introductions.ts';
import { targetUserOf, type TargetUser } from './people.ts';
import { shortTitleFor } from './short-title.ts';
import { placeIn, priceIn } from './place-and-price.ts';
import { isContentless } from './substance.ts';
import { unaskedIn, withoutUnasked } from './unasked.ts';

/** Who tells of somebody tells a story: no part of it is a thing to build. */
const TOLD =
  /^(?:i|we|my|our|people|nobody|every (?:time|day|week|month|year|\w+day)|are|am|wir|ich|meine?|unsere?|je|nous|on|mon|ma|mes|notre|nos|mi|mis|nuestr\w+|eu|meus?|minhas?|nós|nossos?|nossas?)\b/iu;

/**
 * Reads an idea by patterns over its text and by the catalogue's search; of a long text what `readable` leaves. Other work
 * has its turn between the parts, which take some tens of milliseconds each where a text is long.
 * @throws ContentlessIdea for text that names no problem and no product
 */
export async function interpretIdea(written: string): Promise<Interpretation> {
  const idea = readable(written);
  if (isContentless(idea)) throw new ContentlessIdea('The text names no problem and no product.');
  await nextTurn();
  const markets = chooseMarkets(idea);
  await nextTurn();
  const language = languageOf(idea);
  const sentences = cleanSentences(idea, language);
  const text = paragraphOf(sentences);
  const user = withArticle(targetUserOf(sentences, language), language);
  const roles = rolesOf(sentences, language);
  const problem = problemOf(roles, language);
  const solution = solutionOf(roles, language);
  const [first] = markets.categories;
  // A market that is only guessed at is no part of what the idea is said to be.
  const sure = markets.confidence >= DOUBTFUL_BELOW ? first : undefined;
  const askedFor = askedForOf(
    markets.answer.features.filter(({ category }) => markets.categories.includes(category)),
    roles.isWished || !TOLD.test(solution.text) ? withoutUnasked(solution.text) : '',
    problem.text,
    language,
  );
  const shortTitle = shortTitleFor(
    withoutUnasked(text),
    solution.text,
    first,
    sure !== undefined,
    language === 'en' ? user : { ...user, said: 'not' },
  );
  return {
    language,
    normalizedIdea: text,
    productName: productNameOf(idea),
    shortTitle,
    oneLineSummary: summaryOf(sure, user, solution.text, language),
    targetUser: user.text ? capital(user.text) : likelyUser(first, text),
    problemStatement: problem.text ? capital(problem.text) : unsaidProblem(markets, text),
    proposedSolution: capital(solution.text),
    category: first?.name ?? 'Market outside the catalogue',
    subcategory: subcategoryOf(markets, askedFor, text),
    marketType: marketTypeOf(markets.categories, idea),
    categoryIds: markets.categories.map(({ id }) => id),
    confidence: markets.confidence,
    clarity: { user: USER_CLARITY[user.said], problem: problem.clarity, solution: solution.clarity },
    askedFor,
    ...saidOnTheSide(idea),
    queries: queriesFor(text, first, user.text, solution.text, shortTitle, language, askedFor),
  };
}

/** What stands in an idea beside who, what and why. */
function saidOnTheSide(idea: string): Pick<Interpretation, 'unasked' | 'place' | 'price'> {
  const [place, price] = [placeIn(idea), priceIn(idea)];
  const unasked = unaskedIn(idea).things.map(({ quote }) => quote);
  return { unasked, ...(place === undefined ? {} : { place }), ...(price === undefined ? {} : { price }) };
}

const MANY = /^(?:my|our|people|staff|an?|\d|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i;

/** "Our pottery brand" makes the idea one for a pottery brand. */
function withArticle(user: TargetUser, language: string): TargetUser {
  if (user.said !== 'writer' || language !== 'en' || MANY.test(user.text) || isPlural(headOfPhrase(user.text).split(' ').at(-1) ?? '')) return user;
  return { ...user, text: `${/^(?!uni|use|eu|one)[aeiou8]/i.test(user.text) ? 'an' : 'a'} ${inline(user.text)}` };
}

const USER_CLARITY = { named: 1, writer: 0.75, mentioned: 0.5, not: 0 } as const;

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/[іїєґ]/u, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
];

/** ISO 639-1 code; `und` for a language that nothing here knows. */
function languageOf(idea: string): string {
  const read = detectLanguage(idea);
  if (read !== 'other') return read;
  return SCRIPTS.find(([letters]) => letters.test(idea))?.[1] ?? 'und';
}

function productNameOf(idea: string): string | null {
  const found = /\b(?:called|named|namens|llamad[ao]|appelée?|chamad[ao])\s+["“'«]?(\p{Lu}[\p{L}\d]*(?:\s\p{Lu}[\p{L}\d]*){0,2})/u.exec(idea)?.[1];
  return found ?? null;
}

const NAMES_ITSELF = /^(?:an?|the|one|some|eine?n?|une?|uma?|unas?|unos?)\s/i;

/** The idea in a line: its own words where they name the thing, else the market's word for it before them. */
function summaryOf(market: Category | undefined, user: TargetUser, solution: string, language: string): string {
  const said = inline(solution, language);
  const isNamed = NAMES_ITSELF.test(said) || !market || shareIn(termsOf(market.name), new Set(termsOf(said))) >= 0.5;
  const isSaid = user.said === 'named' || user.said === 'writer';
  const whom = isSaid && !said.toLowerCase().includes(user.text.toLowerCase()) ? inline(user.text, language) : '';
  if (isNamed) return shorten(capital(whom ? `${said}, for ${whom}` : said), 200);
  // "Barbershops for a two-chair barber shop" says one thing twice, and so does what stands in the words for whom it is.
  const isTheirs = isSomebody(market.name.split(' ').at(-1) ?? '', 'en') || shareIn(termsOf(market.name), new Set(termsOf(whom))) >= 0.5;
  const named = whom && !isTheirs ? `${market.name} for ${whom}` : market.name;
  return shorten(named.toLowerCase().includes(said.toLowerCase()) ? named : `${named}: ${said}`, 200);
}

/** How a text begins that stands in for what the idea does not say. */
export const NOT_SAID = 'Not said in the idea';

/** Nobody named: the market's usual audience stands in, and says that it does. */
function likelyUser(market: Category | undefined, text: string): string {
  if (!market) return NOT_SAID;
  const terms = new Set(termsOf(text));
  const rated = market.audience.map((audience, place) => ({
    audience,
    fit: termsOf(audience).filter((term) => terms.has(term)).length - place / 10,
  }));
  const best = rated.sort((left, right) => right.fit - left.fit)[0];
  return `${NOT_SAID}; in ${inline(market.name)} usually ${best?.audience ?? 'its users'}`;
}

/** Nothing said to hurt: the need known in the market that is nearest to the idea's words. */
function unsaidProblem({ categories }: Markets, text: string): string {
  const [market] = categories;
  const terms = new Set(termsOf(text));
  const core = market ? marketTerms(market.id)?.core : undefined;
  const fit = (line: string): number =>
    sumOf(
      termsOf(line)
        .filter((term) => terms.has(term) && !core?.has(term))
        .map(rarityOf),
    );
  const rated = [...(market?.use_cases ?? []), ...(market?.needs ?? [])].map((line, place) => ({ line, value: fit(line) - place / 1000 }));
  const best = rated.sort((left, right) => right.value - left.value)[0];
  return market && best ? `${NOT_SAID}; the nearest need known in ${inline(market.name)}: ${inline(best.line)}` : NOT_SAID;
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function subcategoryOf({ categories }: Markets, askedFor: readonly Asked[], text: string): string {
  const [first, second] = categories;
  if (second) return second.name;
  const named = askedFor.find(({ featureId }) => featureId !== null);
  if (named) return named.label;
  const market = first ? marketTerms(first.id) : undefined;
  const terms = new Set(termsOf(text));
  const rated = market?.features.map(({ feature, bag }) => ({ feature, fit: [...bag].filter((term) => terms.has(term)).length }));
  const best = rated?.sort((left, right) => right.fit - left.fit)[0];
  return best && best.fit > 0 ? best.feature.name : (first?.aliases[0] ?? '');
}

function queriesFor(
  text: string,
  market: Category | undefined,
  user: string,
  solution: string,
  title: string,
  language: string,
  asked: readonly Asked[],
): string[] {
  const need = shorten(
    clausesOf([solution || text])
      .slice(0, 3)
      .join(' '),
    100,
  ).replace(/…$/, '');
  const whom = user ? ` for ${inline(shorten(user, 50)).replace(/…$/, '')}` : '';
  const what = market?.aliases[0] ?? title;
  const english = termsOf(text).slice(0, 8).join(' ');
  const queries = [
    need,
    market ? `best ${what} apps${language === 'en' ? whom : ''}` : `${title} app${language === 'en' ? whom : ''}`,
    `${market?.companies[0]?.name ?? title} alternatives`,
    language === 'en'
      ? `${what} ${(asked.find(({ featureId }) => featureId !== null) ?? asked[0])?.label.toLowerCase() ?? english}`
      : `${what} ${english}`,
  ];
  return [...new Set(queries.map((query) => query.trim()))].slice(0, 4);
}
