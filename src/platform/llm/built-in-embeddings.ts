import { readFileSync } from 'node:fs';
import type { Embeddings } from './embeddings.ts';

/** A text about one known field; what its words tell of other texts is learned from all of them together. */
type ReferenceText = { id: string; text: string };
export type BuiltInOptions = {
  /** Read once, at the first text. Without it only words, everyday concepts and letters are compared. */
  corpus?: () => readonly ReferenceText[];
  /** Where what is learned from the corpus is kept for the next start. */
  kept?: { read(): Fields | undefined; write(learned: Fields): Fields };
};

/** What is learned changes with the files of this folder. */
export const EMBEDDINGS_FOLDER = import.meta.dirname;

const DIMENSIONS = 512;
const LONGEST_TEXT = 8000;
/** How much each kind of sign counts beside a word, which counts 1. */
const WEIGHT = { concept: 1.5, pair: 0.4, trigram: 0.14 } as const;
/** Length of the part that compares fields against the part that compares words. */
const FIELDS = 2;
/** Raising the fields to a power lets the few that fit speak louder than the many that fit a little. */
const SHARPNESS = 2;
const MOST_FIELDS = 40;
const PLACES = 4;
const SLICE_MS = 10;

const SMALL_WORDS = new Set(
  `a about all also always am an and any app application are as at be because been being but by can could create did do does dont each easy every everyone everything for from
  get gets getting give go good had has have having he help helps her him his how i id if ill im in into is it its just keep know let lets like long lot make makes many maybe me more most much
  my need needs never new no not now of off often on one only or other our out over own people person platform please product really right same see service she should simple so software some someone something
  sometimes still such system take tell than that thats the their them then there these they thing things this those to together too tool up us use user users using very via want wants was way we website well were what
  when where which while who whole why will with without would you your
  aber alle als am an auf aus bei bin bis da damit das dass dem den der des die du ein eine einem einen einer er es für gibt habe haben hat ich ihm ihr im immer in ist jeder kann kein keine man mehr mein meine mich mir mit
  nach nicht noch nur oder ob ohne schon sehr sein sich sie sind so soll über um und uns unser unsere unter von vor wann was weil wenn wer werden wie will wir wird wo zu zum zur
  al algo como con cuando de del donde el ella en es esta este esto ha hace hay la las le lo los más me mi mis muy nada no nos o para pero por porque que qué quien quiero se sin sobre son su sus también te tengo todo todos un una uno y ya yo
  à au aux avec ce ces cette dans de des du elle en est et être il ils je la le les leur lui ma mais me mes moi mon ne nos notre nous on ou où par pas plus pour que qui sa sans se ses son sont sur tout très tu un une vous y
  ao aos as com como da das de do dos e ela ele em eu isso já mais mas me meu minha muito na não nas no nos o os ou para pela pelo por quando que quem se sem seu sua são também tem um uma você`.split(
    /\s+/,
  ),
);

type Concepts = ReadonlyMap<string, readonly string[]>;
let concepts: Concepts | undefined;

function openConcepts(): Concepts {
  if (concepts) return concepts;
  const groups = JSON.parse(readFileSync(new URL('./everyday-concepts.json', import.meta.url), 'utf8')) as Record<string, string>;
  const byStem = new Map<string, string[]>();
  for (const [concept, words] of Object.entries(groups)) {
    for (const word of new Set([concept, ...words.split(' ')].map(shortStem))) byStem.set(word, [...(byStem.get(word) ?? []), concept]);
  }
  concepts = byStem;
  return byStem;
}

/**
 * Texts as vectors without network or model: hashed stems, everyday concepts, neighbouring words and letter trigrams
 * (feature hashing, Weinberger et al. 2009) beside the fields of the corpus that their words belong to (explicit semantic
 * analysis, Gabrilovich and Markovitch 2007). Deterministic; under a millisecond per text.
 */
export function builtInEmbeddings({ corpus, kept }: BuiltInOptions = {}): Embeddings {
  let fields: Promise<Fields> | undefined;
  return {
    dimensions: DIMENSIONS,
    embed: async (texts) => {
      fields ??= corpus && learn(corpus, kept);
      const known = await fields;
      return texts.map((text) => vectorOf(text.slice(0, LONGEST_TEXT), known));
    },
  };
}

async function learn(corpus: NonNullable<BuiltInOptions['corpus']>, kept: BuiltInOptions['kept']): Promise<Fields> {
  const before = kept?.read();
  if (before) return before;
  const fields = await readFields(corpus());
  return kept?.write(fields) ?? fields;
}

function vectorOf(text: string, fields: Fields | undefined): number[] {
  const words = hashed([...signsOf(text)].map(([sign, weight]) => [sign, Math.log1p(weight)]));
  if (!fields) return toUnit(words);
  const topics = hashed([...fieldsOf(text, fields)].map(([id, weight]) => [`f ${id}`, weight]));
  const [left, right] = [toUnit(words), toUnit(topics)];
  return toUnit(left.map((value, index) => value + FIELDS * (right[index] ?? 0)));
}

/** Each sign stands in a few dimensions with a sign of its own, so that clashes cancel out on average. */
function hashed(signs: readonly (readonly [string, number])[]): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0);
  for (const [sign, value] of signs) {
    for (let place = 0; place < PLACES; place += 1) {
      const hash = fnv(`${place}${sign}`);
      const index = hash % DIMENSIONS;
      vector[index] = (vector[index] ?? 0) + (hash & 0x10000 ? value : -value);
    }
  }
  return vector;
}

