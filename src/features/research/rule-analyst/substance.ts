import { contentScore, detectLanguage, openCatalogue, tokenize } from '#features/catalogue';
import { termsOf, withStems } from './terms.ts';

/** Words of wishes and tests: with nothing else they name no problem and no product. */
const WISHES = withStems(
  `rich money million millions billion dollar dollars euro euros success successful success famous viral popular happy happi fun amaz amazing awesome awesom incred
  revolutionary innovative innov disrupt disruptive next big huge world chang change life live unicorn profit profitable passive incom income earn sell scale
  test testing hello hey lorem ipsum dolor sit amet consectetur foo bar baz blah bla example sample random whatever anything nothing somehow
  think thought suggestion suggest surprise surprising interesting interest cool epic killer perfect ultimate modern digital
  industry disrupt better place technology tech blockchain web3 metaverse gpt chatgpt llm machine learn intelligence artificial entrepreneur founder boss hustle side project
  try ask question answer write text word please thanks yes dunno value impact future dream big better everyone crazy hot trendy top
  brainstorm win earn sell selling love loved loves boss career run runs ignore previous instruction instructions startup venture investor
  fame glory genius magic secret trick tip success win winner
  leverage leverages synergy synergies paradigm shift shifting ecosystem holistic creation gen power powered enable enabled cloud native empower unlock full potential
  innovation innovations transform transformation solve challenge strategy strategic vision mission passion passionate experience experienced expert quality excellent
  wow look looks looking sure see seen hope morning evening night hello dream forget forgot predict invent imagine believe accurate result results undefined null none
  year years ten launch brainstorm possible impossible curious bored nobody anybody somebody`.split(/\s+/),
);
const WISHES_ELSEWHERE = withStems(
  `geld reich millionen verdienen erfolgreich cool geil tolles etwas irgendwas idee gute beste neue neues dinero rico millones ganar exito algo genial idea buena mejor nueva
  argent riche millions gagner quelque chose genial idee bonne meilleure nouvelle dinheiro rico milhoes ganhar algo legal ideia boa melhor nova fazer hacer faire machen
  toll tolle tolles liebe lieben lieb irgendwa irgendwas womit womi werden werd reicher millionar millionaire millionnaire selbstandig selbststandig chef eigener gut besser verdient
  cartonne cartonn revolutionnaire lever fonds larg largar emprego empreender empreend emprender renunciar trabalho libre frei freiheit liberdade independiente jefe propio patron
  prueba probando teste essai versuch mundo monde welt cambiar changer verandern mudar vida vie leben
  small super revolutionnai mond endlich eigen freelanc job up cre fond lev haga hag ric rico box neu nouveau nuevo novo proyecto projet projekt projeto startup negocio business
  bauen crear creer criar vender verkaufen vendre app aplicacion anwendung application aplicativo coisa cosa ding sache
  bonjour bonsoir salut hola hallo guten ola buenos buenas boa bom`.split(/\s+/),
);
const WISH_PHRASES =
  /\b(?:passive income|while i sleep|(?:quit|leave) my (?:day )?job|game.?chang(?:er|ing)|side hustle|get rich(?: quick)?|my own boss|quality of life)\b/gi;
/** Printers' filler, however it goes on. */
const FILLER = /\blorem\s+ipsum\b(?:[\s,.]+\p{L}+){0,40}/giu;
/** Said to somebody, not of a product: greetings, and questions about whoever is asked. */
const ADDRESSED =
  /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes|noches)|hallo|guten (?:morgen|tag|abend)|ol[aá]|bom dia|boa tarde)\b|^\W*(?:can|could|do|did|are|who|what|how|where|why|when|will|would)\b[^.?!]{0,30}\b(?:you|your)\b[^.?!]{0,30}\?\W*$/iu;
const KEYBOARD = /^(?:asd|sdf|dfg|fgh|ghj|hjk|jkl|qwe|zxc|xcv|uiop)/;
const KNOWN_AT = 0.3;
const CLEAR_AT = 0.4;
const HINTED_AT = 0.2;
const SHORT = 4;
const FEW = 2;
const UNREAD_WORDS = 4;
const DENSE_SCRIPT = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Hangul}/gu;

/** Whether a text says nothing that a product could be made of: wishes, tests, single empty words, keyboard noise. */
export function isContentless(written: string): boolean {
  const text = written.replace(FILLER, ' ');
  const dense = text.match(DENSE_SCRIPT)?.length ?? 0;
  if (dense >= 6) return false;
  const words = tokenize(text).map(({ word }) => word);
  if (words.filter((word) => /\p{L}/u.test(word)).length === 0) return true;
  if (words.length > 1 && new Set(words).size === 1) return true;
  const language = detectLanguage(text);
  const isEnglish = language === 'en';
  const telling = termsOf(text.replaceAll(WISH_PHRASES, ' ')).filter(
    (term) => !WISHES.has(term) && (isEnglish || !WISHES_ELSEWHERE.has(term)) && !isNoise(term) && !/^\d+$/.test(term),
  );
  if (telling.length === 0) return true;
  if (telling.length <= FEW && ADDRESSED.test(text)) return true;
  if (language === 'other' && isForeignText(words)) return false;
  const { confidence } = openCatalogue().search(text);
  const content = contentScore(telling.join(' ')) || contentScore(text);
  if (content === 0) return language !== 'other' || !isForeignText(words);
  if (confidence >= CLEAR_AT || (confidence >= KNOWN_AT && telling.length >= 2)) return false;
  // A single word is an idea only where it names a market and little else is said ("fitness app").
  if (telling.length === 1) return words.length > SHORT || confidence < HINTED_AT;
  return content < 0.12;
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
