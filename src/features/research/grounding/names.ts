import { CATALOGUE_FOLDER, detectLanguage, isEverydayWord, isGermanWord, openCatalogue, type Category } from '#features/catalogue';
import { diskCached } from '#platform/disk-cache/disk-cache.ts';
import { placeNames } from '../rule-analyst/place-and-price.ts';
import { plain } from './plain-text.ts';

/** Small words that begin sentences and name nothing, beside the vocabulary of the catalogue. */
const SMALL_WORDS =
  `a an the this that these those it its they their them there here he she we our you your i my who whom whose which what when where why how while
 because although though since if unless until whether whoever not no none nobody nothing neither nor never everyone everybody everything each every all both either
 any anyone anybody anything some someone somebody something many most few fewer several much more less least only even also still yet already just so then thus
 therefore however but and or for from with without within by on in at of to as than between among across after before during against about over under until up
 is are was were be been being has have had do does did can could may might must shall should will would let lets make makes made get gets got take takes
 one two three four five six seven eight nine ten eleven twelve half twice once first second third last next another other others same such own
 incumbent incumbents emerging rival rivals competitor competitors newcomer newcomers founder founders user users customer customers people product products company
 companies market markets feature features idea ideas gap gaps evidence source sources finding findings score verdict demand crowding differentiation clarity research
 recruit interview ask show offer build compare measure count test tell write call visit watch publish run put pick choose find talk send invite sell charge collect
 nearest closest strongest largest biggest smallest free paid open missing known unknown strong weak established given despite beyond besides unlike like whereas
 im ive id ill me him her us dont doesnt cant wont isnt arent thats
 monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun
 january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
 montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag montags dienstags mittwochs donnerstags freitags samstags sonntags wochenende
 januar februar marz mai juni juli oktober dezember christmas easter halloween thanksgiving advent ramadan diwali
 english spanish german french portuguese italian dutch danish swedish norwegian finnish polish czech greek turkish russian ukrainian arabic hebrew hindi chinese japanese
 korean swiss austrian belgian irish scottish welsh canadian australian mexican brazilian indian african asian european american british
 europe america asia africa germany france spain brazil portugal uk usa us eu
 android ios iphone ipad windows mac macos linux web api sms pdf ai ceo b2b b2c saas gdpr hipaa faq csv qr nfc gps
 mvp nps crm erp hoa diy pta ngo ble usb wifi bluetooth html css json xml sql http url rfid sku pos kpi roi seo voip led lcd tv pc it hr pr qa ui ux vat tva ust dsgvo ccpa
 iso fda nhs irs hmrc id ok am pm pwa sdk cli ide ci cd llm gpt ocr pin otp iban sepa ebook lora zigbee modbus`
    .trim()
    .split(/\s+/);

/** Where tests are made and people found, beside the products of the catalogue. */
const CHANNELS = new Set(
  `reddit subreddit facebook instagram whatsapp linkedin tiktok youtube discord slack telegram signal nextdoor meetup eventbrite craigslist gumtree kleinanzeigen twitter x
 bluesky mastodon threads pinterest quora twitch kickstarter indiegogo patreon github gitlab google apple amazon microsoft typeform tally notion airtable figma canva carrd
 webflow wordpress shopify etsy ebay stripe paypal calendly zapier mailchimp substack zoom excel sheets forms docs drive trello miro loom raspberry pi arduino esp32 hacker`
    .trim()
    .split(/\s+/),
);

/** Cities that neither a time zone nor an English dictionary is sure to have. */
const CITIES = new Set(
  `koln munchen nurnberg dusseldorf dortmund essen bremen hannover leipzig dresden stuttgart frankfurt freiburg kassel mannheim karlsruhe augsburg wien graz linz salzburg innsbruck
 zurich bern basel geneve lausanne luzern lyon marseille toulouse bordeaux nantes lille rennes nice strasbourg montpellier grenoble antwerpen mechelen gent brugge leuven liege
 namur utrecht rotterdam eindhoven groningen sevilla malaga bilbao zaragoza alicante murcia granada cordoba barcelona coimbra braga porto torino napoli bologna firenze genova
 glasgow edinburgh cardiff belfast bristol sheffield nottingham leicester norwich aarhus odense goteborg malmo bergen trondheim tampere turku krakow wroclaw poznan gdansk brno`
    .trim()
    .split(/\s+/),
);

/** What follows a name at the head of a sentence: then even an unknown first word is taken for a name. */
const NAME_VERBS = new Set(
  `is was has had does did can could will would already also offers offer provides lets gives charges costs holds covers leads launched raised serves targets sells
  claims supports lacks competes dominates owns runs ships shows tracks helps makes and s
   bietet ist hat kann wird macht kostet verlangt zeigt hilft und ofrece tiene cobra permite es y propose offre permet coute est et oferece tem cobra e`.split(
    /\s+/,
  ),
);
const LONGEST_NAME = 4;
const LONGEST_TITLE = 10;
/** Words of everyday language are written small at least once; names of products are not. */
const SMALL_LETTERED = /(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}]*/gu;

