import { stripVTControlCharacters } from 'node:util';

// Overrides and isolates of the writing direction, tags and other characters that show nothing but change what is read.
const INVISIBLE = /[\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** One line of text that came from outside: no terminal sequences, no control or direction characters, spaces collapsed. */
export const cleanText = (text: string): string =>
  stripVTControlCharacters(text)
    .replaceAll(/[\s\u0085\u2028\u2029]+/gu, ' ')
    .replaceAll(/\p{Cc}|\p{Cs}/gu, '')
    .replaceAll(INVISIBLE, '')
    .trim();
