import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';
import { defineJob } from '#platform/jobs/define-job.ts';

const Owner = { briefId: z.uuid(), userId: z.string(), projectId: z.uuid(), researchId: z.uuid().nullable() };

/** All sections of a new brief are there. */
export const BriefReady = defineEvent('brief.ready', z.object({ ...Owner, title: z.string(), qualityScore: z.number() }));

export const BriefFailed = defineEvent('brief.failed', z.object({ ...Owner, code: z.string(), message: z.string(), retryable: z.boolean() }));

/** Key of a brief's stream. */
export const briefStream = (briefId: string): string => `brief:${briefId}`;

/** Key of a brief's channel: `revision_updated`, numbered, for clients that watch it. */
export const briefChannel = (briefId: string): string => `brief-channel:${briefId}`;

export const briefRun = defineJob({ name: 'brief.run', payload: z.object({ briefId: z.uuid() }), retries: 100, timeoutSeconds: 3600 });

/** Writes the sections anew that were asked for. */
export const briefRewrite = defineJob({ name: 'brief.rewrite', payload: z.object({ briefId: z.uuid() }), retries: 20, timeoutSeconds: 1800 });
