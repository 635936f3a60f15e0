import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedMetadata } from './toast-store.ts';

describe('the metadata of a toast', () => {
  readsEveryVersion(storedMetadata, new URL('stored/', import.meta.url), 'metadata');
});
