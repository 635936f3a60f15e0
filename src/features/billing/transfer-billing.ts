import type { BillingConfig } from '#platform/config/billing.ts';
import type { Tx } from '#platform/db/database.ts';
import { lockSubscriber, transferEvents } from './event-store.ts';
import { followEvents } from './follow-events.ts';

/** What the provider told of a device's anonymous owner, and will tell, is the user's. Not counted among what moved: it is the provider's. */
export const transferBilling =
  ({ tiers }: Pick<BillingConfig, 'tiers'>) =>
  async (tx: Tx, from: string, to: string): Promise<number> => {
    for (const userId of [from, to].toSorted()) await lockSubscriber(tx, userId);
    if (!(await transferEvents(tx, from, to))) return 0;
    for (const userId of [from, to]) await followEvents(tx, userId, tiers);
    return 0;
  };
