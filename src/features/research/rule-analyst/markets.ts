import { marketTerms, openCatalogue, termsOf, tokenize, UNKNOWN_BELOW, type CatalogueAnswer, type Category } from '#features/catalogue';
import { readable } from '#lib/readable.ts';
import type { Told } from '../analyst.ts';
import { unaskedIn, unwantedAmong, withoutUnasked } from './unasked.ts';

/** What remains without the product's name has to be a market by itself. */
const CLEAR_AT = 0.4;
/** A second market must come this near to the first and speak of words that the first does not. */
const SECOND_AT = 0.7;
const NEW_TERMS = 3;
/** So near to the first that either may be meant. */
const AS_LIKELY = 0.97;
/** Where the first market is unsure, the next one may be meant as well. */
const UNSURE = 0.3;
const UNSURE_SECOND = 0.95;
const LOOKED_AT = 3;

export type Markets = { answer: CatalogueAnswer; confidence: number; categories: Category[] };

/**
 * The markets an idea touches: one, or two when it truly spans both; none when the catalogue knows none. What it says that
 * it does without, it does not ask for.
 * @param told what its user has put right
 * @param except ids of markets that are not meant
 */
export function chooseMarkets(written: string, told: Told = {}, except: readonly string[] = []): Markets {
  const text = readable(written);
  const asks = told.askedFor?.join('. ') ?? (told.unasked?.length === 0 ? text : withoutUnasked(text));
  const searched = searchMarkets(text, asks, told, except);
  const isUnwanted = unwantedAmong(told.unasked ?? unaskedIn(text).things.map(({ quote }) => quote), asks);
  const features = searched.features.map((entry) =>
    isUnwanted(entry.feature.name, { market: entry.category.id, id: entry.feature.id }) ? { ...entry, certainty: 0, clause: '' } : entry,
  );
  return marketsIn({ ...searched, features }, text, told);
}

function searchMarkets(text: string, asks: string, { markets }: Told, except: readonly string[]): CatalogueAnswer {
  if (markets && markets.length > 0) return openCatalogue().search(text, { asks, markets });
  const said = text.replace(OWN_NAME, '').replace(MODEL, (_, name: string, rest: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}${rest}`);
  const options = { limit: LOOKED_AT, ...(asks === text ? {} : { asks }), ...(except.length > 0 ? { except } : {}) };
  return withoutAnalogy(said, options) ?? openCatalogue().search(said, options);
}

function marketsIn(answer: CatalogueAnswer, text: string, told: Told): Markets {
  if (told.markets) return { answer, confidence: answer.confidence, categories: told.markets.flatMap((id) => openCatalogue().category(id) ?? []) };
  const [first, ...others] = answer.categories;
  if (!first || answer.confidence < UNKNOWN_BELOW) return { answer, confidence: answer.confidence, categories: [] };
  const terms = termsOf(text);
  const isSecond = (other: (typeof others)[number]): boolean => {
    const near = other.score / first.score;
    if (other.score < UNKNOWN_BELOW || near < SECOND_AT) return false;
    return near >= AS_LIKELY || (near >= UNSURE_SECOND && answer.confidence < UNSURE) || spansBoth(terms, first.category, other.category);
  };
  const [second] = others.filter(isSecond).sort((left, right) => right.score - left.score);
  return { answer, confidence: answer.confidence, categories: second ? [first.category, second.category] : [first.category] };
}

/** What the product is to be called says nothing about its market. */
const OWN_NAME = /,?\s(?:called|named|namens|llamad[ao]|appelée?|chamad[ao])\s+["“'«]?\p{Lu}[\p{L}\d]*(?:\s\p{Lu}[\p{L}\d]*){0,2}["”'»]?/gu;

/** Products that ideas are modelled on, often written small. */
const MODELS = 'uber|airbnb|tinder|netflix|spotify|amazon|shopify|duolingo|strava|github|figma|notion|slack|youtube|instagram|tiktok';
const MODEL_ALONE = new RegExp(`^(?:${MODELS})$`, 'i');
const MODEL = new RegExp(`^(${MODELS})( (?:for|but) )`, 'i');

const ANALOGY = new RegExp(
  `\\b(?:an? |the |like (?:an? )?)?((?:[\\p{Lu}][\\p{L}\\d]+|${MODELS})\\s?){1,2}\\s*(?:for|of|but for|fuer|für|para|pour) (.+)$`,
  'isu',
);

/** "Uber for dog walkers" is about dog walkers: the product named is a manner of speaking when what follows is a market of its own. */
function withoutAnalogy(text: string, options: { limit: number; asks?: string; except?: readonly string[] }): CatalogueAnswer | undefined {
  const match = ANALOGY.exec(text);
  const rest = match?.[2];
  if (!match || !rest || /\bbut for\b/i.test(match[0])) return undefined;
  const name = (match[1] ?? '').trim();
  // "A printed book for the family" is no analogy, though something may be called Book.
  if (!/^\p{Lu}/u.test(name) && !MODEL_ALONE.test(name)) return undefined;
  const known = openCatalogue().companyCalled(name);
  if (!known || known.similarity < 0.95 || termsOf(rest).length < 2) return undefined;
  const answer = openCatalogue().search(`${text.slice(0, match.index)} ${rest}`, options);
  return answer.confidence >= CLEAR_AT && answer.categories[0]?.category.id !== known.category.id ? answer : undefined;
}

function spansBoth(terms: readonly string[], first: Category, second: Category): boolean {
  const own = marketTerms(first.id)?.bag;
  const other = marketTerms(second.id);
  if (!own || !other) return false;
  const telling = new Set([...other.core, ...second.keywords.flatMap((keyword) => termsOf(keyword))]);
  return terms.filter((term) => telling.has(term) && !own.has(term)).length >= NEW_TERMS;
}

const BUSINESS =
  /\b(?:business|businesses|companies|company|team|teams|clients|b2b|employees|staff|enterprise|office|agency|agencies|shop|store|clinic|firma|firmen|betrieb|empresa|entreprise)\b/i;
const BUILDERS = /\b(?:api|sdk|developers?|devs?|engineers?|code|deploy|repo|cli|backend|database)\b/i;

/** b2c, b2b and so on: the catalogue's when the market is known, else what the words suggest. */
export function marketTypeOf(categories: readonly Category[], text: string): string {
  const [first] = categories;
  if (first) return first.market_type;
  if (BUILDERS.test(text)) return 'developer';
  if (/\bmarketplace\b|\bmarktplatz\b/i.test(text)) return 'marketplace';
  return BUSINESS.test(text) || tokenize(text).length === 0 ? 'b2b' : 'b2c';
}
