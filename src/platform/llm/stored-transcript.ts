import { z } from 'zod';
import { defineDocument } from '../documents/define-document.ts';

/** The messages of a loop so far, in the words of the library that asks models. */
export const storedTranscript = defineDocument('transcript of a model', z.array(z.looseObject({ role: z.string() })), { version: 1 });
