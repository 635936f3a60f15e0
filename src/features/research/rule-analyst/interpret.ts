import { setImmediate as nextTurn } from 'node:timers/promises';
import { certaintyOf, detectLanguage, SURE_FROM, UNKNOWN_BELOW, UNSURE_FROM, type Category } from '#features/catalogue';
import { shortTitleOf } from '#features/projects';
import { readable } from '#lib/readable.ts';
import { collapseSpaces, shorten } from '#lib/text.ts';
import { ContentlessIdea, type Certainty, type Interpretation } from '../analyst.ts';
import { quotesFrom } from '../grounding/spans.ts';
import { askedForOf } from './asked-for.ts';
import { capital, sentencesOf } from './clean-text.ts';
import { problemOf, solutionOf } from './idea-parts.ts';
import { chooseMarkets, marketTypeOf, type Markets } from './markets.ts';
import { targetUserOf } from './people.ts';
import { placeIn, priceIn } from './place-and-price.ts';
import { rolesOf } from './roles.ts';
import { isContentless } from './substance.ts';
import { unaskedIn, withoutUnasked } from './unasked.ts';

const LONGEST_IDEA = 700;
const SUMMARY = 200;
const QUERY = 100;
const TITLE_WORDS = 3;
const CANDIDATES = 3;
const CLARITY = { named: 1, writer: 0.75, not: 0 } as const;

/**
 * Reads an idea by patterns over its text and by the catalogue's search, and says nothing of it that it does not say itself:
 * every part is a quote, and what has none is empty. Of a long text it reads what `readable` leaves. Other work has its
 * turn between the parts, which take some tens of milliseconds each where a text is long.
 * @throws ContentlessIdea for text that names nothing that could be built or offered
 */
export async function interpretIdea(written: string): Promise<Interpretation> {
  const idea = readable(written);
  if (isContentless(idea)) throw new ContentlessIdea('The text names nothing that could be built or offered.');
  await nextTurn();
  const markets = chooseMarkets(idea);
  await nextTurn();
  const { certainty, candidates } = howSure(markets);
  const categories = certainty === 'sure' ? markets.categories : [];
  const [first, second] = categories;
  const language = languageOf(idea);
  const quote = quotesFrom(idea);
  const said = (text: string): string => (text === '' ? '' : (quote(text)?.quote ?? ''));
  const sentences = sentencesOf(idea);
  const roles = rolesOf(sentences, language);
  const user = targetUserOf(sentences, language);
  const problem = problemOf(roles, language);
  const solution = solutionOf(roles);
  const core = said(withoutUnasked(solution.text));
  const askedFor = askedForOf(
    markets.answer.features.filter(({ category }) => categories.includes(category)),
    roles.isWished ? roles.wishes.map(withoutUnasked) : [],
  ).flatMap((asked) => {
    const span = quote(asked.quote);
    return span ? [{ ...asked, label: asked.featureId === null ? span.quote : asked.label, quote: span.quote }] : [];
  });
  const productName = productNameOf(idea);
  const shortTitle = productName ?? (first ? titleOf(first) : shortTitleOf(idea));
  return {
    language,
    normalizedIdea: shorten(collapseSpaces(idea), LONGEST_IDEA),
    productName,
    shortTitle,
    oneLineSummary: shorten(core || collapseSpaces(idea), SUMMARY),
    targetUser: said(user.text),
    problemStatement: said(problem.text),
    proposedSolution: core,
    category: first?.name ?? (certainty === 'unsure' ? 'Market not certain' : 'Market outside the catalogue'),
    subcategory: second?.name ?? '',
    marketType: marketTypeOf(categories, idea),
    categoryIds: categories.map(({ id }) => id),
    confidence: Math.round(1000 * certaintyOf(markets.answer.signals)) / 1000,
    certainty,
    candidates,
    clarity: { user: CLARITY[user.said], problem: problem.clarity, solution: solution.clarity },
    askedFor,
    ...saidOnTheSide(idea),
    queries: queriesFor(core || idea, first, shortTitle),
  };
}

/** Whether the market found is the one that is meant, and where that is not certain which ones may be. */
function howSure({ answer, categories }: Markets): { certainty: Certainty; candidates: NonNullable<Interpretation['candidates']> } {
  const chance = certaintyOf(answer.signals);
  if (categories.length > 0 && chance >= SURE_FROM) return { certainty: 'sure', candidates: [] };
  const best = answer.categories[0]?.score ?? 0;
  const candidates = answer.categories
    .filter(({ score }) => score >= UNKNOWN_BELOW)
    .slice(0, CANDIDATES)
    .map(({ category, score }) => ({ id: category.id, confidence: Math.round((1000 * chance * score) / best) / 1000 }));
  return { certainty: chance >= UNSURE_FROM && candidates.length > 0 ? 'unsure' : 'unknown', candidates };
}

/** What stands in an idea beside who, what and why. */
function saidOnTheSide(idea: string): Pick<Interpretation, 'unasked' | 'place' | 'price'> {
  const [place, price] = [placeIn(idea), priceIn(idea)];
  const unasked = unaskedIn(idea).things.map(({ quote }) => quote);
  return { unasked, ...(place === undefined ? {} : { place }), ...(price === undefined ? {} : { price }) };
}

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

/** The shortest plain name of a market: a research is called after its market where the idea has no name of its own. */
function titleOf({ name, aliases }: Category): string {
  const short = [name, ...aliases].find((called) => called.split(/\s+/).length <= TITLE_WORDS);
  return capital(short ?? name.split(/\s+/).slice(0, TITLE_WORDS).join(' '));
}

function queriesFor(text: string, market: Category | undefined, title: string): string[] {
  const need = shorten(collapseSpaces(text), QUERY).replace(/…$/, '');
  const what = market?.aliases[0] ?? title;
  const queries = [need, `best ${what} apps`, ...(market?.companies[0] ? [`${market.companies[0].name} alternatives`] : [`${need} alternatives`])];
  return [...new Set(queries)];
}
