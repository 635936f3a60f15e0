import { describe, expect, it } from 'vitest';
import { storedRows } from '#testing/stored-documents.ts';
import { storedBody } from './card-store.ts';

describe('a stored card', () => {
  it.each(storedRows(storedBody, new URL('stored/', import.meta.url), 'body'))('is read from what version $version stored', ({ stored }) => {
    const read = storedBody.check(stored);
    expect(read).not.toHaveProperty('v');
    expect(storedBody.read(stored)).toEqual(read);
    expect(storedBody.read(storedBody.write(read))).toEqual(read);
  });
});
