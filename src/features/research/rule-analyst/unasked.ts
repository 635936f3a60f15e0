import { detectLanguage, marketTerms, termsOf } from '#features/catalogue';
import { lru } from '#lib/lru.ts';
import { readable } from '#lib/readable.ts';
import { plain } from '../grounding/plain-text.ts';
import { spanOf, type Span } from '../grounding/spans.ts';
import { sentencesOf } from './clean-text.ts';
import { rolesOf } from './roles.ts';

/** What an idea says that it does without: each thing by itself, and where that is said, with the word that says so. */
export type Unasked = { things: Span[]; said: Span[] };

const ALONE = '(?<=^|[.,;:!?(\\n–—-]\\s{0,3}|\\b(?:with|and|but|please|und|aber|bitte|mit|et|mais|avec|y|pero|con|e|mas|com)\\s)';
/** "Without"; and "no" where it opens a part of a sentence, since "there is no way" tells what is missing today. */
const MARKERS = new RegExp(
  `(?<!\\p{L})(?:without|ohne|sans|sin|sem|${ALONE}(?:no|keine?[nrms]?|pas d[e'’]|aucune?|ningun[ao]?|ningún|nenhuma?))(?=[\\s'’])\\s{0,3}`,
  'giu',
);
/** Where "no" stands before verbs. */
const VERBAL: ReadonlySet<string> = new Set(['es', 'pt']);
/** What no thing follows: "no one", "without knowing". */
const NO_THING =
  /^(?:one|way|idea|longer|matter|time|need|problem|doubt|more|less|clue|luck|knowing|which|whom|it|them|that|this|him|her|me|us|you|being|wissen|dass|zu|sie|ihn|es|savoir|que|cela|lui|saber|ello|eso|isso|ele|ela)(?!\p{L})/iu;
