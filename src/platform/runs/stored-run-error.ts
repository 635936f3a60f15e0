import { z } from 'zod';
import { defineDocument } from '../documents/define-document.ts';

const Shape = z.object({ code: z.string(), message: z.string(), retryable: z.boolean(), evidence_count: z.int().optional() });

/** How a run or a part of one failed, as features keep it in their rows. */
export const storedRunError = defineDocument('run error', Shape, { version: 1, checks: 'older' });
