import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';

/** A product card moved: begun, completed or failed. */
export const ProductsChanged = defineEvent(
  'products.changed',
  z.object({
    userId: z.string(),
    product_card_id: z.uuid(),
    research_job_id: z.uuid(),
    state: z.enum(['researching', 'completed', 'failed']),
    progress: z.number(),
  }),
);
