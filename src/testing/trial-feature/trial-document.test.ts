import { describe, expect, it } from 'vitest';
import { DocumentError } from '#platform/documents/define-document.ts';
import { storedRows } from '../stored-documents.ts';
import { trialDocument } from './trial-document.ts';

const SOUP = {
  title: 'Soup',
  servings: 2,
  steps: [
    { text: 'Boil water', minutes: null },
    { text: 'Add salt', minutes: null },
  ],
};

describe('a trial document', () => {
  it.each(storedRows(trialDocument, new URL('stored/', import.meta.url), 'trial-document'))(
    'is read from what version $version stored',
    ({ stored }) => {
      expect(trialDocument.read(stored)).toEqual(SOUP);
    },
  );

  it('is stored with its version, which nobody sees', () => {
    expect(JSON.parse(trialDocument.write(SOUP))).toEqual({ v: 3, ...SOUP });
    expect(trialDocument.read(trialDocument.write(SOUP))).toEqual(SOUP);
  });

  it('is not read when a newer program wrote it, or when it is of no version', () => {
    expect(() => trialDocument.read({ v: 4, ...SOUP })).toThrow(DocumentError);
    expect(() => trialDocument.read({ v: 3, title: 'Soup' })).toThrow(/^trial recipe, version 3: servings/);
  });

  it('needs a row of each version', () => {
    expect(() => storedRows({ version: 4 }, new URL('stored/', import.meta.url), 'trial-document')).toThrow('trial-document.v4.json');
  });
});
