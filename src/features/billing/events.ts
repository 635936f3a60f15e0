import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';
import { defineJob } from '#platform/jobs/define-job.ts';

/** What a user may use is another by now, or may be. */
export const UsageChanged = defineEvent(
  'usage.changed',
  z.object({ userId: z.string(), reason: z.enum(['billing_event', 'reconciliation', 'lapse', 'admin_grant']) }),
);

/** Works an event where that did not happen when it came, and compares with what the provider knows. */
export const billingEvent = defineJob({ name: 'billing.event', payload: z.object({ eventId: z.string() }), retries: 12, concurrency: 8 });
