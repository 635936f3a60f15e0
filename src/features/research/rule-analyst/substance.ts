import { readFileSync } from 'node:fs';
import { contentScore, detectLanguage, openCatalogue, tokenize } from '#features/catalogue';
import { readable } from '#lib/readable.ts';

/** Letters of a word that count, in whichever language: what follows are mostly its endings. */
const STEM = 6;
/** Words that hold others together; their pairs say what kind of sentence it is. */
const SMALL = 3;
const OPENING = 3;
const UNREAD_WORDS = 4;
const MADE_THING_COUNTS = 0.8;
const FEWEST_BARE = 3;
const DENSE_SCRIPT = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Hangul}/gu;
const DENSE = 6;
const YEAR = /^(?:1\d{3}|20\d\d)$/;
const LENGTHS = [1, 2, 3, 5, 8, 12, 20, 40, 80];
/** Letters at the end of a longer word: they tell a tense, an order, a kind of noun. */
const ENDING = 3;
const MARK = /[^\p{L}\p{N}\p{M}\s]/gu;
/** Marks that code, commands and logs have and speech has not. */
const CODE_MARK = /[{}[\]<>;=|\\$_@#*^`~]/g;
const LISTED = /[\n,;•]+/;
/** Words of those who want something made, of any language read here, without accents. */
const WISHES = new Set(
  (
    'want wants need needs wish app apps aap ap appli application website site platform plattform tool tools software marketplace service device gadget ' +
    'moechte mochte brauche brauchen suche plattform webseite werkzeug programm gerat dienst aplicacion quiero quisiera necesito busco herramienta ' +
    'plataforma servicio programa veux voudrais besoin cherche outil plateforme logiciel quero preciso ferramenta aplicativo something etwas algo truc'
  ).split(' '),
);

type Learnt = { bias: number; signs: ReadonlyMap<string, number> };
let learnt: Learnt | undefined;

const openLearnt = (): Learnt => (learnt ??= readLearnt());

function readLearnt(): Learnt {
  const kept = JSON.parse(readFileSync(new URL('./substance-signs.json', import.meta.url), 'utf8')) as {
    bias: number;
    signs: Record<string, number>;
  };
  return { bias: kept.bias, signs: new Map(Object.entries(kept.signs)) };
}

/** A made thing and what it does or whom it is for, as in "an app that": it outweighs a weak doubt, and no buzzwords. */
const MADE_THING =
  /(?<!\p{L})(?:apps?|tool|platform|website|software|plugin|extension|bot|marketplace|device|gadget|plattform|webseite|programm|werkzeug|gerät|aplicación|herramienta|plataforma|application|logiciel|outil|plateforme|aplicativo|ferramenta)\s(?:that|which|to|for|with|where|die|das|der|für|um|mit|que|para|con|com|qui|pour|avec|où)(?!\p{L})/iu;

/** Whether a text names nothing that could be built or offered: a wish, a question, a fact, a greeting, a song, noise. */
export function isContentless(written: string): boolean {
  const text = withoutMarkup(readable(written));
  const words = tokenize(text).map(({ word }) => word);
  if (!words.some((word) => /\p{L}/u.test(word))) return true;
  if (words.length > 1 && new Set(words).size === 1) return true;
  if ((text.match(DENSE_SCRIPT)?.length ?? 0) >= DENSE || isUnread(text, words) || namesMarket(text)) return false;
  const { bias, signs } = openLearnt();
  let sum = bias - (MADE_THING.test(text) ? MADE_THING_COUNTS : 0);
  for (const [sign, value] of signsOf(text)) sum += value * (signs.get(sign) ?? 0);
  return sum > 0;
}

/**
 * What tells whether a text names a product, with how much it counts: its words, their endings, how it opens and ends, its pairs of small
 * words, its length and shape, and how much of it the catalogue knows. The weights are learnt by bench/eval/learn-substance.ts.
 */
export function signsOf(text: string): Map<string, number> {
  const words =
    text
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .replaceAll(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  const isSmall = (word: string | undefined): boolean => word !== undefined && word.length <= SMALL;
  const pairs = words.flatMap((word, at) => (at > 0 && (isSmall(word) || isSmall(words[at - 1])) ? [`${words[at - 1]} ${word}`] : []));
  const openings = words.slice(0, OPENING).map((_, at) => `^${words.slice(0, at + 1).join(' ')}`);
  const endings = words.flatMap((word) => (word.length > ENDING + 1 ? [`-${word.slice(-ENDING)}`] : []));
  const said = new Set([...words.map((word) => word.slice(0, STEM)), ...pairs, ...openings, ...endings]);
  const share = 1 / Math.sqrt(Math.max(1, said.size));
  const size = LENGTHS.filter((length) => words.length >= length).length;
  return new Map([
    ...[...said].map((sign) => [sign, share] as const),
    [`#words ${size}`, 1],
    [/[?？]\W*$/u.test(text) ? '#asks' : '#tells', 1],
    ['#year', Number(words.some((word) => YEAR.test(word)))],
    ['#noise', words.filter(isNoise).length / Math.max(1, words.length)],
    ['#known', openCatalogue().search(text).confidence],
    ['#content', contentScore(text)],
    ...shapeOf(text, words),
  ]);
}

/** How a text looks whatever its words are: its marks, digits, lines, sentences, items of a list, words of wanting. */
function shapeOf(text: string, words: readonly string[]): [string, number][] {
  const length = Math.max(1, text.length);
  const marks = text.match(MARK) ?? [];
  const items = text.split(LISTED).filter((item) => /\p{L}/u.test(item));
  const brief = items.filter((item) => item.trim().split(/\s+/).length <= NAME_WORDS / 2).length;
  const sentences = text.split(/[.!?…]+(?:\s|$)/u).filter((sentence) => /\p{L}/u.test(sentence)).length;
  const wishes = words.filter((word) => WISHES.has(word)).length;
  return [
    ...[...new Set(marks)].map((mark): [string, number] => [`#mark ${mark}`, 0.5]),
    ['#marks', marks.length / length],
    ['#code', Math.min(1, (5 * (text.match(CODE_MARK)?.length ?? 0)) / length)],
    ['#digits', (text.match(/\d/g)?.length ?? 0) / length],
    ['#lines', Math.log(text.split('\n').length)],
    ['#list', items.length > 2 ? brief / items.length : 0],
    ['#sentences', Math.log(1 + sentences)],
    ['#sentence', Number(/^\P{L}*\p{Lu}/u.test(text) && /[.!]\W*$/.test(text))],
    ['#wants', Math.min(1, wishes / 2)],
  ];
}

const TAG = /<\/?[a-z][^<>]{0,500}>/giu;

/** Whoever pastes an idea with its markup has an idea; what is markup alone stays as it is. */
function withoutMarkup(text: string): string {
  const bare = text.replaceAll(TAG, ' ');
  return tokenize(bare).length >= FEWEST_BARE ? bare : text;
}

/** Whether a text is in a language whose words nothing here has learnt: several distinct words that can be spoken. */
function isUnread(text: string, words: readonly string[]): boolean {
  if (detectLanguage(text) !== 'other') return false;
  const distinct = [...new Set(words)].filter((word) => /\p{L}/u.test(word));
  const noise = distinct.filter(isNoise).length;
  return distinct.length >= UNREAD_WORDS && noise / distinct.length < 0.2 && distinct.some((word) => word.length <= 4) && !distinct.includes('lorem');
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

const KEYBOARD = /^(?:asd|sdf|dfg|fgh|ghj|hjk|jkl|qwe|zxc|xcv|uiop)/;

function isNoise(word: string): boolean {
  if (!/^[a-z]+$/.test(word)) return false;
  if (word.length > 3 && !/[aeiouy]/.test(word)) return true;
  return KEYBOARD.test(word) || /[^aeiouy]{6,}|(.)\1{3,}/.test(word);
}
