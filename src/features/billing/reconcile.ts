import { isDeepStrictEqual } from 'node:util';
import type { AppContext, Needs } from '#platform/context.ts';
import { newId } from '#lib/ids.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { BillingFailure, UnknownCustomer, type ProviderSubscription } from '#platform/ports/billing-provider/port.ts';
import { findEvent, listStateEvents, lockSubscriber, recordFound } from './event-store.ts';
import { UsageChanged } from './events.ts';
import { foldEvents, type Correction, type Line } from './fold-events.ts';
import { followEvents } from './follow-events.ts';
import { handleEvent, usersNamed } from './handle-event.ts';

/**
 * Works a recorded event where that did not happen when it came, and brings everybody it is about up to what the provider
 * says now.
 */
export async function workEvent(ctx: AppContext, eventId: string, signal: AbortSignal): Promise<void> {
  await handleEvent(ctx, eventId);
  const event = await findEvent(ctx.db, eventId);
  if (!event) return;
  const others = await usersNamed(ctx.db, event.transferred);
  for (const userId of new Set([...(event.userId === null ? [] : [event.userId]), ...others])) await reconcile(ctx, userId, signal);
}

/**
 * Asks the provider for a user's subscriptions and records what differs. Nothing happens where no provider sells any, or
 * where it does not know the user.
 * @throws RetryLater when the provider names a moment, BillingFailure
 */
export async function reconcile(ctx: Needs<'db' | 'config' | 'events' | 'billing' | 'clock'>, userId: string, signal: AbortSignal): Promise<void> {
  if (!ctx.billing?.listSubscriptions) return;
  const at = ctx.clock.now();
  const subscriptions = await asked(ctx.billing.listSubscriptions(userId, signal));
  if (!subscriptions) return;
  // What has no name at the store cannot be told from another.
  const corrections = subscriptions.map(correctionOf).filter(({ productId, transactionId }) => productId !== null || transactionId !== null);
  await ctx.db.transaction().execute(async (tx) => {
    await lockSubscriber(tx, userId);
    const events = await listStateEvents(tx, userId);
    const found = { id: `reconciled:${newId()}`, at };
    const corrected = foldEvents([...events, { id: found.id, at: at.getTime(), kind: 'reconciled', corrections }]);
    if (isDeepStrictEqual(statesOf(foldEvents(events)), statesOf(corrected))) return;
    await recordFound(tx, userId, found, { kind: 'reconciled', corrections });
    if (await followEvents(tx, userId, ctx.config.billing.tiers)) await ctx.events.publish(tx, UsageChanged, { userId, reason: 'reconciliation' });
  });
}

async function asked(answer: Promise<ProviderSubscription[]>): Promise<ProviderSubscription[] | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UnknownCustomer) return null;
    if (error instanceof BillingFailure && error.retryAt) throw new RetryLater(error.retryAt, { cause: error });
    throw error;
  }
}

const correctionOf = ({ givesAccess: entitled, endsAt: expiresAt, ...subscription }: ProviderSubscription): Correction => ({
  ...subscription,
  entitled,
  expiresAt,
});

const statesOf = (lines: readonly Line[]) =>
  lines.map(({ productId, status, entitled, expiresAt, willRenew }) => ({ productId, status, entitled, expiresAt, willRenew }));
