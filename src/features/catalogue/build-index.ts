import {
  isUnit,
  KINDS,
  pairKey,
  phrasesOf,
  shareOf,
  termOf,
  type CatalogueIndex,
  type KeptIndex,
  type Lists,
  type Phrase,
  type UnitKind,
  type Units,
} from './catalogue-index.ts';
import type { ForeignLanguage, Lexicon } from './lexicon.ts';
import type { Category } from './schema.ts';
import { wordsOf } from './text.ts';

/** One phrase of the catalogue while it is read. */
type Unit = {
  category: number;
  kind: UnitKind;
  /** Sum of the weights of its distinct terms. */
  mass: number;
  /** Position of the feature in its category, or -1. */
  feature: number;
};

/** While it is collected. */
type Posting = { categories: number[]; frequencies: number[] };

const STOPPED = -1;

/** Weight of one mention in a field (BM25F); at or above `STRONG` the field says what a market is about. */
const FIELD_WEIGHT: Readonly<Record<UnitKind, number>> = {
  need: 0.8,
  use: 1.3,
  name: 2.3,
  keyword: 2.6,
  feature: 0.6,
  term: 0.36,
  audience: 1,
  description: 0.09,
  summary: 0.3,
};
const STRONG = 0.5;
const PAIRED: ReadonlySet<UnitKind> = new Set(['need', 'use', 'name', 'keyword', 'feature', 'term']);

type Draft = { -readonly [Key in keyof Unit]: Unit[Key] };

/** Gathers the terms, postings, pairs and units of phrases as they are read. */
function createCollector(lexicon: Lexicon) {
  const vocabulary = new Map<string, number>();
  const postings: Posting[] = [];
  /** Per term, in how many categories a strong field says it, and the last of them. */
  const strong = { counts: new Array<number>(), last: new Array<number>() };
  const units: Draft[] = [];
  /** The distinct terms of all units one after the other, and where each unit's begin. */
  const said = { terms: new Array<number>(), starts: new Array<number>() };
  const summaries: (readonly number[])[] = [];
  const pairs = new Map<number, number | number[]>();
  const words = new Map<string, number>();
  const idOfWord = {
    en: new Map<string, number>(),
    es: new Map<string, number>(),
    de: new Map<string, number>(),
    fr: new Map<string, number>(),
    pt: new Map<string, number>(),
  };

  const idOf = (term: string): number => {
    const known = vocabulary.get(term);
    if (known !== undefined) return known;
    const id = vocabulary.size;
    vocabulary.set(term, id);
    postings.push({ categories: [], frequencies: [] });
    strong.counts.push(0);
    strong.last.push(-1);
    return id;
  };
  const idsOf = (written: readonly string[], language: 'en' | ForeignLanguage): number[] => {
    const known = idOfWord[language];
    const ids: number[] = [];
    for (const word of written) {
      let id = known.get(word);
      if (id === undefined) {
        const term = termOf(word, language, lexicon);
        id = term === undefined ? STOPPED : idOf(term);
        known.set(word, id);
      }
      if (id !== STOPPED) ids.push(id);
    }
    return ids;
  };
  const mention = (term: number, category: number, weight: number) => {
    const list = postings[term];
    if (!list) return;
    const last = list.categories.length - 1;
    if (list.categories[last] === category) list.frequencies[last] = (list.frequencies[last] ?? 0) + weight;
    else {
      list.categories.push(category);
      list.frequencies.push(weight);
    }
    if (weight < STRONG || strong.last[term] === category) return;
    strong.last[term] = category;
    strong.counts[term] = (strong.counts[term] ?? 0) + 1;
  };
  const pair = (left: number, right: number, category: number) => {
    const key = pairKey(left, right);
    const known = pairs.get(key);
    if (known === undefined) pairs.set(key, category);
    else if (typeof known === 'number') {
      if (known !== category) pairs.set(key, [known, category]);
    } else if (known.at(-1) !== category) known.push(category);
  };
  const addUnit = (category: number, phrase: Phrase, ids: readonly number[]) => {
    const { terms, starts } = said;
    starts.push(terms.length);
    for (let place = 0; place < ids.length; place += 1) if (ids.indexOf(ids[place] ?? STOPPED) === place) terms.push(ids[place] ?? STOPPED);
    units.push({ category, kind: phrase.kind, mass: 0, feature: phrase.feature });
  };

  const read = (category: number, phrase: Phrase) => {
    const written = wordsOf(phrase.text);
    const ids = idsOf(written, phrase.language);
    for (const id of ids) mention(id, category, FIELD_WEIGHT[phrase.kind]);
    if (phrase.kind === 'summary') summaries.push([...new Set(ids)]);
    if (PAIRED.has(phrase.kind)) {
      for (let place = 1; place < ids.length; place += 1) pair(ids[place - 1] ?? STOPPED, ids[place] ?? STOPPED, category);
    }
    if (!isUnit(phrase)) return;
    addUnit(category, phrase, ids);
    if (phrase.language === 'en') for (const word of written) words.set(word, (words.get(word) ?? 0) + 1);
  };
  return { read, vocabulary, postings, strong, units, said, summaries, pairs, words };
}

