import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedActions } from './card-store.ts';

describe('the actions of a card', () => {
  readsEveryVersion(storedActions, new URL('stored/', import.meta.url), 'actions');
});