/** What people write small of a product is still its name, unless so many markets say it: "salesforce", but "square". */
const EVERYDAY = 5;

type Vocabulary = { ordinary: ReadonlySet<string>; products: ReadonlySet<string> };
let vocabulary: Vocabulary | undefined;

/** Ordinary words and product names, both in plain form, gathered from the catalogue once. */
function openVocabulary(): Vocabulary {
  vocabulary ??= diskCached('ordinary-words', [CATALOGUE_FOLDER, import.meta.dirname], () => gather(openCatalogue().categories));
  return vocabulary;
}

function gather(categories: Iterable<Category>): Vocabulary {
  const products = new Set<string>();
  const markets = new Map<string, number>();
  for (const { companies, features, needs, use_cases: useCases, audience, name } of categories) {
    const texts = [name, ...needs, ...useCases, ...audience, ...features.flatMap((feature) => [feature.name, feature.description])];
    const words = new Set(Array.from(texts.join(' ').matchAll(SMALL_LETTERED), ([word]) => plain(word)));
    for (const word of words) markets.set(word, (markets.get(word) ?? 0) + 1);
    for (const company of companies) products.add(plain(company.name));
  }
  const everyday = [...markets].filter(([word, count]) => count >= EVERYDAY || !products.has(word)).map(([word]) => word);
  return { ordinary: new Set([...SMALL_WORDS, ...everyday]), products };
}

/** Words and phrases that sources have, in plain form. */
export type Known = { words: ReadonlySet<string>; hasPhrase(phrase: string): boolean };

type Word = { plain: string; written: string; isName: boolean; isFirst: boolean; joins: boolean };

/** Names that a sentence may have although no source does: countries; any place; tools and channels, which are products as well. */
export type NamesFree = { countriesAreFree?: boolean; placesAreFree?: boolean; toolsAreFree?: boolean };

/**
 * The first name in a sentence that no source has: a product of the catalogue, or capitalised words that neither the
 * sources nor everyday language know. Days, months, German nouns, and whatever a dictionary has at the head of a sentence or
 * in a title are no names.
 */
export function unknownName(
  sentence: string,
  known: Known,
  { countriesAreFree = false, placesAreFree = false, toolsAreFree = false }: NamesFree = {},
): string | undefined {
  const { ordinary, products } = openVocabulary();
  const isKnown = (word: string): boolean => ordinary.has(word) || known.words.has(word);
  const words = wordsOf(sentence, isKnown);
  const isTitle = isTitled(words);
  let language: string | undefined;
  const isGerman = (): boolean => (language ??= detectLanguage(sentence)) === 'de';
  const isCommonPart = (part: string, isFirst: boolean): boolean => {
    const said = plain(part);
    if (isKnown(said) || ordinary.has(said.replace(/ing$/, '')) || /^\d+$/.test(said) || MANY_OR_QUARTER.test(part)) return true;
    if ((isFirst || isTitle || placesAreFree || toolsAreFree) && isEverydayWord(part)) return true;
    if (placesAreFree && CITIES.has(said)) return true;
    if (toolsAreFree && (CHANNELS.has(said) || ABBREVIATION.test(part))) return true;
    return GERMAN_NOUN.test(part) && isGermanWord(part, { isMade: isGerman() });
  };
  const isCommon = ({ written, isFirst }: Word): boolean => partsOf(written).every((part) => isCommonPart(part, isFirst));
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (!word?.isName) continue;
    const product = longestProduct(words, at, products);
    if (product) {
      const isOne = product.length > 1 || !(ordinary.has(product.name) && (word.isFirst || SMALL_WORDS.includes(product.name)));
      const isMeant = isOne && !(product.length === 1 && isGermanWord(word.written, { isMade: true }) && isGerman());
      if (isMeant && !toolsAreFree && !known.hasPhrase(product.name)) return product.name;
      at += product.length - 1;
    } else if ((placesAreFree || countriesAreFree) && placeAt(words, at) > 0) at += placeAt(words, at) - 1;
    else if (isArticled(words, at) && isGerman()) continue;
    else if (!isCommon(word) && (!word.isFirst || (isSubject(words, at) && !isPeople(words, at)))) return word.plain;
  }
  return undefined;
}

