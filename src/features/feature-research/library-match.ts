import { cosine, meaningOf, tokenize } from '#features/catalogue';
import { plainStems, readStems } from './stems.ts';

/** Something that is written down once and asked for in many words: a topic of knowledge, a way of building. */
export type LibraryEntry<T> = { value: T; name: string; summary: string; terms: readonly string[] };

/** A feature in words: its name asks, the rest supports it. */
export type FeatureWords = { name: string; description?: string; terms?: readonly string[] };

export type LibraryMatch<T> = {
  value: T;
  score: number;
  /** Stems of the name by which it was recognised. */
  words: ReadonlySet<string>;
};

/** How near in meaning an entry has to be whose phrase of several words stands in the name, whose one word is what the name is about, or only stands in it. */
const NEAR = { phrase: 0.3, word: 0.35, inFront: 0.5, told: 0.6 } as const;
/** An entry that is known by one word has to be among so many that the whole name is nearest to. */
const AMONG = 5;
/** Words of an entry that have to be said where no phrase of it is. */
const SHARED = 3;
const PHRASE = 1;
const FURTHER_WORD = 0.25;
const WORD = 0.7;
const IN_FRONT = 0.3;
const TOLD = 0.5;
const BEHIND = /\s+(?:at|of|for|in|on|by|from|to|per|before|after|during|with|without|that|which|when|between|as)\s+/i;
/** What names of features end in whatever they are about. */
const HOLLOW = new Set(
  plainStems('feature features support tools options system function handling management counting tracking scanning view views'),
);

const SMALL = new Set('on in at by up off out as it'.split(' '));
/** Names of two things are about both. */
const JOINED = /\s+(?:and|or|und|y|et)\s+|\s*[,&/+]\s*/i;
/** What a description begins with asks where the name says nothing: it has to be as near as this to both together, and counts for less. */
const DESCRIBED = 0.5;
const ASIDE = 0.8;

const solid = (text: string): string[] => plainStems(text).filter((stem) => !HOLLOW.has(stem));

type Read<T> = LibraryEntry<T> & {
  phrases: readonly (readonly string[])[];
  /** Those that are a phrase by themselves. */
  words: ReadonlySet<string>;
  bag: ReadonlySet<string>;
  meaning: Float32Array | undefined;
};

/**
 * Finds what a feature comes down to by what it means. One shared word is never enough: either a phrase of several words
 * stands in the name, or the word is what the name is about and the whole name is near to the entry in meaning, or name and
 * description together say several words of an entry that they are nearest to. Nothing is found rather than something.
 * @param entries read once
 */
export function openLibrary<T>(entries: readonly LibraryEntry<T>[]): (asked: FeatureWords) => LibraryMatch<T>[] {
  const library = entries.map(read);
  return (asked) => {
    const said = readWords(asked);
    const all = find(library, said);
    // What is known in its own words is not read as another language as well.
    const plain = all.filter(({ words }) => [...words].some((word) => !said.foreign.has(word)));
    const found = plain.length > 0 ? plain : all;
    if (found.length > 0 || !asked.description) return found;
    const meant = new Set(library.filter(({ meaning }) => cosine(said.whole, meaning) >= DESCRIBED).map(({ value }) => value));
    return find(library, readWords({ name: asked.description.split(BEHIND)[0] ?? '' }))
      .filter(({ value }) => meant.has(value))
      .map((match) => ({ ...match, score: match.score * ASIDE }));
  };
}

function find<T>(library: readonly Read<T>[], said: Said): LibraryMatch<T>[] {
  const nearness = library.map(({ meaning }) => Math.max(cosine(said.meaning, meaning), cosine(said.all, meaning)));
  const ranked = [...nearness].sort((left, right) => right - left);
  return library
    .flatMap((entry, at) => {
      const near = nearness[at] ?? 0;
      return matched(entry, said, { near, isAmong: near >= (ranked[AMONG - 1] ?? 0), isNearest: near === ranked[0] }) ?? [];
    })
    .sort((left, right) => right.score - left.score);
}

function read<T>(entry: LibraryEntry<T>): Read<T> {
  const told = [entry.name, ...entry.terms];
  const phrases = told.flatMap((text) => phraseOf(plainStems(text)));
  const summary = plainStems(entry.summary);
  return {
    ...entry,
    phrases,
    words: new Set(told.map(wordsOf).flatMap((words) => (words.length === 1 ? words : []))),
    bag: new Set([...phrases.flat(), ...summary]),
    meaning: meanOf([...phrases, phrases[0] ?? [], summary]),
  };
}