function groupByLength(words: Iterable<string>, stopWords: ReadonlySet<string> | undefined): string[][] {
  const groups: string[][] = [];
  for (const word of [...words].sort()) {
    if (word.length < 4 || /\d/.test(word) || stopWords?.has(word)) continue;
    while (groups.length <= word.length) groups.push([]);
    groups[word.length]?.push(word);
  }
  return groups;
}

/** Turns the terms of each unit into the units of each term, in two flat lists. */
function unitsByTerm({ terms, starts }: { terms: readonly number[]; starts: readonly number[] }, size: number): CatalogueIndex['unitLists'] {
  const ends = new Int32Array(size + 1);
  for (const term of terms) ends[term + 1] = (ends[term + 1] ?? 0) + 1;
  for (let term = 0; term < size; term += 1) ends[term + 1] = (ends[term + 1] ?? 0) + (ends[term] ?? 0);
  const next = ends.slice(0, size);
  const values = new Int32Array(terms.length);
  for (let unit = 0; unit < starts.length; unit += 1) {
    for (let place = starts[unit] ?? 0; place < (starts[unit + 1] ?? terms.length); place += 1) {
      const term = terms[place] ?? 0;
      values[next[term] ?? 0] = unit;
      next[term] = (next[term] ?? 0) + 1;
    }
  }
  return { values, ends };
}

/** Lists of numbers joined into one column of a kind. */
function joined<Values extends Uint16Array | Int32Array>(
  lists: readonly (readonly number[])[],
  Column: new (length: number) => Values,
): Lists<Values> {
  const ends = new Int32Array(lists.length + 1);
  lists.forEach((list, at) => (ends[at + 1] = (ends[at] ?? 0) + list.length));
  const values = new Column(ends.at(-1) ?? 0);
  lists.forEach((list, at) => values.set(list, ends[at]));
  return { values, ends };
}

const inColumns = (units: readonly Unit[]): Units => ({
  length: units.length,
  categories: Int32Array.from(units, ({ category }) => category),
  kinds: Uint8Array.from(units, ({ kind }) => KINDS.indexOf(kind)),
  masses: Float32Array.from(units, ({ mass }) => mass),
  features: Int16Array.from(units, ({ feature }) => feature),
});

/** Reads every phrase of the categories into an inverted index. */
export function buildIndex(categories: readonly Category[], lexicon: Lexicon): KeptIndex {
  const { read, strong, said, units, postings, pairs, summaries, vocabulary, words } = createCollector(lexicon);
  const unitRanges = categories.map((category, at) => {
    const first = units.length;
    for (const phrase of phrasesOf(category)) read(at, phrase);
    return [first, units.length] as const;
  });
  const rarity = postings.map((list, term) => {
    const frequency = strong.counts[term] || list.categories.length;
    return Math.log(1 + (categories.length - frequency + 0.5) / (frequency + 0.5));
  });
  const weights = [...vocabulary].map(([term, id]) => (rarity[id] ?? 0) * shareOf(term, lexicon));
  units.forEach((unit, at) => {
    const end = said.starts[at + 1] ?? said.terms.length;
    let mass = 0;
    for (let place = said.starts[at] ?? 0; place < end; place += 1) mass += weights[said.terms[place] ?? 0] ?? 0;
    unit.mass = mass;
  });
  const wordsByLength = groupByLength(words.keys(), lexicon.stopWords.get('en'));
  const unitLists = unitsByTerm(said, vocabulary.size);
  const neighbours = Float64Array.from(pairs.keys()).sort();
  return {
    size: categories.length,
    niches: Uint8Array.from(categories, ({ niche }) => Number(niche === true)),
    terms: [...vocabulary.keys()],
    words: { written: [...words.keys()], mentions: Int32Array.from(words.values()) },
    postings: {
      ...joined(
        postings.map((list) => list.categories),
        Uint16Array,
      ),
      frequencies: Float32Array.from(postings.flatMap((list) => list.frequencies)),
    },
    pairs: {
      ...joined(
        Array.from(neighbours, (key) => [pairs.get(key) ?? []].flat()),
        Uint16Array,
      ),
      keys: neighbours,
    },
    units: inColumns(units),
    unitLists,
    rarity: Float64Array.from(rarity),
    weights: Float64Array.from(weights),
    unitRanges,
    summaries: joined(summaries, Int32Array),
    wordsByLength,
  };
}
