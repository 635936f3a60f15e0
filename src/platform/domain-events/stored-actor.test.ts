import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedActor } from './stored-actor.ts';

describe('who did something', () => {
  readsEveryVersion(storedActor, new URL('stored/', import.meta.url), 'actor');
});
