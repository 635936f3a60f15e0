import { describe, expect, it } from 'vitest';
import { hostileTexts } from '#testing/hostile-texts.ts';
import { readable } from './readable.ts';

const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

describe('what is read of a text', () => {
  it.each(hostileTexts.map(({ name, text }) => [name, text] as const))('is bounded and well formed: %s', (_name, text) => {
    for (const length of [200, 5000, 8000, 50_000]) {
      const read = readable(text(length));
      expect(read.length).toBeLessThanOrEqual(8000);
      expect(wordsIn(read).size).toBeLessThanOrEqual(600);
      expect(read.isWellFormed() && !read.includes('\0')).toBe(true);
      expect(/\p{M}{9}/u.test(read)).toBe(false);
      expect(readable(read)).toBe(read);
    }
  });

  it('is the whole of an ordinary text', () => {
    const story = Array.from({ length: 110 }, (_, at) => `On day ${at} our garden group forgot to water bed ${at % 17}.`).join(' ');
    expect(story.length).toBeGreaterThan(5000);
    expect(readable(story)).toBe(story);
  });
});
