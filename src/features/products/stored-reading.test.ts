import { describe, expect, it } from 'vitest';
import { storedRows } from '#testing/stored-documents.ts';
import { storedReading } from './product-store.ts';

describe('a stored first reading', () => {
  it.each(storedRows(storedReading, new URL('stored/', import.meta.url), 'reading'))('is read from what version $version stored', ({ stored }) => {
    const read = storedReading.check(stored);
    expect(read).not.toHaveProperty('v');
    expect(storedReading.read(stored)).toEqual(read);
    expect(storedReading.read(storedReading.write(read))).toEqual(read);
  });
});
