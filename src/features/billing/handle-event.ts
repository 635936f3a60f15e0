import { findProfile } from '#features/profile';
import type { Needs } from '#platform/context.ts';
import type { Db } from '#platform/db/database.ts';
import { currentNames, findEvent, lockSubscriber, settleEvent, type RecordedEvent } from './event-store.ts';
import { UsageChanged } from './events.ts';
import { followEvents } from './follow-events.ts';
import { isStatusType } from './provider-event.ts';

type HandleNeeds = Needs<'db' | 'config' | 'log' | 'events'>;

/** Does what a recorded event says, once, whoever comes first. */
export async function handleEvent(ctx: HandleNeeds, eventId: string): Promise<void> {
  const event = await findEvent(ctx.db, eventId);
  if (!event || event.settledAt) return;
  const { tiers } = ctx.config.billing;
  if (isStatusType(event.type) && event.productId !== undefined && !tiers.has(event.productId)) {
    ctx.log.warn({ productId: event.productId }, 'the billing provider tells of a product of which BILLING_TIERS says nothing');
  }
  // Whoever it belongs to may turn out to be somebody else while it waits for the lock.
  while (!(await settle(ctx, event, await subscriberOf(ctx.db, event.customers))));
}

/** False when the user has got another name meanwhile. */
async function settle(ctx: HandleNeeds, event: RecordedEvent, userId: string | null): Promise<boolean> {
  const tellsState = userId !== null && isStatusType(event.type);
  return ctx.db.transaction().execute(async (tx) => {
    if (userId !== null) {
      await lockSubscriber(tx, userId);
      if ((await currentNames(tx, [userId]))[0] !== userId) return false;
    }
    if (!(await settleEvent(tx, event.id, { userId, tellsState })) || !tellsState) return true;
    await followEvents(tx, userId, ctx.config.billing.tiers);
    // Also when nothing is another by now: the interface has every report told.
    const actor = { kind: 'webhook', userId, source: 'billing' } as const;
    await ctx.events.publish(tx, UsageChanged, { userId, reason: 'billing_event' }, actor);
    return true;
  });
}

/** The first of a customer's names that belongs to somebody we know; else the first that could, of somebody who comes later. */
async function subscriberOf(db: Db, customers: readonly string[]): Promise<string | null> {
  const names = await usersNamed(db, customers);
  for (const name of names) if (await findProfile(db, name)) return name;
  return names[0] ?? null;
}

/** The users that the provider's names may stand for; those that it made up for whoever has not signed in stand for none. */
export const usersNamed = async (db: Db, customers: readonly string[]): Promise<string[]> =>
  (await currentNames(db, customers)).filter((name) => !name.startsWith('$RCAnonymousID:'));
