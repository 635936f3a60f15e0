import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { termOf } from './catalogue-index.ts';
import type { Lexicon } from './lexicon.ts';
import type { Category } from './schema.ts';
import { wordsOf } from './text.ts';

/** How near markets are in meaning, where they share no word: docs/decisions/0002-word-meanings.md. */
export type Meanings = {
  /** Per market, the cosine between it and the sum of the stems' vectors; all 0 when none of the stems is known. */
  nearnessOf(stems: Iterable<string>): Float32Array;
  /** What stems mean together, as a vector of length 1; undefined when none of them is known. */
  meaningOf(stems: Iterable<string>): Float32Array | undefined;
};

/** The same as plain data: vectors of `DIMENSIONS` numbers one after the other, the markets' of length 1. */
export type KeptMeanings = { /** Ascending. */ stems: readonly string[]; vectors: Int8Array; markets: Float32Array };

const DIMENSIONS = 96;
const FILE = join(import.meta.dirname, 'data/lexicon/meanings.txt');
/** What a phrase of a market counts beside one in which somebody tells a need. */
const ASIDE = 0.5;

/** The vectors of all stems, and of the markets as the mean of what their phrases mean. */
export function collectMeanings(categories: readonly Category[], lexicon: Lexicon): KeptMeanings {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n').sort();
  const stems = lines.map((line) => line.slice(0, line.indexOf(' ')));
  const vectors = new Int8Array(stems.length * DIMENSIONS);
  lines.forEach((line, at) => vectors.set(new Int8Array(Buffer.from(line.slice(line.indexOf(' ') + 1), 'base64')), at * DIMENSIONS));
  const rows = rowsOfWords(stems, lexicon);
  const markets = new Float32Array(categories.length * DIMENSIONS);
  categories.forEach((category, at) => {
    const mean = new Float32Array(DIMENSIONS);
    for (const { text, weight } of phrasesOf(category)) {
      const meaning = sumOf(new Set(wordsOf(text).map(rows)), vectors);
      if (toUnit(meaning)) for (let place = 0; place < DIMENSIONS; place += 1) mean[place] = (mean[place] ?? 0) + weight * (meaning[place] ?? 0);
    }
    toUnit(mean);
    markets.set(mean, at * DIMENSIONS);
  });
  return { stems, vectors, markets };
}

export function openMeanings({ stems, vectors, markets }: KeptMeanings): Meanings {
  const meaningOf: Meanings['meaningOf'] = (said) => {
    const meaning = sumOf(new Set(Array.from(said, (stem) => rowOf(stem, stems))), vectors);
    return toUnit(meaning) ? meaning : undefined;
  };
  return {
    meaningOf,
    nearnessOf: (asked) => {
      const meaning = meaningOf(asked);
      const nearness = new Float32Array(markets.length / DIMENSIONS);
      if (!meaning) return nearness;
      return nearness.map((_, market) => cosine(meaning, markets.subarray(market * DIMENSIONS, (market + 1) * DIMENSIONS)));
    },
  };
}

/** Where a stem stands in an ascending list, or -1: a map of so many would take longer to build at every start than to look through here. */
function rowOf(wanted: string, stems: readonly string[]): number {
  let [low, high] = [0, stems.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = stems[middle] ?? '';
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

const phrasesOf = (category: Category): { text: string; weight: number }[] => [
  ...[category.name, ...category.aliases, ...category.needs, ...category.use_cases].map((text) => ({ text, weight: 1 })),
  ...category.features.map(({ name, terms }) => ({ text: `${name} ${terms.join(' ')}`, weight: 1 })),
  ...[...category.keywords, ...category.audience].map((text) => ({ text, weight: ASIDE })),
  ...[...category.features.map(({ description }) => description), ...category.companies.map(({ summary }) => summary)].map((text) => ({
    text,
    weight: ASIDE,
  })),
];

/** Where the stem of an English word stands, or -1; the words of all phrases are some thousands again and again. */
function rowsOfWords(stems: readonly string[], lexicon: Lexicon): (word: string) => number {
  const places = new Map(stems.map((stem, at) => [stem, at]));
  const known = new Map<string, number>();
  return (word) => {
    let row = known.get(word);
    if (row === undefined) known.set(word, (row = places.get(termOf(word, 'en', lexicon) ?? '') ?? -1));
    return row;
  };
}

/** Each stem counts once: its vector's length says how much it tells. */
function sumOf(rows: ReadonlySet<number>, vectors: Int8Array): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const row of rows) {
    if (row < 0) continue;
    const start = row * DIMENSIONS;
    for (let place = 0; place < DIMENSIONS; place += 1) sum[place] = (sum[place] ?? 0) + (vectors[start + place] ?? 0);
  }
  return sum;
}

/** Makes a vector one of length 1, in place; false when it is nothing. */
export function toUnit(vector: Float32Array): boolean {
  let squares = 0;
  for (let place = 0; place < vector.length; place += 1) squares += (vector[place] ?? 0) ** 2;
  if (squares === 0) return false;
  const length = Math.sqrt(squares);
  for (let place = 0; place < vector.length; place += 1) vector[place] = (vector[place] ?? 0) / length;
  return true;
}

/** The cosine of two vectors of length 1; 0 where one is missing. */
export function cosine(left: Float32Array | undefined, right: Float32Array | undefined): number {
  if (!left || !right) return 0;
  let dot = 0;
  for (let place = 0; place < left.length; place += 1) dot += (left[place] ?? 0) * (right[place] ?? 0);
  return dot;
}
