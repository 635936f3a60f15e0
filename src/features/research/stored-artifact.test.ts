import { describe, expect, it } from 'vitest';
import { storedRows } from '#testing/stored-documents.ts';
import { storedArtifact } from './stored-artifact.ts';

describe('a stored artifact', () => {
  it.each(storedRows(storedArtifact, new URL('stored/', import.meta.url), 'artifact'))('is read from what version $version stored', ({ stored }) => {
    const read = storedArtifact.check(stored);
    expect(read).not.toHaveProperty('v');
    expect(storedArtifact.read(stored)).toEqual(read);
    expect(storedArtifact.read(storedArtifact.write(read))).toEqual(read);
  });
});
