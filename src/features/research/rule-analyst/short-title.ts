import {
  contentScore,
  detectLanguage,
  isProductTalk,
  marketTerms,
  openCatalogue,
  rarityOf,
  stem,
  stemsOf,
  termsOf,
  tokenize,
  type Category,
} from '#features/catalogue';
import { headOfPhrase } from './introductions.ts';
import type { TargetUser } from './people.ts';

const TITLE_WORDS = 3;
const LONG_WORD = 5;
/** Longer ideas tell stories, and a strange word in a story is not what the idea is about. */
const SHORT_TEXT = 16;
const RARE = 3;
const SMALL = new Set(
  `a an the of for to in on at by with and or that which who it its is are be my our your their his her what when where how why so because from as this these those
  i we you they me us them not no do does did can could should would will just also then than too very more most all any each every some into out up off about over if
  have has had get gets got go goes new own same other one two don lets helps make makes want wants need needs let help tell tells told know knows say says give gives show shows
  using use used always never often still keep keeps really good better best easily easy simple automatically based like via per after before between without instead during while both only
  through across against again once ever much many few last next first someone somebody anyone anything whom whose am was were been being there here take takes put see something everyone whole place thing things`.split(
    /\s+/,
  ),
);
/** Words that say how a thing is done, and for whom or what: safe to stand before any market's name. */
const MANNERS = /^(?:learning|predicting|offline|camera|anonymous|private|open.?source|barcodes?|ai|automatic|remote)$/;
const WHOM =
  /^(?:photos?|kids?|teens?|students?|seniors?|couples?|famil(?:y|ies)|parents?|dogs?|cats?|horses?|nurses?|teachers?|freelancers?|musicians?|artists?|farmers?|beekeepers?|roommates?|flatmates?|neighbou?rs?|volunteers?|landlords?|tenants?|runners?|cyclists?|hikers?|travell?ers?|rural|local|wedding|pottery|guitar|piano|choir|band)$/;

/** At most three words that say what an idea is: what it adds, and the market's own word for such a thing. */
export function shortTitleFor(
  text: string,
  solution: string,
  market: Category | undefined,
  isSure: boolean,
  { text: user, said }: TargetUser,
): string {
  const { noun, isSpoken } = market ? marketNoun(market, text) : { noun: '', isSpoken: false };
  // A market that is only guessed at gives a name when the idea itself says it.
  if (!market || !(isSure || isSpoken)) return title((said === 'writer' ? toolOf(user) : '') || phraseOf(solution) || phraseOf(text));
  const topic = ownTopic(text, market);
  if (!isSpoken && topic.length > 0) return title(`${topic.slice(0, 2).join(' ')} ${noun.split(' ').at(-1) ?? ''}`);
  const taken = new Set(stemsOf(noun));
  const words = noun.split(' ');
  const isShort = tokenize(text).length <= SHORT_TEXT;
  const modifier = modifierOf(
    isShort ? solution : solution.split(/\s+/, 2).join(' '),
    isShort ? `${solution} ${user}` : said === 'named' ? user : '',
    taken,
  );
  if (words.length === TITLE_WORDS) return title(modifier.endsWith('ing') ? `${modifier} ${words.slice(1).join(' ')}` : noun);
  return title(`${(topic[0] ?? '') || modifier} ${noun}`);
}

/** "Window cleaner tool" for somebody who says what they are in a word or two; else empty. */
function toolOf(user: string): string {
  const who = headOfPhrase(user).replace(/^(?:an?|the)\s+/i, '');
  return who.split(/\s+/).length < TITLE_WORDS && /^(?!(?:people|my|our)\b)\p{L}/iu.test(who) ? `${who} tool` : '';
}

/** The market's shortest plain name, by preference one whose words the text itself uses. */
function marketNoun(market: Category, text: string): { noun: string; isSpoken: boolean } {
  const spoken = new Set([...termsOf(text), ...stemsOf(text)]);
  const names = [...market.aliases, market.name]
    .filter((name) => !/[,&/]|\band\b|\bfor\b|\bof\b|\bthe\b|\ban?\b|^(?:learn|find|track|buy|sell|get)\b/i.test(name))
    .map(plainNoun);
  const usable = names.filter((name) => name && name.split(' ').length <= TITLE_WORDS && !/\d$/.test(name));
  const rated = usable.map((name) => {
    const stems = stemsOf(name);
    const fit = stems.filter((term) => spoken.has(term)).length / stems.length;
    const generic = /\b(?:software|apps?|platforms?|tools?|systems?|services?)\b/i.test(name) ? 0.6 : 0;
    const strange = (name.match(/\b\p{Lu}{3,}\b/gu) ?? []).some((word) => !spoken.has(stem(word.toLowerCase()))) ? 0.5 : 0;
    return { name, fit: fit + (stems.length === 2 ? 0.3 : 0) - (stems.length === 1 ? 0.1 : 0) - generic - strange };
  });
  const best = rated.sort((left, right) => right.fit - left.fit)[0];
  const noun = best?.name ?? plainNoun(market.name.replace(/[,&/].*$|\band\b.*$/i, ''));
  return { noun, isSpoken: stemsOf(noun).some((term) => spoken.has(term)) };
}