function signsOf(text: string): Map<string, number> {
  const signs = new Map<string, number>();
  const add = (sign: string, weight: number): void => void signs.set(sign, (signs.get(sign) ?? 0) + weight);
  const words = wordsOf(text).filter((word) => !SMALL_WORDS.has(word));
  const stems = words.map(shortStem);
  for (const stem of stems) add(`w ${stem}`, 1);
  for (const stem of new Set(stems)) {
    const of = openConcepts().get(stem) ?? [];
    for (const concept of of) add(`c ${concept}`, WEIGHT.concept / of.length);
  }
  for (const [place, stem] of stems.entries()) {
    const next = stems[place + 1];
    if (next) add(`p ${stem} ${next}`, WEIGHT.pair);
  }
  for (const word of words) for (let at = 0; at + 3 <= word.length; at += 1) add(`t ${word.slice(at, at + 3)}`, WEIGHT.trigram);
  return signs;
}

/** Per stem, by its number: how rare it is among the fields, and from `starts` on in which of them it stands how heavily. */
export type Fields = {
  ids: readonly string[];
  stems: ReadonlyMap<string, number>;
  rarity: Float64Array;
  starts: Uint32Array;
  places: Uint16Array;
  weights: Float64Array;
};

/** Which stems a text has, in the order of their first places, and how often each. */
type Counted = { stems: Uint32Array; times: Uint32Array };

/** Learns from the corpus, in slices so short that requests are answered meanwhile. */
async function readFields(corpus: readonly ReferenceText[]): Promise<Fields> {
  const rest = restingAfter(SLICE_MS);
  const { stems, counted } = await countStems(corpus, rest);
  const spread = new Uint32Array(stems.size);
  for (const count of counted) for (const stem of count.stems) spread[stem] = (spread[stem] ?? 0) + 1;
  const rarity = Float64Array.from(spread, (fields) => Math.log(corpus.length / fields));
  const starts = new Uint32Array(stems.size + 1);
  for (const [stem, fields] of spread.entries()) starts[stem + 1] = (starts[stem] ?? 0) + fields;
  const places = new Uint16Array(starts.at(-1) ?? 0);
  const weights = new Float64Array(places.length);
  const next = starts.slice();
  for (const [field, count] of counted.entries()) {
    const heavy = Float64Array.from(count.stems, (stem, at) => Math.log1p(count.times[at] ?? 0) * (rarity[stem] ?? 0));
    const length = Math.hypot(...heavy) || 1;
    for (const [at, stem] of count.stems.entries()) {
      const place = next[stem] ?? 0;
      places[place] = field;
      weights[place] = (heavy[at] ?? 0) / length;
      next[stem] = place + 1;
    }
    await rest();
  }
  return { ids: corpus.map(({ id }) => id), stems, rarity, starts, places, weights };
}

async function countStems(corpus: readonly ReferenceText[], rest: () => Promise<void>): Promise<{ stems: Map<string, number>; counted: Counted[] }> {
  const stems = new Map<string, number>();
  const known = new Map<string, number>();
  const numberOf = (word: string): number => {
    const stem = shortStem(word);
    const number = stems.get(stem) ?? stems.size;
    // A copy: a part of a text would keep the whole text in memory.
    if (number === stems.size) stems.set(Buffer.from(stem).toString(), number);
    known.set(word, number);
    return number;
  };
  const counted: Counted[] = [];
  for (const { text } of corpus) {
    const count = new Map<number, number>();
    for (const word of wordsOf(text)) {
      const stem = known.get(word) ?? numberOf(word);
      count.set(stem, (count.get(stem) ?? 0) + 1);
    }
    counted.push({ stems: Uint32Array.from(count.keys()), times: Uint32Array.from(count.values()) });
    await rest();
  }
  return { stems, counted };
}

/** Lets others have the thread whenever so many milliseconds have passed. */
function restingAfter(milliseconds: number): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < milliseconds) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

function fieldsOf(text: string, { ids, stems, rarity, starts, places, weights }: Fields): Map<string, number> {
  const found = new Float64Array(ids.length);
  for (const word of new Set(wordsOf(text).map(shortStem))) {
    const stem = stems.get(word);
    if (stem === undefined) continue;
    for (let at = starts[stem] ?? 0; at < (starts[stem + 1] ?? 0); at += 1) {
      const field = places[at] ?? 0;
      found[field] = (found[field] ?? 0) + (rarity[stem] ?? 0) * (weights[at] ?? 0);
    }
  }
  const ranked = ids.map((id, field) => [id, found[field] ?? 0] as const).sort((left, right) => right[1] - left[1]);
  return new Map(ranked.slice(0, MOST_FIELDS).flatMap(([id, weight]) => (weight > 0 ? [[id, weight ** SHARPNESS] as const] : [])));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFC')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

/** Cuts common English endings; rough, and the same for both sides of a comparison. */
function shortStem(word: string): string {
  if (word.length < 5) return word.replace(/(?<=\w{3})s$/, '');
  const cut = word
    .replace(/(?:ies|ied)$/, 'y')
    .replace(/(?:ations?|ingly|edly|ment|ments|ness|able|ible)$/, '')
    .replace(/(?:ings?|ers?|ed|es|ly|s)$/, '')
    .replace(/(.)\1$/, '$1');
  return (cut.length >= 3 ? cut : word).replace(/[eiy]$/, '');
}

/** FNV-1a, 32 bits, unsigned. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** A text without any sign points in one fixed direction, so that every vector is a unit vector. */
function toUnit(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  if (length === 0) return vector.map((_, index) => (index === 0 ? 1 : 0));
  return vector.map((value) => value / length);
}
