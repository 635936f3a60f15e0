import { openCompiled } from './compiled.ts';
import { FOREIGN_LANGUAGES, type ForeignLanguage, type Language, type Lexicon } from './lexicon.ts';
import { stem, stemForeign } from './stem.ts';
import { readable } from '#lib/readable.ts';
import { lru } from '#lib/lru.ts';
import { normalise, tokenize } from './text.ts';

const LETTERS: Readonly<Record<ForeignLanguage, RegExp>> = {
  es: /[ñ¿¡]/,
  de: /[äöüß]/,
  fr: /[èêëîïœùû]|\b[ldjcnsm]['’][aeiouéhy]/,
  pt: /[ãõ]|ç[ãõ]/,
};
const STOP_WORD = 1;
const WORD = 0.8;
const LETTER = 1.5;
/** Languages read, English first: on a tie the earlier one stands. */
const READ: readonly Exclude<Language, 'other'>[] = ['en', 'es', 'de', 'fr', 'pt'];
const UNREAD = ['it', 'nl', 'pl', 'sv', 'tr'];

const knowsWord = (lexicon: Lexicon, word: string, language: Exclude<Language, 'other'>) =>
  language === 'en'
    ? lexicon.words.has(word) || lexicon.stems.has(stem(word))
    : lexicon.translations[language].entries.has(stemForeign(word, language));

function pointsOf(words: readonly string[], text: string, language: string, lexicon: Lexicon): number {
  const stopWords = lexicon.stopWords.get(language);
  const read = READ.find((known) => known === language);
  let points = 0;
  for (const word of words) {
    if (stopWords?.has(word)) points += STOP_WORD;
    else if (read !== undefined && word.length > 2 && knowsWord(lexicon, word, read)) points += WORD;
  }
  const foreign = FOREIGN_LANGUAGES.find((known) => known === language);
  return foreign !== undefined && LETTERS[foreign].test(text) ? points + LETTER : points;
}

/** A text of so few words that are all English is English, whatever else they are: "todo list". */
const FEW_WORDS = 2;

/** The language of a text by stop words, known words and typical letters; `other` when none of the five explains it. */
export function detectLanguage(written: string): Language {
  const text = readable(written);
  return remembered(text, () => languageOf(text));
}

/** One research asks for the language of the same few texts again and again. */
const remembered = lru<Language>(200);

function languageOf(text: string): Language {
  const { lexicon } = openCompiled();
  const words = tokenize(text).map((token) => token.word);
  if (words.length === 0) return 'other';
  if (words.length <= FEW_WORDS && words.every((word) => lexicon.words.has(word))) return 'en';
  const lower = text.toLowerCase();
  let best: Language = 'other';
  let most = 0;
  for (const language of READ) {
    const points = pointsOf(words, lower, language, lexicon);
    if (points > most) [best, most] = [language, points];
  }
  const unread = Math.max(...UNREAD.map((language) => pointsOf(words, lower, language, lexicon)));
  if (unread > most) return 'other';
  if (most / words.length >= 0.25) return best;
  return /^[\p{Script=Latin}\P{L}]*$/u.test(normalise(text)) && most > 0 ? best : 'other';
}
