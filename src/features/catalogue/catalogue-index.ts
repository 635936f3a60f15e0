import type { Lexicon } from './lexicon.ts';
import { FOREIGN_LANGUAGES, type ForeignLanguage } from './lexicon.ts';
import type { Category } from './schema.ts';
import { stem, stemForeign } from './stem.ts';

export type UnitKind = 'need' | 'use' | 'name' | 'keyword' | 'feature' | 'term' | 'audience' | 'description' | 'summary';

/** The phrases of the catalogue, a column per property: so many small objects would take long to read back. */
export type Units = {
  length: number;
  categories: Int32Array;
  /** Places in `KINDS`. */
  kinds: Uint8Array;
  masses: Float32Array;
  features: Int16Array;
};

/** By the numbers that `units.kinds` holds. */
export const KINDS: readonly UnitKind[] = ['need', 'use', 'name', 'keyword', 'feature', 'term', 'audience', 'description', 'summary'];

/** Numbers of many keys, one list after the other, and where each key's ends. */
export type Lists<Values> = { values: Values; ends: Int32Array };

export type CatalogueIndex = {
  /** How many markets there are. */
  size: number;
  /** Per category, 1 for a narrow one. */
  niches: Uint8Array;
  vocabulary: ReadonlyMap<string, number>;
  /** Inverse document frequency over categories. */
  rarity: Float64Array;
  /** Rarity, or a part of it for weak and everyday words. */
  weights: Float64Array;
  /** Per term, the categories that say it, ascending, and in the same places how much each says it. */
  postings: Lists<Uint16Array> & { frequencies: Float32Array };
  units: Units;
  /** Per category, the positions of its first unit and of the first one after it. */
  unitRanges: readonly (readonly [number, number])[];
  /** Positions of the units that say each term, one list after the other, and where each term's ends. */
  unitLists: Lists<Int32Array>;
  /** Per company, the terms of the one line that is said of it. */
  summaries: Lists<Int32Array>;
  /** Neighbouring terms of a phrase as `pairKey`s, ascending, and the categories that say each pair. */
  pairs: Lists<Uint16Array> & { keys: Float64Array };
  /** English words of the catalogue with the number of their mentions. */
  words: ReadonlyMap<string, number>;
  /** Those that a mistyped word of a length may mean. */
  wordsOfLength(length: number): readonly string[];
};

/** The index as plain data: its maps as lists of keys with their values in the same places. */
export type KeptIndex = Omit<CatalogueIndex, 'vocabulary' | 'words' | 'wordsOfLength'> & {
  terms: readonly string[];
  words: { written: readonly string[]; mentions: Int32Array };
  wordsByLength: readonly (readonly string[])[];
};

export const openIndex = ({ terms, words, wordsByLength, ...columns }: KeptIndex): CatalogueIndex => ({
  ...columns,
  vocabulary: new Map(terms.map((term, id) => [term, id])),
  words: new Map(words.written.map((word, at) => [word, words.mentions[at] ?? 0])),
  wordsOfLength: (length) => wordsByLength[length] ?? [],
});

const WEAK_SHARE = 0.6;
const SOFT_SHARE = 0.8;
const PAIR_BASE = 1 << 20;

/** Key of two neighbouring terms, regardless of their order. */
export const pairKey = (left: number, right: number) => (left < right ? left * PAIR_BASE + right : right * PAIR_BASE + left);

/** Whether a stem is a number or a word that product talk is full of. */
export const isWeak = (stem: string, lexicon: Lexicon) => lexicon.weakStems.has(stem) || /^\d/.test(stem);

/** How much of a stem's rarity counts: less for weak words and numbers, a little less for everyday words. */
export function shareOf(stem: string, lexicon: Lexicon): number {
  if (isWeak(stem, lexicon)) return WEAK_SHARE;
  return lexicon.softStems.has(stem) ? SOFT_SHARE : 1;
}

export type Phrase = { kind: UnitKind; text: string; feature: number; language: 'en' | ForeignLanguage };

export function phrasesOf(category: Category): Phrase[] {
  const english = (kind: UnitKind, texts: readonly string[], feature = -1): Phrase[] =>
    texts.map((text) => ({ kind, text, feature, language: 'en' }));
  return [
    ...english('need', category.needs),
    ...english('use', category.use_cases),
    ...english('name', [category.name, ...category.aliases]),
    ...english('keyword', category.keywords),
    ...english('audience', category.audience),
    ...category.features.flatMap((feature, at) => [
      ...english('feature', [feature.name], at),
      ...english('term', feature.terms, at),
      ...english('description', [feature.description], at),
    ]),
    ...english(
      'summary',
      category.companies.map(({ summary }) => summary),
    ),
    ...FOREIGN_LANGUAGES.flatMap((language) =>
      category.needs_by_language[language].map((text): Phrase => ({ kind: 'need', text, feature: -1, language })),
    ),
  ];
}

/** The term of a word: its stem, with the language before a colon when not English; undefined for stop words and single letters. */
export function termOf(word: string, language: 'en' | ForeignLanguage, lexicon: Lexicon): string | undefined {
  if (lexicon.stopWords.get(language)?.has(word) || (word.length === 1 && !/\d/.test(word))) return undefined;
  return language === 'en' ? stem(word) : `${language}:${stemForeign(word, language)}`;
}

/** The phrases of a category that its units stand for, in their order. */
export const unitTexts = (category: Category): string[] =>
  phrasesOf(category)
    .filter(isUnit)
    .map(({ text }) => text);

/** Descriptions and summaries only add words to their market; nobody asks in them. */
export const isUnit = ({ kind }: Phrase): boolean => kind !== 'description' && kind !== 'summary';

export const kindOf = ({ units }: CatalogueIndex, position: number): UnitKind => KINDS[units.kinds[position] ?? 0] ?? 'description';

/** In how many categories a term stands. */
export const categoriesSaying = ({ postings: { ends } }: CatalogueIndex, term: number): number => (ends[term + 1] ?? 0) - (ends[term] ?? 0);

/** The categories that say two terms as neighbours, in either order. */
export function categoriesOfPair({ pairs: { keys, values, ends } }: CatalogueIndex, left: number, right: number): Uint16Array {
  const key = pairKey(left, right);
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? 0) < key) low = middle + 1;
    else high = middle;
  }
  return keys[low] === key ? values.subarray(ends[low] ?? 0, ends[low + 1] ?? 0) : NOWHERE;
}
const NOWHERE = new Uint16Array();
