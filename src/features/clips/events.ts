import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';
import { defineJob } from '#platform/jobs/define-job.ts';

const Subject = { userId: z.string(), projectId: z.uuid(), slug: z.string() };

/** Somebody voted on a project for the first time; it is told once for each project. */
export const VotesReceived = defineEvent('votes.received', z.object({ ...Subject, totalUp: z.int(), totalDown: z.int() }));

/** Somebody sent spoken criticism of a project's page. */
export const RoastReceived = defineEvent('roast.received', z.object({ ...Subject, roastId: z.uuid() }));

/** Takes withdrawn pages out of the content store, and recordings out of the blobs. */
export const clipDiscard = defineJob({
  name: 'clip.discard',
  payload: z.object({ slugs: z.array(z.string()), blobKeys: z.array(z.string()) }),
  retries: 100,
  concurrency: 8,
});
