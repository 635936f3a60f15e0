import { detectLanguage, significantTerms, stem, tokenize } from '#features/catalogue';
import { openPatterns, type Pattern } from './patterns.ts';
import { VERBS } from './vocabulary.ts';

/** Words many features use whatever they ask for: alone they say little. */
const VAGUE = new Set(
  `track tracks tracker tracking plan plans planner planning share sharing find order orders list lists write writes monitor record records history local device devices measure skill skills practice
  post posts agent agents live ai smart log logs study call calls note notes group file files report reports learn progress manage page item items document documents search filter rate score offers
  analysis sort target training exercise menu line map stage stages video photo photos plan message messages goal form forms progress automatic automatically text steps watch sync`
    .split(/\s+/)
    .map((word) => stem(word)),
);
const DESCRIPTION_SHARE = 0.35;
const FURTHER_TERM = 0.25;
/** What a thing is stands at the end (a payment reminder is a reminder) or as a verb at the beginning (track medication). */
const AT_AN_END = 0.3;
/** Below this a feature counts as one that no pattern fits. */
export const FITS = 0.9;

export type Match = {
  pattern: Pattern;
  score: number;
  /** Stems of the label by which it was recognised. */
  stems: ReadonlySet<string>;
};

type Word = { word: string; stem: string };
type Term = { pattern: Pattern; words: readonly Word[]; stems: readonly string[]; weight: number };

let terms: readonly Term[] | undefined;

function allTerms(): readonly Term[] {
  terms ??= [...openPatterns().values()].flatMap((pattern) =>
    pattern.terms.map((text): Term => {
      const words = wordsOf(text);
      const stems = words.map((entry) => entry.stem);
      const vague = stems.length === 1 && VAGUE.has(stems[0] ?? '');
      return { pattern, words, stems, weight: vague ? 0.65 : stems.length + (stems.length - 1) * 0.2 };
    }),
  );
  return terms;
}

/**
 * Patterns that a feature asks for, best first: by its label, and less so by its description.
 * @param foreign whether the label is in another language than English
 */
export function matchPatterns(label: string, description: string, foreign = false): Match[] {
  const inLabel = foreign ? significantTerms(label).map((term) => ({ word: term, stem: term })) : wordsOf(label);
  const inDescription = wordsOf(description);
  const opensWithVerb = VERBS.has(inLabel[0]?.word ?? '');
  const found = new Map<Pattern, { best: number; further: number; stems: Set<string> }>();
  const said = new Set([...inLabel, ...inDescription].map((entry) => entry.stem));
  for (const { pattern, words, stems, weight } of allTerms()) {
    if (!stems.every((part) => said.has(part))) continue;
    const named = contains(inLabel, words);
    if (!named && !contains(inDescription, words)) continue;
    const atAnEnd = named && (stems.at(-1) === inLabel.at(-1)?.stem || (opensWithVerb && stems[0] === inLabel[0]?.stem)) ? AT_AN_END : 0;
    const points = named ? weight + atAnEnd : weight * DESCRIPTION_SHARE;
    const entry = found.get(pattern) ?? { best: 0, further: 0, stems: new Set<string>() };
    // The same words count once, however many terms of a pattern hold them.
    const fresh = !named || stems.some((part) => !entry.stems.has(part));
    if (points > entry.best) {
      entry.further += fresh && entry.best > 0 ? Math.min(entry.best, 1) * FURTHER_TERM : 0;
      entry.best = points;
    } else if (fresh) entry.further += Math.min(points, 1) * FURTHER_TERM;
    if (named) for (const part of stems) entry.stems.add(part);
    found.set(pattern, entry);
  }
  return [...found]
    .map(([pattern, { best, further, stems }]): Match => ({ pattern, score: best + Math.min(further, 0.75), stems }))
    .sort((left, right) => right.score - left.score);
}

/** Patterns that an idea makes necessary by what it mentions, with the word that does. */
export function mentionedPatterns(idea: string): { pattern: Pattern; word: string }[] {
  const words = wordsOf(idea);
  return [...openPatterns().values()].flatMap((pattern) => {
    const word = pattern.mentioned.find((text) => contains(words, wordsOf(text)));
    return word ? [{ pattern, word }] : [];
  });
}

/** Whether a text is in a language whose words have to be translated before they can be matched. */
export function isForeign(text: string): boolean {
  const language = detectLanguage(text);
  return language !== 'en' && language !== 'other';
}

const wordsOf = (text: string): Word[] => tokenize(text).map(({ word }) => ({ word, stem: stem(word) }));

/** Whether the parts stand next to each other in the text, in their order. */
function contains(text: readonly Word[], parts: readonly Word[]): boolean {
  if (parts.length === 0) return false;
  return text.some((_, at) => parts.every((part, offset) => isSame(text[at + offset], part)));
}

/** The same stem, unless one is so much longer that it is another word (access, accessibility). */
const isSame = (left: Word | undefined, right: Word): boolean =>
  left !== undefined && left.stem === right.stem && Math.abs(left.word.length - right.word.length) <= MOST_ENDING;
const MOST_ENDING = 4;
