import { describe, expect, it } from 'vitest';
import { storedRows } from '#testing/stored-documents.ts';
import { storedFindings } from './stored-findings.ts';

describe('stored findings', () => {
  it.each(storedRows(storedFindings, new URL('stored/', import.meta.url), 'findings'))('is read from what version $version stored', ({ stored }) => {
    const read = storedFindings.check(stored);
    expect(read).not.toHaveProperty('v');
    expect(storedFindings.read(stored)).toEqual(read);
    expect(storedFindings.read(storedFindings.write(read))).toEqual(read);
  });
});