const DETERMINERS =
  /^(?:(?:any|all|every|the|an?|having to|needing(?: to)?|requiring|irgendeine?n?|jede[nrs]?|eine?[nmrs]?|der|die|das|den|dem|aucune?|une?|des|les?|la|los|las|el|un[ao]?s?|ningún|ninguna?|uma?|qualquer|nenhuma?|os?|as)\s+)+|^(?:l|d)['’]/iu;
const END = /[.;:!?()\n–—]/u;
const STOPS =
  /\s(?:that|which|who|where|when|while|so|because|but|for|with|to|if|as|than|on|in|at|by|from|instead|just|only|then|für|mit|die|der|das|wo|wenn|weil|damit|aber|sondern|nur|um|im|auf|bei|pour|avec|qui|que|mais|dans|où|afin|para|con|pero|donde|en|com|mas|em)(?!\p{L})/iu;
const OR = /\s+(?:or|nor|oder|noch|ou|ni|o|u|nem)\s+/iu;
const AND = /\s+(?:and|und|et|y|e)\s+/iu;
const TRAILING = /(?:\s+(?:and|or|und|oder|et|ou|y|o|e))?[\s,"“”'’]*$/iu;
const READ = 160;
const MOST_THINGS = 12;
const WORDS = 6;
const AFTER_AND = 2;
/** Later parts of a list lead up to an "or" soon. */
const LIST = 5;

const remembered = lru<Unasked>(50);

/** Reads "without X, Y or Z", "no X", "ohne X", "sans X", "sin X" where the text tells what should be, not what is missing today. */
export function unaskedIn(written: string): Unasked {
  const text = readable(written);
  return remembered(text, () => readUnasked(text));
}

function readUnasked(text: string): Unasked {
  const language = detectLanguage(text);
  const marked = [...text.matchAll(MARKERS)].filter(([marker]) => !(VERBAL.has(language) && /^no$/i.test(marker.trim())));
  const found = marked
    .map((match) => ({ start: match.index, from: match.index + match[0].length }))
    .flatMap(({ start, from }) => {
      const things = thingsFrom(text, from);
      const last = things.at(-1);
      return last ? [{ things, said: spanOf(text, start, last.end) }] : [];
    });
  if (found.length === 0) return { things: [], said: [] };
  const isSituation = situationOf(text);
  const wished = found.filter(({ said }) => !isSituation(said.quote));
  return { things: wished.flatMap(({ things }) => things).slice(0, MOST_THINGS), said: wished.map(({ said }) => said) };
}

/** Whether words stand in what a text tells of today. */
export function situationOf(text: string): (words: string) => boolean {
  const language = detectLanguage(text);
  const situation = rolesOf(sentencesOf(text), language).situation.map(plain);
  return (words) => situation.some((sentence) => sentence.includes(plain(words)));
}

function thingsFrom(text: string, from: number): Span[] {
  const rest = text.slice(from, from + READ);
  if (NO_THING.test(rest)) return [];
  const end = END.exec(rest)?.index ?? rest.length;
  const things: Span[] = [];
  let at = from;
  for (const part of listOf(rest.slice(0, end).split(','))) {
    const stop = STOPS.exec(` ${part.trimStart()}`);
    const kept = stop ? part.slice(0, part.length - part.trimStart().length + Math.max(0, stop.index - 1)) : part;
    things.push(...partsOf(kept).flatMap(({ offset, length }) => thingAt(text, at + offset, length)));
    if (stop) break;
    at += part.length + 1;
  }
  return things;
}

/** The first part, and those after it where an "or" ends a list of short ones. */
function listOf(parts: readonly string[]): readonly string[] {
  const last = parts.slice(0, LIST).findLastIndex((part, at) => at > 0 && OR.test(` ${part.trimStart()}`));
  const isList = parts.slice(1, last + 1).every((part) => wordCount(part) <= WORDS);
  return last > 0 && isList ? parts.slice(0, last + 1) : parts.slice(0, 1);
}

/** A part at its "or"; at an "and" where hardly anything follows, else what follows is another matter. */
function partsOf(part: string): { offset: number; length: number }[] {
  const and = AND.exec(part);
  const tail = and ? part.slice(and.index + and[0].length) : '';
  const isBoth = wordCount(tail) <= AFTER_AND;
  const whole = and && !isBoth ? part.slice(0, and.index) : part;
  const pieces: { offset: number; length: number }[] = [];
  let offset = 0;
  for (const piece of whole.split(new RegExp(`(${isBoth ? `${OR.source}|${AND.source}` : OR.source})`, 'iu'))) {
    pieces.push({ offset, length: piece.length });
    offset += piece.length;
  }
  return pieces.filter((_, at) => at % 2 === 0);
}

function thingAt(text: string, start: number, length: number): Span[] {
  const piece = text.slice(start, start + length);
  const lead =
    piece.length -
    piece.trimStart().length +
    (OR.exec(` ${piece.trimStart()}`)?.index === 0 ? (/^\S+\s+/.exec(piece.trimStart())?.[0].length ?? 0) : 0);
  const own = piece.slice(lead);
  const bare = own.replace(DETERMINERS, '');
  const thing = bare.replace(TRAILING, '');
  const begin = start + lead + own.length - bare.length;
  const words = wordCount(thing);
  return /\p{L}{2}/u.test(thing) && words <= WORDS ? [spanOf(text, begin, begin + thing.length)] : [];
}

const wordCount = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** A text without what it says that it does without. */
export function withoutUnasked(written: string): string {
  const { said } = unaskedIn(written);
  if (said.length === 0) return written;
  const text = readable(written);
  return said.reduceRight((rest, { start, end }) => `${rest.slice(0, start).trimEnd()}${rest.slice(end)}`, text);
}

/** Whether one of some unwanted things is what a feature of a market or a label is about; what the rest of the text speaks of stays. */
export function unwantedAmong(things: readonly string[], rest: string): (label: string, feature?: { market: string; id: string }) => boolean {
  const said = new Set(termsOf(rest));
  const unwanted = things.map((thing) => termsOf(thing).filter((term) => !said.has(term))).filter((terms) => terms.length > 0);
  if (unwanted.length === 0) return () => false;
  const isAbout = (unit: readonly string[]): boolean =>
    unwanted.some((terms) => terms.every((term) => unit.includes(term)) && terms.length >= unit.length / 2);
  return (label, feature) => {
    const units = feature ? (marketTerms(feature.market)?.features.find((one) => one.feature.id === feature.id)?.units ?? []) : [];
    return [termsOf(label), ...units].some(isAbout);
  };
}
