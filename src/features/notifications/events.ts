import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

/** Quiet hours end: what was held of the owner of one notification goes out. */
export const heldRelease = defineJob({ name: 'notification.release', payload: z.object({ notificationId: z.uuid() }), retries: 20 });
