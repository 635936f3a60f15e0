import type { CatalogueIndex } from './catalogue-index.ts';
import { editDistance, lettersIn, lettersOf, mayBeWithin } from './edits.ts';
import type { ForeignLanguage, Lexicon } from './lexicon.ts';
import { lruPer } from '#lib/lru.ts';

export type Correction = { word: string; distance: number };

const SHORTEST = 5;
const SHORTEST_FOR_TWO = 8;

/** Texts use the same few words that no market knows again and again. */
const corrections = lruPer<Correction | undefined>(2000);
const foreignCorrections = lruPer<string | undefined>(2000);

/** The vocabulary word a mistyped one stands for: one edit from five letters, two from eight, same first letter and frequent words preferred. */
export const correctSpelling = (word: string, index: CatalogueIndex): Correction | undefined =>
  word.length < SHORTEST || /\d/.test(word) ? undefined : corrections(index)(word, () => nearestWord(word, index));

function nearestWord(word: string, index: CatalogueIndex): Correction | undefined {
  const limit = word.length >= SHORTEST_FOR_TWO ? 2 : 1;
  const letters = lettersOf(word);
  let best: Correction | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  for (let length = word.length - limit; length <= word.length + limit; length += 1) {
    const candidates = index.wordsOfLength(length);
    const lists = lettersIn(candidates);
    for (let at = 0; at < candidates.length; at += 1) {
      if (!mayBeWithin(limit, letters, lists[at] ?? 0)) continue;
      const candidate = candidates[at] ?? '';
      const sameStart = candidate[0] === word[0];
      if (!sameStart && candidate[1] !== word[1] && candidate[0] !== word[1]) continue;
      const distance = editDistance(word, candidate, limit);
      const cost = distance + (sameStart ? 0 : 0.6) - Math.min(0.5, (index.words.get(candidate) ?? 0) / 100);
      if (distance <= limit && cost < lowest) [best, lowest] = [{ word: candidate, distance }, cost];
    }
  }
  return best;
}

/** The key of a language's dictionary one edit away from a stem, with the same first letter; the one that stands first there. */
export const correctForeign = (base: string, language: ForeignLanguage, lexicon: Lexicon): string | undefined =>
  base.length < SHORTEST ? undefined : foreignCorrections(lexicon.translations[language])(base, () => nearestKey(base, language, lexicon));

function nearestKey(base: string, language: ForeignLanguage, lexicon: Lexicon): string | undefined {
  const candidates = keysByStart(language, lexicon).get(base.charAt(0)) ?? [];
  const lists = lettersIn(candidates);
  const letters = lettersOf(base);
  return candidates.find((key, at) => mayBeWithin(1, letters, lists[at] ?? 0) && editDistance(base, key, 1) === 1);
}

const keyLists = new WeakMap<object, ReadonlyMap<string, readonly string[]>>();

/** The keys of a dictionary by their first letter, in their order. */
function keysByStart(language: ForeignLanguage, { translations }: Lexicon): ReadonlyMap<string, readonly string[]> {
  const translation = translations[language];
  const known = keyLists.get(translation) ?? Map.groupBy(translation.entries.keys(), (key) => key.charAt(0));
  keyLists.set(translation, known);
  return known;
}
