import { describe, expect, it } from 'vitest';
import { normaliseText, shorten, slugify, storable, truncate } from './text.ts';

const MARKS = `a${'\u0301\u0323\u0345\u0334'.repeat(5000)}`;

describe('a cut', () => {
  it('keeps a character of two units whole or leaves it out', () => {
    expect(truncate('ab🐝c', 2)).toBe('ab');
    expect(truncate('ab🐝c', 3)).toBe('ab');
    expect(truncate('ab🐝c', 4)).toBe('ab🐝');
    expect(truncate('ab', 5)).toBe('ab');
    expect(shorten('🐝'.repeat(20), 10).isWellFormed()).toBe(true);
  });
});

describe('a text that is stored', () => {
  it('has U+FFFD for each NUL and each half of a character, and is the same otherwise', () => {
    expect(storable('a\u0000b\ud83dc\udc1d')).toBe('a\ufffdb\ufffdc\ufffd');
    expect(storable('🐝 \\u0000')).toBe('🐝 \\u0000');
  });
});

describe('thousands of marks on one letter', () => {
  it('are left out before they are put in order', () => {
    expect(normaliseText(MARKS).length).toBeLessThan(20);
    expect(slugify(MARKS)).toBe('a');
    expect(normaliseText('Über  été')).toBe('über été');
  });
});
