import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedState } from './stored-state.ts';

describe('what was found out of subscriptions is read', () => {
  readsEveryVersion(storedState as never, new URL('stored/', import.meta.url), 'found-state');
});
