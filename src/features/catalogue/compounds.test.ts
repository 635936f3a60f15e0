import { describe, expect, it } from 'vitest';
import { compoundParts } from './compounds.ts';
import { openCompiled } from './compiled.ts';
import type { Lexicon } from './lexicon.ts';

const { lexicon } = openCompiled();

/** A dictionary that counts how often it is asked. */
function counting(words: readonly string[]): { lexicon: Lexicon; asked: () => number } {
  let asked = 0;
  class Counting extends Map<string, string> {
    override has(key: string): boolean {
      asked += 1;
      return super.has(key);
    }
  }
  const de = { ...lexicon.translations.de, entries: new Counting(words.map((word) => [word, word])) };
  return { lexicon: { ...lexicon, translations: { ...lexicon.translations, de } }, asked: () => asked };
}

describe('a German compound', () => {
  it.each([
    ['einkaufsliste', ['einkaufs', 'liste']],
    ['rechnungsnummer', ['rechnung', 'nummer']],
    ['xyzqwklmnopq', undefined],
    ['haus', undefined],
  ])('%s falls into %j', (word, parts) => {
    expect(compoundParts(word, lexicon)).toEqual(parts);
  });

  it.each(['n'.repeat(40), 'en'.repeat(20), 'bauhaus'.repeat(6).slice(0, 40), `x${'enesern'.repeat(6)}`.slice(0, 40)])(
    'asks at most once for each part of %s',
    (word) => {
      const parts = new Set(['bau', 'haus', 'baus', 'ene', 'nnn', 'enen', 'nese', 'sern', 'hausb', 'enes']);
      const { lexicon: counted, asked } = counting([...parts]);
      compoundParts(word, counted);
      expect(asked()).toBeLessThanOrEqual((word.length * (word.length + 1)) / 2);
    },
  );

  it('is not looked for in a word that is longer than words are', () => {
    const { lexicon: counted, asked } = counting(['haus']);
    expect(compoundParts('haus'.repeat(2000), counted)).toBeUndefined();
    expect(asked()).toBe(0);
  });
});
