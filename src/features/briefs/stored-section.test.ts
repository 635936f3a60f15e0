import { describe, expect, it } from 'vitest';
import { storedRows } from '#testing/stored-documents.ts';
import { SECTION_TYPES } from './states.ts';
import { STORED_SECTIONS } from './stored-section.ts';

describe.each(SECTION_TYPES)('a stored section %s', (type) => {
  const document = STORED_SECTIONS[type];
  it.each(storedRows(document, new URL('stored/', import.meta.url), type))('is read from what version $version stored', ({ stored }) => {
    const read = document.check(stored);
    expect(read).not.toHaveProperty('v');
    expect(document.read(stored)).toEqual(read);
    expect(document.read(document.write(read))).toEqual(read);
  });
});
