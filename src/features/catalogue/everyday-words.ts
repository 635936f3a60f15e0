import { openCompiled } from './compiled.ts';
import { compoundParts } from './compounds.ts';
import { stem, stemForeign } from './stem.ts';
import { normalise } from './text.ts';

/** Who rings is a ringer. */
const WHO_DOES = /^([a-z]{4,})ers?$/;

/** Whether an English word is in a dictionary: everyday words, and the places, people and firms that are spoken of as often. */
export function isEverydayWord(written: string): boolean {
  const { lexicon, meanings } = openCompiled();
  const word = normalise(written);
  const isKnown = (root: string): boolean => lexicon.stems.has(root) || meanings.meaningOf([root]) !== undefined;
  const [, doing] = WHO_DOES.exec(word) ?? [];
  return lexicon.words.has(word) || isKnown(stem(word)) || (doing !== undefined && isKnown(stem(doing)));
}

/** What German makes nouns with. */
const GERMAN_ENDING = /[a-z]{3}(?:ung|heit|keit|schaft|nis|chen|ling|tion|taet|tat|ismus|erei|ierung|innen|erin)(?:en|e|n|s|se|es)?$/;

/** Whether a word is German, or made of German words; with `byEnding`, also what only ends as German nouns do. */
export function isGermanWord(written: string, { byEnding = false }: { byEnding?: boolean } = {}): boolean {
  const { lexicon } = openCompiled();
  const word = normalise(written);
  const isKnown = (one: string): boolean =>
    lexicon.translations.de.entries.has(stemForeign(one, 'de')) || (lexicon.stopWords.get('de')?.has(one) ?? false);
  return isKnown(word) || compoundParts(word, lexicon) !== undefined || (byEnding && GERMAN_ENDING.test(word));
}
