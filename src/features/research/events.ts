import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { Mode } from './schema.ts';

export const ResearchCompleted = defineEvent(
  'research.completed',
  z.object({ jobId: z.uuid(), userId: z.string(), projectId: z.uuid().nullable(), mode: Mode, score: z.number() }),
);

export const ResearchFailed = defineEvent(
  'research.failed',
  z.object({ jobId: z.uuid(), userId: z.string(), projectId: z.uuid().nullable(), code: z.string(), message: z.string(), retryable: z.boolean() }),
);

/** Key of a research job's stream. */
export const researchStream = (jobId: string): string => `research:${jobId}`;

export const researchRun = defineJob({
  name: 'research.run',
  /** `made`: the project that was made for this research alone, which a text that is refused takes with it. */
  payload: z.object({ jobId: z.uuid(), made: z.object({ id: z.uuid(), touchedAt: z.string() }).optional() }),
  retries: 100,
  timeoutSeconds: 3600,
});

/** Dispatches the requests of one user that were over the limit. */
export const replayQueued = defineJob({ name: 'research.replay-queued', payload: z.object({ userId: z.string() }), retries: 100 });
