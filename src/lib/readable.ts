import { lru } from './lru.ts';
import { storable, truncate, withoutPiles } from './text.ts';

/** An idea says what it is about well before. */
const CHARACTERS = 8000;
/** Different words; a text of ordinary language has about 500 in so many characters. */
const WORDS = 600;
const WORD = /[\p{L}\p{N}]+/gu;

const remembered = lru<string>(50);

/**
 * What is read of a text by whoever looks at its words: the one place where it is cut, so that reading costs a bounded
 * time whatever the text holds. At most its first 8,000 characters and 600 different words, eight marks on a letter,
 * well formed. An ordinary text of that length is read whole.
 */
export function readable(text: string): string {
  const cut = withoutPiles(storable(truncate(text, CHARACTERS)));
  // Shorter texts have no room for so many words.
  return cut.length < 2 * WORDS ? cut : remembered(cut, () => cut.slice(0, endOfWords(cut)));
}

/** Where the first word begins that is one too many. */
function endOfWords(text: string): number {
  const seen = new Set<string>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    seen.add(word.toLowerCase());
    if (seen.size > WORDS) return index;
  }
  return text.length;
}
