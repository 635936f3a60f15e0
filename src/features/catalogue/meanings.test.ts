import { describe, expect, it } from 'vitest';
import { openCompiled } from './compiled.ts';
import { openCatalogue } from './index.ts';
import { openMeanings } from './meanings.ts';
import { stem } from './stem.ts';

const { meanings, shelf } = openCompiled();
const nearness = (words: string): ((market: string) => number) => {
  const all = meanings.nearnessOf(words.split(' ').map(stem));
  const places = new Map([...shelf].map(({ id }, place) => [id, place]));
  return (market) => all[places.get(market) ?? -1] ?? Number.NaN;
};

describe('markets near in meaning', () => {
  it.each([
    ['castle visitors rooms labels earbuds', 'museums-attractions', 'device-management'],
    ['husband wife nikah serious', 'online-dating', 'residential-appraisal'],
    ['signature courier notary contract', 'e-signature', 'last-mile-delivery'],
  ])('"%s" is nearer to %s than to %s', (words, near, far) => {
    const to = nearness(words);
    expect(to(near)).toBeGreaterThan(to(far) + 0.1);
  });

  it('is 0 everywhere for words without a meaning, and between -1 and 1', () => {
    expect(meanings.nearnessOf(['blorf', 'zindle']).every((value) => value === 0)).toBe(true);
    const all = meanings.nearnessOf(['dog', 'walk']);
    expect(Math.max(...all)).toBeLessThanOrEqual(1);
    expect(Math.min(...all)).toBeGreaterThanOrEqual(-1);
  });

  it('counts a word once and takes any order', () => {
    const once = meanings.nearnessOf(['dog', 'walk']);
    expect(meanings.nearnessOf(['walk', 'dog', 'walk'])).toEqual(once);
  });

  it('adds up the vectors of the stems', () => {
    const vectors = new Int8Array(2 * 96);
    vectors[0] = 3;
    vectors[96 + 1] = 4;
    const markets = new Float32Array(96);
    markets[0] = 1;
    expect(openMeanings({ stems: ['a', 'b'], vectors, markets }).nearnessOf(['a', 'b'])[0]).toBeCloseTo(0.6);
  });

  it('finds the market of a story that shares its words with another one', () => {
    const story =
      "We own five rooms in Rotterdam and the horror one's empty on Tuesdays while the pirate one turns people away. Team photos are sent by hand, always two days late, so no one posts them. Also a corporate group of 30 means I juggle slots on paper. Price by demand, photos + review ask before they reach their car, group split over rooms.";
    expect(openCatalogue().search(story).categories[0]?.category.id).toBe('escape-rooms-entertainment');
  });
});
