import { capital, collapseSpaces, shorten } from '#lib/text.ts';
import { round } from '../effort.ts';
import type { Days } from '../schema.ts';

/** A part of which nothing more is known than what was asked for in words. */
export type Piece = { key: string; name: string; days: Days };

const MOST_PIECES = 6;
const LONGEST_NAME = 110;
const FEWEST_WORDS = 3;

/** What a text asks for one by one. */
export const clausesOf = (text: string): string[] =>
  [...new Set(collapseSpaces(text).split(/\s*[.;]\s+|\s*\.$/))].filter((clause) => clause.split(' ').length >= FEWEST_WORDS).slice(0, MOST_PIECES);

/** One piece for each thing that was asked for, with its share of the days; none where that is one thing only. */
export function piecesOf(texts: readonly string[], { low, high }: Days): Piece[] {
  if (texts.length < 2) return [];
  const share = (days: number): number => Math.max(0.1, round(days / texts.length));
  return texts.map((text, at) => ({
    key: `part-${at + 1}`,
    name: shorten(capital(text), LONGEST_NAME),
    days: { low: share(low), high: share(high) },
  }));
}
