import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedEngine, storedFeatures, storedList, storedOrigin } from './stored-columns.ts';

describe('what a graph keeps as JSON', () => {
  readsEveryVersion(storedFeatures, new URL('stored/', import.meta.url), 'features');
  readsEveryVersion(storedEngine, new URL('stored/', import.meta.url), 'engine');
  readsEveryVersion(storedOrigin, new URL('stored/', import.meta.url), 'origin');
  readsEveryVersion(storedList, new URL('stored/', import.meta.url), 'list');
});
