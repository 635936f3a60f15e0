import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedFeatures } from './stored-columns.ts';

describe('what a feature research keeps as JSON', () => {
  readsEveryVersion(storedFeatures, new URL('stored/', import.meta.url), 'features');
});
