import { mapOf } from '#lib/map-of.ts';

const NUMBER =
  /(?<![\p{L}\p{N}_.,])[$€£¥]?\s?(\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?)\s?(%|per ?cent\b|(?:k|m|mn|bn|b|million|billion|thousand)\b)?(?![\p{L}\p{N}_])(?=(\s+more\b)?)/giu;

const SCALES = mapOf<number>({ k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, million: 1e6, bn: 1e9, b: 1e9, billion: 1e9 });

/** `kind` keeps shares apart from counts, for `30 %` is not proven by `30 users`, and the rest of a list of names (`and 7 more`). */
export type NumberIn = { value: number; kind: 'plain' | 'share' | 'rest'; /** The sign of the money it counts, else empty. */ currency: string };

const MONEY_BEFORE = /^[$€£¥]/;
const MONEY_AFTER = /^\s?(?:([$€£¥])|(euros?|eur)\b|(dollars?|usd|bucks?|d[oó]lar\w*)\b|(pounds?|gbp|quid)\b|(yen|jpy)\b)/i;

function currencyOf(written: string, after: string): string {
  const [, sign, euro, dollar, pound, yen] = MONEY_AFTER.exec(after) ?? [];
  return MONEY_BEFORE.exec(written)?.[0] ?? sign ?? (euro ? '€' : dollar ? '$' : pound ? '£' : yen ? '¥' : '');
}

/** The numbers that stand in a text by themselves, not as parts of names such as `1Password` or `B2B`. */
export function numbersIn(text: string): NumberIn[] {
  if (!/\d/.test(text)) return [];
  return [...text.matchAll(NUMBER)].map(({ 0: written, 1: digits = '', 2: unit = '', 3: more, index }) => {
    const scale = SCALES.get(unit.toLowerCase()) ?? 1;
    const value = Math.round(numberOf(digits) * scale * 1e6) / 1e6;
    const isShare = /^(?:%|per ?cent)$/i.test(unit);
    const end = index + written.length;
    return { value, kind: isShare ? 'share' : more ? 'rest' : 'plain', currency: currencyOf(written, text.slice(end, end + 12)) };
  });
}

function numberOf(digits: string): number {
  if (/^\d{1,3}([,\u00a0\u202f]\d{3})+(\.\d+)?$/.test(digits)) return Number(digits.replace(/[,\u00a0\u202f]/g, ''));
  return Number(digits.replace(',', '.'));
}

/** The numbers that sentences may use: those written in the sources, and those counted from the analysis. */
export class KnownNumbers {
  readonly #plain = new Set<number>();
  readonly #shares = new Set<number>();
  #longestList = 0;

  addText(text: string): void {
    for (const { value, kind } of numbersIn(text)) (kind === 'share' ? this.#shares : this.#plain).add(value);
  }

  addCounts(...counts: number[]): void {
    for (const count of counts) this.#plain.add(count);
  }

  /** Lists of names may end in `and n more` up to this length. */
  allowLists(length: number): void {
    this.#longestList = length;
  }

  /** Shares from 0 to 1; they may be written as whole per cent. */
  addShares(...shares: number[]): void {
    for (const share of shares) this.#shares.add(Math.round(share * 100));
  }

  has({ value, kind }: NumberIn): boolean {
    if (kind === 'share') return this.#shares.has(value);
    return this.#plain.has(value) || (kind === 'rest' && value <= this.#longestList);
  }
}
