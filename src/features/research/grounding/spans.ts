import { plain } from './plain-text.ts';

/** A part of a text: UTF-16 units from its beginning, the end not in it, and what stands there. */
export type Span = { start: number; end: number; quote: string };

type Word = { folded: string; start: number; end: number };

/** Less of what is said than this share of its words, in one piece, is no quote of it. */
const QUOTED = 0.6;
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;

/** Finds texts in another one by their words, whatever the case, the accents and the signs between them. */
export function quotesFrom(source: string): (text: string) => Span | undefined {
  const words = wordsOf(source);
  const places = Map.groupBy(words.keys(), (at) => words[at]?.folded);
  return (text) => {
    for (const part of [text, ...text.split(/;\s/)]) {
      const wanted = wordsOf(part).map(({ folded }) => folded);
      const run = longestRun(wanted, words, places);
      const [first, last] = [words[run.at], words[run.at + run.length - 1]];
      if (first && last && run.length >= QUOTED * wanted.length) return withSigns(source, part, first.start, last.end);
    }
    return undefined;
  };
}

const BEFORE = /[€$£¥#]\s?$/u;
const AFTER = /^\s?[€$£¥%]/u;

/** The signs that belong to a number at either end, where what is quoted has signs as well. */
function withSigns(source: string, text: string, start: number, end: number): Span {
  if (!/[€$£¥#%]/u.test(text)) return spanOf(source, start, end);
  const before = BEFORE.exec(source.slice(Math.max(0, start - 2), start))?.[0].length ?? 0;
  const after = AFTER.exec(source.slice(end, end + 2))?.[0].length ?? 0;
  return spanOf(source, start - before, end + after);
}

export const spanOf = (source: string, start: number, end: number): Span => ({ start, end, quote: source.slice(start, end) });

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ folded: plain(word), start: index, end: index + word.length }));

/** Where the source says most of the words in one piece. */
function longestRun(wanted: readonly string[], words: readonly Word[], places: ReadonlyMap<string | undefined, readonly number[]>) {
  let best = { at: 0, length: 0 };
  for (const [from, word] of wanted.entries()) {
    for (const at of places.get(word) ?? []) {
      let length = 1;
      while (from + length < wanted.length && words[at + length]?.folded === wanted[from + length]) length += 1;
      if (length > best.length) best = { at, length };
    }
    if (best.length >= wanted.length - from) break;
  }
  return best;
}
