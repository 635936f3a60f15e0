import { describe, expect, it } from 'vitest';
import { quotesFrom } from './spans.ts';

const IDEA = 'For  Café owners: l’app counts cups — and tells them when to order beans.';

describe('a quote', () => {
  const quote = quotesFrom(IDEA);

  it.each([
    ['cafe owners', 'Café owners'],
    ['An counts cups and tells them', 'counts cups — and tells them'],
    ['something else entirely; order beans', 'order beans'],
  ])('of "%s" is what stands there', (text, expected) => {
    const span = quote(text);
    expect(span?.quote).toBe(expected);
    expect(IDEA.slice(span?.start, span?.end)).toBe(expected);
  });

  it.each(['', '…', 'people who sell cups to tourists', 'coffee'])('is not made of "%s"', (text) => expect(quote(text)).toBeUndefined());

  it('is found in a long text of one word', () => expect(quotesFrom('a '.repeat(2500))('a '.repeat(500))).toMatchObject({ start: 0, end: 999 }));
});
