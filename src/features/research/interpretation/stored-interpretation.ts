import { z } from 'zod';
import { defineDocument } from '#platform/documents/define-document.ts';
import type { Interpretation } from '../analyst.ts';
import { IdeaInterpretation } from './schema.ts';

const Share = z.number().min(0).max(1);

const Reading = z.object({
  language: z.string(),
  normalizedIdea: z.string(),
  productName: z.string().nullable(),
  shortTitle: z.string(),
  oneLineSummary: z.string(),
  targetUser: z.string(),
  problemStatement: z.string(),
  proposedSolution: z.string(),
  category: z.string(),
  subcategory: z.string(),
  marketType: z.string(),
  categoryIds: z.array(z.string()),
  confidence: Share,
  remembered: z.array(z.object({ name: z.string(), url: z.string(), why: z.string() })).optional(),
  certainty: z.enum(['sure', 'unsure', 'unknown']).optional(),
  candidates: z.array(z.object({ id: z.string(), confidence: Share })).optional(),
  clarity: z.object({ user: Share, problem: Share, solution: Share }),
  askedFor: z.array(z.object({ label: z.string(), featureId: z.string().nullable(), quote: z.string().optional() })),
  unasked: z.array(z.string()).optional(),
  place: z.string().optional(),
  price: z.string().optional(),
  told: z
    .object({ markets: z.array(z.string()).optional(), askedFor: z.array(z.string()).optional(), unasked: z.array(z.string()).optional() })
    .optional(),
  queries: z.array(z.string()),
}) as unknown as z.ZodType<Interpretation>;

/** What the stages work with, and the same as it is shown. */
export const storedInterpretation = defineDocument('interpretation', z.object({ reading: Reading, described: IdeaInterpretation }), {
  version: 2,
  // What was stored before was as sure as it had a market.
  upcasts: { 1: (stored) => stored },
});
export type StoredInterpretation = { reading: Interpretation; described: IdeaInterpretation };
