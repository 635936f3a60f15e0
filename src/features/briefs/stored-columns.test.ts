import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedEntry, storedProgress, storedQuality, storedSources } from './stored-columns.ts';

describe('what a brief keeps as JSON', () => {
  readsEveryVersion(storedProgress, new URL('stored/', import.meta.url), 'progress');
  readsEveryVersion(storedEntry, new URL('stored/', import.meta.url), 'entry');
  readsEveryVersion(storedQuality, new URL('stored/', import.meta.url), 'quality');
  readsEveryVersion(storedSources, new URL('stored/', import.meta.url), 'sources');
});
