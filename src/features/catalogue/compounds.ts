import type { Lexicon } from './lexicon.ts';
import { lruPer } from '#lib/lru.ts';
import { stemForeign } from './stem.ts';
import { LONGEST_WORD } from './text.ts';

const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e'];
const SHORTEST = 7;
const SHORTEST_PART = 3;

/** The readings of one text ask for the same words again and again. */
const remembered = lruPer<readonly string[] | undefined>(2000);

/**
 * Splits a German compound into parts the dictionary knows, the longest head first; undefined for a word that is none.
 * Every part of the word is looked up at most once, so a word costs at most the square of its length.
 */
export const compoundParts = (word: string, lexicon: Lexicon): readonly string[] | undefined =>
  word.length < SHORTEST || word.length > LONGEST_WORD ? undefined : remembered(lexicon)(word, () => split(word, lexicon));

function split(word: string, lexicon: Lexicon): readonly string[] | undefined {
  const { entries } = lexicon.translations.de;
  const stopWords = lexicon.stopWords.get('de');
  const known = new Map<number, boolean>();
  const isKnown = (from: number, to: number): boolean => {
    const place = from * LONGEST_WORD + to;
    const isEntry = known.get(place) ?? entries.has(stemForeign(word.slice(from, to), 'de'));
    known.set(place, isEntry);
    return isEntry;
  };
  const headEnd = (from: number, at: number): number | undefined => {
    for (const link of LINKS) {
      const end = at - link.length;
      if (end - from >= SHORTEST_PART && word.startsWith(link, end) && isKnown(from, end)) return end;
    }
    return undefined;
  };
  /** The parts of what is left from a place on, worked out once. */
  const rests = new Map<number, readonly string[] | undefined>();
  const partsFrom = (from: number): readonly string[] | undefined => {
    if (!rests.has(from)) rests.set(from, splitFrom(from));
    return rests.get(from);
  };
  const splitFrom = (from: number): readonly string[] | undefined => {
    if (word.length - from < SHORTEST) return undefined;
    for (let at = word.length - SHORTEST_PART; at >= from + SHORTEST_PART; at -= 1) {
      const tail = word.slice(at);
      if (stopWords?.has(tail)) continue;
      const end = headEnd(from, at);
      const tailParts = end === undefined ? undefined : isKnown(at, word.length) ? [tail] : partsFrom(at);
      if (end !== undefined && tailParts) return [word.slice(from, end), ...tailParts];
    }
    return undefined;
  };
  return partsFrom(0);
}