const ABBREVIATION = /^\p{Lu}{2,5}$/u;
/** `NGOs`, `Q4`. */
const MANY_OR_QUARTER = /^(?:\p{Lu}{2,5}s|Q[1-4])$/u;
const GERMAN_NOUN = /^\p{Lu}\p{Ll}+$/u;
const partsOf = (written: string): string[] => written.split(/[^\p{L}\p{N}'’]+/u).filter(Boolean);

/** A title has capitals throughout. */
function isTitled(words: readonly Word[]): boolean {
  const content = words.filter((word) => word.plain.length > 3);
  return words.length <= LONGEST_TITLE && content.length > 1 && content.filter((word) => word.isName).length > content.length / 2;
}

/** How many words from a place on are the name of a country or of a large city. */
function placeAt(words: readonly Word[], at: number): number {
  for (let length = LONGEST_NAME; length > 0; length -= 1) {
    const run = words.slice(at, at + length);
    if (run.length === length && placeNames().has(run.map(({ written }) => written).join(' '))) return length;
  }
  return 0;
}

/** In German what follows an article is a noun of some kind; a product has none before it. */
const isArticled = (words: readonly Word[], at: number): boolean =>
  GERMAN_NOUN.test(words[at]?.written ?? '') && /^(?:der|die|das|den|dem|des|[mdsk]?eine?[mnrs]?)$/.test(words[at - 1]?.plain ?? '');

/** The same for a title, in which every word has a capital: the first word that nobody knows in any of its forms. */
export function unknownWord(title: string, known: Known): string | undefined {
  const { ordinary, products } = openVocabulary();
  const roots = new Set(Array.from(known.words, rootOf));
  const isKnown = (word: string): boolean =>
    ordinary.has(word) || known.words.has(word) || roots.has(rootOf(word)) || ordinary.has(word.replace(/s$/, '')) || /^\d+$/.test(word);
  const isEveryday = ({ plain: said, written }: Word): boolean => !products.has(said) && partsOf(written).every(isEverydayWord);
  return wordsOf(title, isKnown).find((word) => word.isName && !word.plain.split(' ').every(isKnown) && !isEveryday(word))?.plain;
}

/** `split` for `splits`, `splitting` and `splitter`. */
const rootOf = (word: string): string => word.replace(/(?:ers?|ors?|ings?|e?s)$/, '').replace(/([^aeiou])\1$/, '$1');

const isSubject = (words: readonly Word[], at: number): boolean => {
  const next = words[at + 1];
  return next !== undefined && (next.isName || NAME_VERBS.has(next.plain));
};

const PEOPLE = /[a-z]{2}(?:ist|er|or|ian|eer|ier|ant)s$/;
const SINGULAR =
  /^(?:is|was|has|does|offers|provides|gives|charges|costs|holds|covers|leads|serves|targets|sells|claims|supports|owns|runs|ships|shows|makes)$/;

/** "Apiarists will" are people that no dictionary has. */
const isPeople = (words: readonly Word[], at: number): boolean =>
  PEOPLE.test(words[at]?.plain ?? '') && !words[at + 1]?.isName && !SINGULAR.test(words[at + 1]?.plain ?? '');

/** What stands small inside names; any other small word ends one: "Practice better" is not the product Practice Better. */
const INSIDE_NAMES = /^(?:\d.*|of|the|and|for|to|by|my|in|on|at|a|with|de|la|le|du|der|die|das|und|e|y)$/;

function longestProduct(words: readonly Word[], at: number, products: ReadonlySet<string>): { name: string; length: number } | undefined {
  for (let length = Math.min(LONGEST_NAME, words.length - at); length > 0; length -= 1) {
    const run = words.slice(at, at + length);
    if (run.slice(1).some((word) => !word.joins || !(word.isName || INSIDE_NAMES.test(word.plain)))) continue;
    const name = run.map((word) => word.plain).join(' ');
    if (products.has(name)) return { name, length };
  }
  return undefined;
}

// A capital, or a small letter or digit with a word in capitals after it (`eBay`, `1Password`, not `40M`); `I` alone is no name.
const NAME = /^(?:\p{Lu}|\p{Ll}+\p{Lu}|\p{N}+\p{Lu}\p{L}{2})/u;
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}&+'’./-]*[\p{L}\p{N}+])?/gu;

/** @param isKnown whether a word is one of a source or of everyday language: "Uber's" is told as a source wrote it */
function wordsOf(sentence: string, isKnown: (word: string) => boolean): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of sentence.matchAll(WORD)) {
    const between = sentence.slice(end, match.index);
    const bare = match[0].replace(/['’]s$/, '');
    const text = bare !== match[0] && !isKnown(plain(bare)) && isKnown(plain(match[0])) ? match[0] : bare;
    const opens = words.length === 0 || /[.:;!?“"(]\s*$/.test(between);
    words.push({ plain: plain(text), written: text, isName: NAME.test(text) && text !== 'I', isFirst: opens, joins: /^\s$/.test(between) });
    if (text !== match[0]) words.push({ plain: 's', written: 's', isName: false, isFirst: false, joins: false });
    end = match.index + match[0].length;
  }
  return words;
}
