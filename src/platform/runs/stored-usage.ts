import { z } from 'zod';
import type { Usage } from '../llm/models.ts';
import { defineDocument } from '../documents/define-document.ts';

/** What a stage spent on models, as its checkpoint keeps it. */
export const storedUsage = defineDocument<Usage>('usage', z.object({ calls: z.int(), inputTokens: z.int(), outputTokens: z.int() }), {
  version: 1,
  checks: 'older',
});
