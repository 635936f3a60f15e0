import { stem, tokenize } from '#features/catalogue';
import type { Pattern } from './patterns.ts';
import { nounRuns, type Wording } from './wording.ts';
import { nounOf, type Noun } from './words.ts';
import { PEOPLE } from './vocabulary.ts';

/**
 * What a feature is about beside what its pattern does: `expiry date` in "Expiry date reminders". When the label says no
 * more than the pattern, it is what the pattern usually deals with, else the idea's own object.
 * @param known stems of the label by which the pattern was recognised
 */
export function thingOf(label: string, known: ReadonlySet<string>, { object, isNoun }: Wording, pattern?: Pick<Pattern, 'about' | 'id'>): Noun {
  const tokens = tokenize(label.replace(/\([^)]*\)/g, ''));
  const isKnown = (word: string) => known.has(stem(word));
  const runs = nounRuns(tokens, 3)
    .map(({ words }) => {
      const last = words.at(-1) ?? '';
      // The end of the label names the pattern; what stands before it is what it is about.
      return isKnown(last) && last === tokens.at(-1)?.word
        ? words.slice(0, -1)
        : isKnown(words[0] ?? '') && words.length > 1
          ? words.slice(1)
          : words;
    })
    .filter((about) => isNoun(about.at(-1) ?? '') && !PEOPLE.has(about.at(-1) ?? ''));
  // `map` in "Map of offers nearby" is the pattern again; `receipt` in "Receipt scanning" is what it deals with.
  const itself = new Set(tokenize((pattern?.id ?? '').replaceAll('-', ' ')).map(({ word }) => stem(word)));
  const about =
    runs.find((words) => words.some((word) => !isKnown(word))) ??
    (pattern?.about ? undefined : runs.find((words) => words.some((word) => !itself.has(stem(word)))));
  if (about) return nounOf(about.slice(-2).join(' '));
  return pattern?.about ? nounOf(pattern.about) : object;
}

/** Whether a label says more than the words its pattern is known by. */
export const saysMore = (label: string, known: ReadonlySet<string>): boolean =>
  tokenize(label).some(({ word }) => word.length > 3 && !known.has(stem(word)));
