import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedRunError } from './stored-run-error.ts';

describe('how a run failed', () => {
  readsEveryVersion(storedRunError, new URL('stored/', import.meta.url), 'run-error');
});
