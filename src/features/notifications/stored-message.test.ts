import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedMessage } from './notification-store.ts';

describe('what a user was told', () => {
  readsEveryVersion(storedMessage, new URL('stored/', import.meta.url), 'notification');
});
