import { withoutPiles } from '#lib/text.ts';

/** Lower case, without accents and apostrophes, every run of other signs one space: the form in which texts are compared. */
export function plain(text: string): string {
  const folded = /[^\p{ASCII}]/u.test(text)
    ? withoutPiles(text)
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/’/g, "'")
    : text;
  return folded
    .toLowerCase()
    .replace(/'(?=\w)/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** A text's sentences; a text without an end is one. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?…])\s+(?=[\p{Lu}\p{N}"“(])/u).filter((sentence) => sentence.trim() !== '');
