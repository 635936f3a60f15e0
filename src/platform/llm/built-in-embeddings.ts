import { readFileSync } from 'node:fs';
import { readable } from '#lib/readable.ts';
import type { Embeddings } from './embeddings.ts';

export type BuiltInOptions = {
  /** What a text is about, with a weight of 0 to 1 each. Without it only words, everyday concepts and letters are compared. */
  topicsOf?: (text: string) => Iterable<readonly [id: string, weight: number]>;
};

const DIMENSIONS = 512;
/** How much each kind of sign counts beside a word, which counts 1. */
const WEIGHT = { concept: 1.5, pair: 0.4, trigram: 0.14 } as const;
/** Length of the part that compares topics against the part that compares words. */
const TOPICS = 3;
const PLACES = 4;

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
 * (feature hashing, Weinberger et al. 2009) beside the topics that they are about (as explicit semantic analysis does,
 * Gabrilovich and Markovitch 2007). Deterministic; a few milliseconds per text.
 */
export function builtInEmbeddings({ topicsOf = () => [] }: BuiltInOptions = {}): Embeddings {
  return {
    dimensions: DIMENSIONS,
    embed: async (texts) => texts.map((text) => vectorOf(readable(text), topicsOf)),
  };
}

function vectorOf(text: string, topicsOf: NonNullable<BuiltInOptions['topicsOf']>): number[] {
  const words = toUnit(hashed([...signsOf(text)].map(([sign, weight]) => [sign, Math.log1p(weight)])));
  const topics = [...topicsOf(text)].map(([id, weight]) => [`topic ${id}`, weight] as const);
  if (topics.length === 0) return words;
  const about = toUnit(hashed(topics));
  return toUnit(words.map((value, index) => value + TOPICS * (about[index] ?? 0)));
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
