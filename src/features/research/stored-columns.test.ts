import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedEngine } from './stored-columns.ts';

describe('what a research keeps as JSON', () => {
  readsEveryVersion(storedEngine, new URL('stored/', import.meta.url), 'engine');
});
