import { contentScore, detectLanguage, openCatalogue, termsOf, tokenize } from '#features/catalogue';
import { readable } from '#lib/readable.ts';
import { ABSTRACT, WISHES, WISHES_ELSEWHERE } from './empty-words.ts';
import { readsAsEmpty } from './learnt-substance.ts';

const WISH_PHRASES =
  /\b(?:passive income|while i sleep|(?:quit|leave) my (?:day )?job|game.?chang(?:er|ing)|side hustle|get rich(?: quick)?|my own boss|machine learning|deep learning|next.gen|quality of life|one.stop shop|operating system (?:for|of) (?:the future|everything|everyone|life)|(?:uber|airbnb|amazon|netflix|tinder) (?:of|for) (?:everything|everyone|all)|fill (?:this |it )?in later|meaning of life|quick brown fox jumps over the lazy dog|(?:great|good|nice) ux|beautiful design|ai agents?)\b/gi;
/** Printers' filler, however it goes on. */
const FILLER = /\blorem\s+ipsum\b(?:[\s,.]+\p{L}+){0,40}/giu;
/** Said to somebody, not of a product: greetings, and questions about whoever is asked. */
const ADDRESSED =
  /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes|noches)|hallo|guten (?:morgen|tag|abend)|ol[aá]|bom dia|boa tarde)\b|^\W*(?:can|could|do|did|are|who|what|how|where|why|when|will|would)\b[^.?!]{0,30}\b(?:you|your)\b[^.?!]{0,30}\?\W*$/iu;
/** Whoever is to be helped is a beginning, however little is said of the help. */
const FOR_SOMEBODY =
  /\b(?:for|help\w*|lets?|remind\w*|teach\w*)\s+(?:an?|the|my|our|his|her|their|people with|people who)\s+\p{L}+|\b(?:para|pour|für)\s+(?!qu|m[ií]\b|mim|moi|mich|dich|ti\b|toi|was\b|isso|eso|[cç]a\b)\p{L}+/iu;
const KEYBOARD = /^(?:asd|sdf|dfg|fgh|ghj|hjk|jkl|qwe|zxc|xcv|uiop)/;
const KNOWN_AT = 0.3;
const CLEAR_AT = 0.4;
const FEW = 2;
const UNREAD_WORDS = 4;
const DENSE_SCRIPT = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Hangul}/gu;

/** Whether a text says nothing that a product could be made of: wishes, tests, single empty words, keyboard noise. */
export function isContentless(written: string): boolean {
  const text = readable(written);
  return (saysNothing(text) || (!isUnread(text) && readsAsEmpty(text))) && !namesMarket(text);
}

/** Whether a text is in a language whose words nothing here has learnt. */
const isUnread = (text: string): boolean => detectLanguage(text) === 'other' && isForeignText(tokenize(text).map(({ word }) => word));

function saysNothing(written: string): boolean {
  const text = written.replace(FILLER, ' ');
  const dense = text.match(DENSE_SCRIPT)?.length ?? 0;
  if (dense >= 6) return false;
  const words = tokenize(text).map(({ word }) => word);
  if (words.filter((word) => /\p{L}/u.test(word)).length === 0) return true;
  if (words.length > 1 && new Set(words).size === 1) return true;
  const language = detectLanguage(text);
  const isEnglish = language === 'en';
  const said = withoutWishes(text, isEnglish);
  const telling = tellingOf(said, isEnglish);
  if (telling.length === 0) return true;
  if (telling.length <= FEW && ADDRESSED.test(text) && !FOR_SOMEBODY.test(said)) return true;
  if (language === 'other' && isForeignText(words)) return false;
  const { confidence } = openCatalogue().search(said);
  const content = contentScore(telling.join(' ')) || contentScore(text);
  if (content === 0) return language !== 'other' || !isForeignText(words);
  if (confidence >= CLEAR_AT || (confidence >= KNOWN_AT && telling.length >= 2)) return false;
  return content < 0.12;
}

/** Most words in the name of a market. */
const NAME_WORDS = 6;
const KINDS = /^(?:an?|the|app|apps|software|platform|tool|tools|system|systems)$/;

/** Whether a short text is what a market of the catalogue is called, whatever its words say elsewhere. */
function namesMarket(text: string): boolean {
  if (tokenize(text).length > NAME_WORDS) return false;
  const bare = (said: string): string =>
    tokenize(said)
      .map(({ word }) => word)
      .filter((word) => !KINDS.test(word))
      .join(' ');
  const name = bare(text);
  const { categories } = openCatalogue().search(text);
  return name !== '' && categories.some(({ category }) => [category.name, ...category.aliases].some((alias) => bare(alias) === name));
}

/** The words of a text that a product could be made of. */
function tellingOf(said: string, isEnglish: boolean): string[] {
  return termsOf(said).filter(
    (term) => !WISHES.has(term) && !ABSTRACT.has(term) && (isEnglish || !WISHES_ELSEWHERE.has(term)) && !isNoise(term) && !/^\d+$/.test(term),
  );
}

/** What a text says beside wishes: in another language a wish is known by its own words, before they are read as English ones. */
function withoutWishes(text: string, isEnglish: boolean): string {
  const without = text.replaceAll(WISH_PHRASES, ' ');
  if (isEnglish) return without;
  return without.replaceAll(/[\p{L}\p{N}'’-]+/gu, (word) => (tokenize(word).some((token) => WISHES_ELSEWHERE.has(token.word)) ? ' ' : word));
}

/** Text in a language that nothing here reads still looks like language: several distinct words that can be spoken. */
function isForeignText(words: readonly string[]): boolean {
  const distinct = [...new Set(words)].filter((word) => /\p{L}/u.test(word));
  const noise = distinct.filter(isNoise).length;
  const hasSmallWords = distinct.some((word) => word.length <= 4);
  return distinct.length >= UNREAD_WORDS && noise / distinct.length < 0.2 && hasSmallWords && !distinct.includes('lorem');
}

function isNoise(word: string): boolean {
  if (!/^[a-z]+$/.test(word)) return false;
  if (word.length > 3 && !/[aeiouy]/.test(word)) return true;
  return KEYBOARD.test(word) || /[^aeiouy]{6,}|(.)\1{3,}/.test(word);
}