/** In a short idea, the words that its market never uses: what it is about beyond the market ("chess" of a chess tutor). */
export function ownTopic(text: string, market: Category): string[] {
  const tokens = tokenize(text);
  const bag = marketTerms(market.id)?.bag;
  if (!bag || tokens.length > SHORT_TEXT || detectLanguage(text) !== 'en') return [];
  const own = tokens.filter(
    ({ word }) => word.length > 3 && !SMALL.has(word) && !isProductTalk(word) && !bag.has(stem(word)) && !/(?:ed|ing|ly|ive|ful)$/.test(word),
  );
  const isName = (word: string): boolean => openCatalogue().companyCalled(word)?.similarity === 1;
  const rare = own.filter(({ word }) => rarityOf(stem(word)) >= RARE && contentScore(word) > 0 && !isName(word));
  return [...new Set(rare.map(({ word }) => singular(word)))];
}

function plainNoun(name: string): string {
  const bare = name.replaceAll(/\b(?:software|apps?|tools?|platforms?|systems?|programs?)\b/gi, ' ').trim();
  const words = (bare.includes(' ') ? bare : name).split(/\s+/);
  const last = words.at(-1) ?? '';
  return [...words.slice(0, -1), singular(last)].join(' ');
}

function singular(word: string): string {
  if (/(?:ss|us|is|news|ics|series|groceries|sales|analytics|accounts|communications)$/i.test(word) || word.length < 4) return word;
  return word
    .replace(/ies$/i, 'y')
    .replace(/(x|ch|sh|ss)es$/i, '$1')
    .replace(/s$/i, '');
}

/** How the thing is done, else for whom or what it is. A long idea mentions many by the way, so there only the one it is said to be for. */
function modifierOf(solution: string, whom: string, taken: ReadonlySet<string>): string {
  const freeIn = (text: string): string[] =>
    tokenize(text)
      .map(({ word }) => word.replace(/^(learn|predict)s$/, '$1ing'))
      .filter((word) => ![...taken].some((term) => term.startsWith(stem(word))));
  return singular(freeIn(solution).find((word) => MANNERS.test(word)) ?? freeIn(whom).find((word) => WHOM.test(word)) ?? '');
}

/** The end of the longest run of neighbouring telling words, where its noun stands; in another language than English its two longest words. */
function phraseOf(text: string): string {
  const runs: string[][] = [[]];
  for (const { word, written, opensClause } of tokenize(text)) {
    const isSmall = SMALL.has(word) || isProductTalk(word) || word.length < 3 || /['’]/.test(written);
    if (opensClause || isSmall) runs.push([]);
    if (!isSmall) runs.at(-1)?.push(written);
  }
  if (detectLanguage(text) !== 'en') return longestWords(text);
  const best = runs.map((run) => run.slice(-TITLE_WORDS)).sort((left, right) => right.length - left.length)[0] ?? [];
  return best.length >= 2 ? best.join(' ') : runs.flat().slice(0, 2).join(' ');
}

function longestWords(text: string): string {
  const words = tokenize(text).map(({ written }) => written);
  const longest = words
    .filter((word) => word.length >= LONG_WORD)
    .sort((left, right) => right.length - left.length)
    .slice(0, 2);
  return words.filter((word, place) => longest.includes(word) && words.indexOf(word) === place).join(' ') || words.slice(0, TITLE_WORDS).join(' ');
}

const SHORT_FORMS =
  /^(?:ai|crm|seo|hr|erp|api|rpa|kyc|vat|esg|ci|cd|qr|it|pos|hoa|ehr|bim|okr|sso|siem|cms|kpi|pdf|tv|dj|ev|mes|cad|sql|sdk|okrs|mlops|llm)$/i;

const title = (text: string): string =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, TITLE_WORDS)
    .map((word) =>
      SHORT_FORMS.test(word) || /\p{Lu}.*\p{Lu}/u.test(word)
        ? word.toUpperCase() === word || SHORT_FORMS.test(word)
          ? word.toUpperCase()
          : word
        : word.charAt(0).toUpperCase() + word.slice(1),
    )
    .join(' ');
