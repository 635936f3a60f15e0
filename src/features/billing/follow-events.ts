import { findProfile, setTier } from '#features/profile';
import type { BillingConfig } from '#platform/config/billing.ts';
import type { Tx } from '#platform/db/database.ts';
import { entitlementOf } from './entitlement.ts';
import { listStateEvents } from './event-store.ts';
import { foldEvents } from './fold-events.ts';
import { replaceLines } from './subscription-store.ts';

/**
 * Brings a user's subscriptions and tier up to what the recorded events say; whether that changed anything. The caller
 * holds the user's lock.
 */
export async function followEvents(tx: Tx, userId: string, tiers: BillingConfig['tiers']): Promise<boolean> {
  const lines = foldEvents(await listStateEvents(tx, userId));
  const changed = await replaceLines(tx, userId, lines);
  // The operator gave it, no product: no purchase takes it away.
  const sold = lines.some(({ productId }) => productId !== null && tiers.get(productId) === 'early_access');
  if (!sold && (await findProfile(tx, userId))?.tier === 'early_access') return changed;
  return (await setTier(tx, userId, entitlementOf(lines, tiers).tier)) || changed;
}
