import { z } from 'zod';

/** A reaction to an event that failed for the last time. */
const GivenUp = z.object({
  event_id: z.uuid(),
  event: z.string(),
  reaction: z.string(),
  gave_up_at: z.iso.datetime(),
  error: z.string().nullable(),
});

/** The latest ones first; `total` is how many there are. */
export const GivenUpList = z.object({ total: z.int(), items: z.array(GivenUp) });

/** A text message that waits for the operator to pass it on; `body` is null when no key of the installation opens it. */
const OutboxMessage = z.object({ id: z.uuid(), to: z.string(), body: z.string().nullable(), created_at: z.iso.datetime() });

/** The latest ones first; `total` is how many there are. */
export const OutboxList = z.object({ total: z.int(), items: z.array(OutboxMessage) });

/** `next` of the step before; a rotation begins without. */
export const Rotate = z.object({ cursor: z.string().max(1000).optional() });

/** What one step did. It is over when `next` is null. */
export const Rotated = z.object({
  new_key: z.boolean(),
  columns: z.array(z.object({ column: z.string(), resealed: z.int(), unreadable: z.int() })),
  next: z.string().nullable(),
});

export const RunAgain = z.object({ event_id: z.uuid(), reaction: z.string().min(1).max(200) });
export const Queued = z.object({ queued: z.int() });
