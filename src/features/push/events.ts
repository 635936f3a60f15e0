import { z } from 'zod';
import { defineJob } from '#platform/jobs/define-job.ts';

const Message = z.object({
  title: z.string(),
  body: z.string(),
  deeplink: z.string().nullable(),
  data: z.record(z.string(), z.unknown()),
  collapseKey: z.string().nullable(),
  expiresAt: z.coerce.date().nullable(),
  silent: z.boolean(),
});

/** A phone that is not registered for pushes in general: its token at Apple. */
export const OtherDevice = z.object({ token: z.string(), environment: z.enum(['production', 'sandbox']) });
export type OtherDevice = z.output<typeof OtherDevice>;

/** One push to one device. */
const PushJob = z.object({
  /** The same for every try. */
  id: z.uuid(),
  /** The same for every device. */
  pushId: z.uuid(),
  userId: z.string(),
  device: z.union([z.object({ id: z.uuid() }), OtherDevice]),
  message: Message,
  /** To how many devices the push goes. */
  devices: z.int(),
  /** The toast that it stands in for. */
  toastId: z.uuid().nullable(),
});
export type PushJob = z.output<typeof PushJob>;

/** However many are pushed at once, most of a process's places stay free for others. */
const AT_ONCE = 48;
export const pushDelivery = defineJob({ name: 'push.deliver', payload: PushJob, retries: 8, timeoutSeconds: 120, concurrency: AT_ONCE });
