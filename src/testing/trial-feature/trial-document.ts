import { z } from 'zod';
import { defineDocument } from '#platform/documents/define-document.ts';

const Recipe = z.object({ title: z.string(), servings: z.int(), steps: z.array(z.object({ text: z.string(), minutes: z.number().nullable() })) });

/** A stored object in its third version: the first knew no servings, the second had steps as plain texts. */
export const trialDocument = defineDocument('trial recipe', Recipe, {
  version: 3,
  upcasts: {
    1: (recipe) => ({ ...recipe, servings: 2 }),
    2: ({ steps, ...recipe }) => ({ ...recipe, steps: (steps as string[]).map((text) => ({ text, minutes: null })) }),
  },
});
