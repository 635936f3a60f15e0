import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';
import { defineJob } from '#platform/jobs/define-job.ts';

const Run = z.object({ featureResearchId: z.uuid(), userId: z.string(), projectId: z.uuid().nullable() });

export const FeatureResearchCompleted = defineEvent(
  'feature_research.completed',
  Run.extend({ researchId: z.uuid().nullable(), score: z.number(), durationMs: z.int() }),
);

export const FeatureResearchFailed = defineEvent(
  'feature_research.failed',
  Run.extend({ code: z.string(), message: z.string(), stage: z.string(), retryable: z.boolean() }),
);

/** Key of a feature research's stream. */
export const featureResearchStream = (id: string): string => `feature-research:${id}`;

export const featureResearchRun = defineJob({
  name: 'feature-research.run',
  payload: z.object({ id: z.uuid() }),
  retries: 100,
  timeoutSeconds: 3600,
});
