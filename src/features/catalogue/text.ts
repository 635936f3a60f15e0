import { lru } from '#lib/lru.ts';

export type Token = {
  /** Lower case, without diacritics. */
  word: string;
  /** As written. */
  written: string;
  /** Whether a sentence mark or line break stands between this token and the one before. */
  opensClause: boolean;
};

/** Longer words are no words: they are left out. */
export const LONGEST_WORD = 40;

const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
const ELISION = /^(?:l|d|j|qu|n|s|c|m|t|jusqu|lorsqu|puisqu)'(?=[a-z]{2})/;
const CONTRACTION = /^(?:i|you|we|they|he|she|it|who|what|that|there|here|let|how|where|when|why)'|n't$/;
const SIMPLE = /^[\x20-\x7e]*$/;

/** Lower case, ß as ss, no diacritics. */
export function normalise(text: string): string {
  const lower = text.toLowerCase().replaceAll('’', "'");
  return SIMPLE.test(lower) ? lower : lower.replaceAll('ß', 'ss').replaceAll('œ', 'oe').normalize('NFKD').replace(/\p{M}/gu, '');
}

function bare(word: string): string {
  if (!word.includes("'")) return word;
  if (CONTRACTION.test(word)) return word.replaceAll("'", '');
  return word.replace(ELISION, '').replace(/'s$/, '').replaceAll("'", '');
}

/** The words of a text in order; "e-mail" counts as one word, other hyphens separate, French elisions and possessives are cut. */
export function tokenize(text: string): readonly Token[] {
  return text.length < LONG_TEXT ? readTokens(text) : remembered(text, () => readTokens(text));
}

/** One research reads the words of the same few long texts again and again. */
const LONG_TEXT = 300;
const remembered = lru<readonly Token[]>(20);

function readTokens(text: string): Token[] {
  const joined = text.replace(/\b([eE])-(?=\p{L})/gu, '$1').replace(/\b(\p{L})&(\p{L})\b/gu, '$1$2');
  const tokens: Token[] = [];
  let end = 0;
  for (const match of joined.matchAll(WORD)) {
    const [written] = match;
    const word = bare(normalise(written));
    const opensClause = end === 0 || /[.,;:!?\n()"“”–—]/.test(joined.slice(end, match.index));
    end = match.index + written.length;
    if (word.length > 0 && word.length <= LONGEST_WORD) tokens.push({ word, written, opensClause });
  }
  return tokens;
}

const FOLD_FROM = 0xc0;
const FOLD_TO = 0x180;
/** Letters with marks, lower case and upper, as plain ones; empty for what is no letter with one plain form. */
const FOLDED = Array.from({ length: FOLD_TO - FOLD_FROM }, (_, offset) => {
  const plain = normalise(String.fromCharCode(FOLD_FROM + offset));
  return /^[a-z]+$/.test(plain) ? plain : '';
});
const [ZERO, NINE, UPPER_A, UPPER_Z, LOWER_A, LOWER_Z, LAST_ASCII] = [48, 57, 65, 90, 97, 122, 126];
const [QUOTE, AMPERSAND, HYPHEN, SPACE] = [39, 38, 45, 32];

/** The words of a text as `tokenize` reads them, without their places: a short way for plain text. */
export function wordsOf(text: string): string[] {
  return scanWords(text) ?? tokenize(text).map((token) => token.word);
}

/** The words of a text of Latin letters, digits and simple signs; undefined where it takes more to read it. */
function scanWords(text: string): string[] | undefined {
  const words: string[] = [];
  let word = '';
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    const code = at < text.length ? text.charCodeAt(at) : SPACE;
    if ((code >= LOWER_A && code <= LOWER_Z) || (code >= ZERO && code <= NINE)) {
      if (start < 0) start = at;
      continue;
    }
    const plain =
      code >= UPPER_A && code <= UPPER_Z
        ? String.fromCharCode(code + LOWER_A - UPPER_A)
        : code >= FOLD_FROM && code < FOLD_TO
          ? FOLDED[code - FOLD_FROM]
          : '';
    if (plain) {
      word += start < 0 ? plain : text.slice(start, at) + plain;
      start = -1;
      continue;
    }
    if (code < SPACE || code > LAST_ASCII || code === QUOTE || code === AMPERSAND) return undefined;
    if (start >= 0) word += text.slice(start, at);
    start = -1;
    if (word === '') continue;
    if (code === HYPHEN && word === 'e') return undefined;
    if (word.length <= LONGEST_WORD) words.push(word);
    word = '';
  }
  return words;
}