/** The words of a phrase that tell something; `on device` is not known by `device` alone. */
function phraseOf(stems: readonly string[]): string[][] {
  const telling = stems.filter((stem) => !SMALL.has(stem));
  return telling.length === 0 || (telling.length === 1 && stems.length > 1) ? [] : [telling];
}

/** Words without the mark of a plural: `booking` and `book` are two things, whatever their stem. */
const wordsOf = (text: string): string[] => tokenize(text).map(({ word }) => word.replace(/s$/, ''));

function meanOf(phrases: readonly (readonly string[])[]): Float32Array | undefined {
  const vectors = phrases.flatMap((stems) => meaningOf(stems) ?? []);
  const [first] = vectors;
  if (!first) return undefined;
  const sum = first.map((_, place) => vectors.reduce((total, vector) => total + (vector[place] ?? 0), 0));
  const length = Math.hypot(...sum);
  return length > 0 ? sum.map((value) => value / length) : undefined;
}

type Said = {
  /** Stems of the name, and those of them that it is about: what stands behind a preposition only qualifies. */
  named: ReadonlySet<string>;
  heads: ReadonlySet<string>;
  inFront: ReadonlySet<string>;
  told: ReadonlySet<string>;
  words: readonly string[];
  /** Stems of words in another language: there is no word to compare. */
  foreign: ReadonlySet<string>;
  meaning: Float32Array | undefined;
  all: Float32Array | undefined;
  /** What name and description mean together. */
  whole: Float32Array | undefined;
};

function readWords({ name, description = '', terms = [] }: FeatureWords): Said {
  const plain = name.replace(/\([^)]*\)/g, ' ');
  const named = new Set(readStems(plain));
  const [front = ''] = plain.split(BEHIND);
  const inFront = solid(front);
  const foreign = [...named].filter((stem) => !plainStems(plain).includes(stem));
  const told = new Set([description, ...terms].flatMap(plainStems));
  const content = [...named].filter((stem) => !HOLLOW.has(stem));
  const leading = inFront.filter((stem) => content.includes(stem));
  return {
    named,
    heads: new Set([...front.split(JOINED).map((part) => solid(part).at(-1)), ...foreign].filter((stem) => stem !== undefined)),
    inFront: new Set(inFront),
    told,
    words: wordsOf(plain),
    foreign: new Set(foreign),
    all: meaningOf(content),
    meaning: meaningOf(leading.length > 0 && foreign.length === 0 ? leading : content),
    whole: meaningOf([...content, ...told]),
  };
}

type Place = { near: number; isAmong: boolean; isNearest: boolean };

function matched<T>(entry: Read<T>, said: Said, place: Place): LibraryMatch<T> | undefined {
  const { near, isAmong } = place;
  const words = new Set<string>();
  let best = 0;
  for (const phrase of entry.phrases) {
    if (!phrase.every((stem) => said.named.has(stem))) continue;
    const value =
      phrase.length === 1 ? wordValue(phrase[0] ?? '', entry, said, place) : near >= NEAR.phrase ? PHRASE + FURTHER_WORD * (phrase.length - 2) : 0;
    if (value === 0) continue;
    for (const stem of phrase) words.add(stem);
    best = Math.max(best, value);
  }
  if (best > 0) return { value: entry.value, score: best + near, words };
  const shared = [...entry.bag].filter((stem) => said.named.has(stem) || said.told.has(stem));
  const own = shared.filter((stem) => said.named.has(stem));
  const together = cosine(said.whole, entry.meaning);
  if (shared.length < SHARED || own.length === 0 || !isAmong || together < NEAR.told) return undefined;
  return { value: entry.value, score: TOLD + together - 0.3, words: new Set(own) };
}

/** What one word of an entry counts for in a name: nothing unless the name is near to it in meaning. */
function wordValue<T>(stem: string, { words }: Read<T>, said: Said, { near, isAmong, isNearest }: Place): number {
  const isSame = said.foreign.has(stem) || said.words.some((word) => words.has(word) && plainStems(word).includes(stem));
  if (!isSame) return 0;
  if (said.heads.has(stem) && near >= NEAR.word && isAmong) return WORD;
  return said.inFront.has(stem) && near >= NEAR.inFront && isNearest ? IN_FRONT : 0;
}
