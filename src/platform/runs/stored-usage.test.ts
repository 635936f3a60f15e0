import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedUsage } from './stored-usage.ts';

describe('what a stage spent', () => {
  readsEveryVersion(storedUsage, new URL('stored/', import.meta.url), 'usage');
});
