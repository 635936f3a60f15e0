import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedTexts } from './stored-texts.ts';

describe('a list of texts', () => {
  readsEveryVersion(storedTexts, new URL('stored/', import.meta.url), 'texts');
});
