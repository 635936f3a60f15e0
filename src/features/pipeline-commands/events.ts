import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

export const RETRIED_SECTIONS = ['competitors', 'features', 'signals', 'whitespaces', 'priorities', 'build_plan'] as const;
export type RetriedSection = (typeof RETRIED_SECTIONS)[number];

/** Computes a section of a research's cards anew, with what depends on it. */
export const retrySectionRun = defineJob({
  name: 'cards.retry-section',
  payload: z.object({ researchId: z.uuid(), section: z.enum(RETRIED_SECTIONS), cardId: z.uuid() }),
});
