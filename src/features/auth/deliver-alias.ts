import { z } from 'zod';
import { stableId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { defineJob } from '#platform/jobs/define-job.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { AnalyticsFailed } from '#platform/ports/analytics/port.ts';
import { findUndelivered, insertAlias, markDelivered, takeUndelivered } from './session-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long an alias is tried that nobody takes. */
const TRIED_MS = 30 * DAY_MS;

const Payload = z.object({ anonId: z.string(), userId: z.string() });

export const analyticsAlias = defineJob({ name: 'analytics.alias', payload: Payload, retries: 8, timeoutSeconds: 60 });

/**
 * Tells whoever counts users that an anonymous id turned out to be a user: at least once, always under the same id.
 * @throws RetryLater, AnalyticsFailed
 */
export async function deliverAlias(
  { db, analytics, clock }: Needs<'db' | 'analytics' | 'clock'>,
  { anonId, userId }: z.output<typeof Payload>,
  signal: AbortSignal,
): Promise<void> {
  // Those that were queued by an earlier version stand in the queue alone.
  await insertAlias(db, anonId, userId);
  const alias = await findUndelivered(db, anonId);
  if (!alias) return;
  try {
    await analytics.alias({ id: stableId(`alias ${anonId}`), anonId, ...alias }, signal);
  } catch (error) {
    if (error instanceof AnalyticsFailed && error.retryAt) throw new RetryLater(error.retryAt, { cause: error });
    throw error;
  }
  await markDelivered(db, anonId, clock.now());
}

/** Queues again what its job has given up since a day; gives how many. */
export const requeueAliases = ({ db, queue, clock }: Needs<'db' | 'queue' | 'clock'>): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const now = clock.now();
    const earlier = (milliseconds: number) => new Date(now.getTime() - milliseconds);
    const aliases = await takeUndelivered(tx, { queuedBefore: earlier(DAY_MS), writtenAfter: earlier(TRIED_MS), now });
    await queue.sendAll(tx, analyticsAlias, aliases);
    return aliases.length;
  });
