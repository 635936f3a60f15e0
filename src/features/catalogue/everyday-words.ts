import { openCompiled } from './compiled.ts';
import { compoundParts } from './compounds.ts';
import { stem, stemForeign } from './stem.ts';
import { normalise } from './text.ts';

const MADE_UP = /^([a-z]{3,})(?:ly|ify)$/;
/** Who rings is a ringer. */
const WHO_DOES = /^([a-z]{4,})ers?$/;

/** Whether an English word is in a dictionary: everyday words, and the places, people and firms that are spoken of as often. */
export function isEverydayWord(written: string): boolean {
  const { lexicon, meanings } = openCompiled();
  const word = normalise(written);
  // Many a product is called by a word with an ending that makes it another one: "kitchenly".
  const bare = MADE_UP.exec(word)?.[1];
  if (bare !== undefined && !lexicon.words.has(word) && stem(bare) === stem(word)) return false;
  const isKnown = (root: string): boolean => lexicon.stems.has(root) || meanings.meaningOf([root]) !== undefined;
  const [, doing] = WHO_DOES.exec(word) ?? [];
  return lexicon.words.has(word) || isKnown(stem(word)) || (doing !== undefined && isKnown(stem(doing)));
}

/** What German makes nouns with. */
const GERMAN_ENDING = /[a-z]{3}(?:ung|heit|keit|schaft|nis|chen|ling|tion|taet|tat|ismus|erei|ierung|innen|erin)(?:en|e|n|s|se|es)?$/;

/** Whether a word is German; with `isMade`, also one that is made of German words, or ends as German nouns do. */
export function isGermanWord(written: string, { isMade = false }: { isMade?: boolean } = {}): boolean {
  const { lexicon } = openCompiled();
  const word = normalise(written);
  const isKnown = (one: string): boolean =>
    lexicon.translations.de.entries.has(stemForeign(one, 'de')) || (lexicon.stopWords.get('de')?.has(one) ?? false);
  return isKnown(word) || (isMade && (compoundParts(word, lexicon) !== undefined || GERMAN_ENDING.test(word)));
}
