import { describe } from 'vitest';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { storedTranscript } from './stored-transcript.ts';

describe('the transcript of a model', () => {
  readsEveryVersion(storedTranscript, new URL('stored/', import.meta.url), 'transcript');
});
