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

export const RunAgain = z.object({ event_id: z.uuid(), reaction: z.string().min(1).max(200) });
export const Queued = z.object({ queued: z.int() });
