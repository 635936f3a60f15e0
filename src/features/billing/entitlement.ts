import type { Tier } from '#features/profile';
import type { BillingConfig } from '#platform/config/billing.ts';
import type { Line } from './fold-events.ts';

const RANK: Record<Tier, number> = { free: 0, explorer: 1, plus: 2, pro: 3, early_access: 4 };

/** What a user's subscriptions give: the best tier among those that entitle, and the product that gives it. */
export type Entitlement = { tier: Tier; productId: string | null };

export function entitlementOf(lines: readonly Pick<Line, 'entitled' | 'productId' | 'changedAt'>[], tiers: BillingConfig['tiers']): Entitlement {
  const [best] = lines
    .filter(({ entitled }) => entitled)
    .map(({ productId, changedAt }) => ({ productId, changedAt, tier: (productId === null ? undefined : tiers.get(productId)) ?? 'free' }))
    .toSorted((left, right) => RANK[right.tier] - RANK[left.tier] || right.changedAt - left.changedAt);
  return { tier: best?.tier ?? 'free', productId: best?.productId ?? null };
}
