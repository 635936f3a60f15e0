import type { AppContext } from '#platform/context.ts';
import { messageOf } from '#lib/errors.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { listStateEvents, listUnsettled, lockSubscriber, recordFound } from './event-store.ts';
import { billingEvent, UsageChanged } from './events.ts';
import { foldEvents, type Line } from './fold-events.ts';
import { followEvents } from './follow-events.ts';
import { reconcile } from './reconcile.ts';
import { listOverdue } from './subscription-store.ts';

const MINUTE_MS = 60_000;
/** By then its job has used up its tries. */
const UNSETTLED_MS = 60 * MINUTE_MS;
/** Stores are late with renewals, and providers with telling of an end. */
const OVERDUE_MS = 24 * 60 * MINUTE_MS;
const AT_ONCE = 500;

/** Takes up events whose job gave up, and ends what ran out long ago without a word of it. */
export async function sweepBilling(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now().getTime();
  for (const eventId of await listUnsettled(ctx.db, new Date(now - UNSETTLED_MS), AT_ONCE)) await ctx.queue.send(ctx.db, billingEvent, { eventId });
  const overdue = new Date(now - OVERDUE_MS);
  for (const userId of await listOverdue(ctx.db, overdue, AT_ONCE)) {
    try {
      await reconcile(ctx, userId, AbortSignal.timeout(MINUTE_MS));
      await lapse(ctx, userId, overdue);
    } catch (error) {
      ctx.log.warn({ user: userId, why: messageOf(error) }, 'a subscription that ran out could not be looked up');
      // The provider takes nothing before a moment; the next sweep goes on.
      if (error instanceof RetryLater) return;
    }
  }
}

async function lapse(ctx: AppContext, userId: string, overdue: Date): Promise<void> {
  const at = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    await lockSubscriber(tx, userId);
    for (const { transactions, productId, expiresAt } of foldEvents(await listStateEvents(tx, userId)).filter((line) => isOverdue(line, overdue))) {
      const [transactionId = null] = transactions;
      const id = `lapsed:${userId}:${transactionId ?? productId ?? ''}:${expiresAt}`;
      await recordFound(tx, userId, { id, at }, { kind: 'lapsed', transactionId, productId, expiresAt: expiresAt ?? 0 });
    }
    if (await followEvents(tx, userId, ctx.config.billing.tiers)) await ctx.events.publish(tx, UsageChanged, { userId, reason: 'lapse' });
  });
}

const isOverdue = ({ entitled, expiresAt }: Line, before: Date): boolean => entitled && expiresAt !== null && expiresAt < before.getTime();
