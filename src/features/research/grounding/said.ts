import type { Fault } from './grounds.ts';
import { unknownName, unknownWord } from './names.ts';
import { wordNumbersIn } from './number-words.ts';
import { numbersIn } from './numbers.ts';
import { plain, sentencesOf } from './plain-text.ts';

/** What a text may say although nobody said it: names; numbers that are neither prices nor shares; any numbers. Addresses never. */
type Freedom = {
  namesAreFree?: boolean;
  countsAreFree?: boolean;
  numbersAreFree?: boolean;
  /** Every word of it has a capital. */ isTitle?: boolean;
};

/** What some texts say, to hold others against it that may say nothing else. */
export type Said = {
  faultOf(text: string, freedom?: Freedom): Fault | undefined;
  /** Sentences without fault, and what the others were. */
  keepSound(text: string, freedom?: Freedom): { text: string; faults: Fault[] };
};

const MAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
const WEB =
  /https?:\/\/[^\s<>"'“”)\]]+|(?<![\p{L}\p{N}@._/-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}(?![\p{L}\p{N}@]|\.\p{L})(?:\/[^\s<>"'“”)\]]*)?/giu;

/** Letters and figures in one word that are no claim. */
const FIGURES = new Set('b2b b2c b2b2c c2c d2c p2p 2d 3d 4k 2fa mp3 mp4 html5 web3 h264 utf8'.split(' '));
const SCALED = /^\d+(?:k|m|mn|bn|b)$/;
const FROM_COUNTED = 3;

/**
 * Reads texts for the names, numbers and addresses in them; `5 euros` is `€5`, and `two` is `2`.
 * @param vocabulary further texts whose words are no names that somebody made up; their products and numbers stay unsaid
 */
export function saidIn(texts: readonly string[], vocabulary: readonly string[] = []): Said {
  const all = texts.map((text) => ` ${plain(text)} `).join('|');
  const words = new Set([...texts, ...vocabulary].flatMap((text) => plain(text).split(' ')));
  const known = { words, hasPhrase: (phrase: string) => all.includes(` ${phrase} `) };
  const addresses = new Set(texts.flatMap(addressesIn).flatMap((address) => [address, hostOf(address)]));
  const numbers = new Set(texts.flatMap(saidNumbers));
  const faultOf: Said['faultOf'] = (text, { namesAreFree = false, countsAreFree = false, numbersAreFree = false, isTitle = false } = {}) => {
    if (addressesIn(text).some((address) => !addresses.has(address))) return 'fabricated';
    if (!namesAreFree && (isTitle ? unknownWord(text, known) : unknownName(text, known))) return 'fabricated';
    if (numbersAreFree) return undefined;
    const claims = claimedNumbers(text).filter((number) => !(countsAreFree && /\d$/.test(number)));
    if (claims.some((number) => !numbers.has(number))) return 'unsupported';
    return !countsAreFree && plain(text).split(' ').some(isFigure(words)) ? 'unsupported' : undefined;
  };
  return {
    faultOf,
    keepSound: (text, freedom) => {
      if (!faultOf(text, freedom)) return { text, faults: [] };
      const read = sentencesOf(text).map((sentence) => ({ sentence, fault: faultOf(sentence, freedom) }));
      return {
        text: read.flatMap(({ sentence, fault }) => (fault ? [] : [sentence])).join(' '),
        faults: read.flatMap(({ fault }) => fault ?? []),
      };
    },
  };
}

const isFigure =
  (words: ReadonlySet<string>) =>
  (word: string): boolean =>
    /\d/.test(word) && /\p{L}/u.test(word) && !words.has(word) && !FIGURES.has(word) && !SCALED.test(word);

/** Addresses of the web and of mail, in the form in which two are the same. */
function addressesIn(text: string): string[] {
  if (!/[.:]/.test(text)) return [];
  const mails = [...text.matchAll(MAIL)].map(([mail]) => mail.toLowerCase());
  const sites = [...text.replaceAll(MAIL, ' ').matchAll(WEB)].map(([address]) =>
    address
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/^www\./, '')
      .replace(/[/.,;:!?]+$/, ''),
  );
  return [...mails, ...sites];
}

const hostOf = (address: string): string => (address.includes('@') ? address : (address.split(/[/?#]/, 1)[0] ?? address));

const SHARE = /^(?:per ?cent|prozent|pour cent|por cien\w*)\b/;
const MONEY: readonly (readonly [RegExp, string])[] = [
  [/^(?:euros?|eur)\b/, '€'],
  [/^(?:dollars?|usd|bucks?|dolar\w*)\b/, '$'],
  [/^(?:pounds?|gbp|quid)\b/, '£'],
  [/^(?:yen|jpy)\b/, '¥'],
];
const unitOf = (next: string): string => (SHARE.test(next) ? '%' : (MONEY.find(([word]) => word.test(next))?.[1] ?? ''));

/** The numbers of a text with their units, `5`, `5€` or `5%`. */
const claimedNumbers = (text: string): string[] => [
  ...numbersIn(text).map(({ value, kind, currency }) => `${value}${kind === 'share' ? '%' : currency}`),
  ...wordNumbersIn(text).flatMap(({ value, next }) => (value >= FROM_COUNTED || unitOf(next) !== '' ? [`${value}${unitOf(next)}`] : [])),
];

/** All that a text may be taken to say: the number of a price is a number too, and `10.000` may be ten thousand. */
function saidNumbers(text: string): string[] {
  const thousands = Array.from(text.matchAll(/(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.,]\d)/g), ([digits]) => digits.replaceAll('.', ''));
  const figures = numbersIn(text).flatMap(({ value, kind, currency }) => [`${value}`, `${value}${kind === 'share' ? '%' : currency}`]);
  const shares = Array.from(
    text.matchAll(/(\d+(?:[.,]\d+)?)\s?(?:prozent|por ciento|pour cent|por cento)/giu),
    ([, digits = '']) => `${Number(digits.replace(',', '.'))}%`,
  );
  const words = wordNumbersIn(text, { each: true }).flatMap(({ value, next }) => [`${value}`, `${value}${unitOf(next)}`]);
  return [...figures, ...thousands, ...shares, ...words];
}
