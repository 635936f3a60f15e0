import { describe, expect, it } from 'vitest';
import { storedRows } from '#testing/stored-documents.ts';
import { storedInterpretation } from './stored-interpretation.ts';

describe('a stored interpretation', () => {
  it.each(storedRows(storedInterpretation, new URL('../stored/', import.meta.url), 'interpretation'))(
    'is read from what version $version stored',
    ({ stored }) => {
      const read = storedInterpretation.check(stored);
      expect(read.described.markets.length).toBeGreaterThan(0);
      expect(storedInterpretation.read(storedInterpretation.write(read))).toEqual(read);
    },
  );
});
