import type { Tier } from './profile-store.ts';

/** Credits of a billing window, by tier. */
export const TIER_CREDITS: Record<Tier, number> = { free: 20, explorer: 200, plus: 300, pro: 400, early_access: 100_000 };

/** The two plans that older clients know. */
export const planOf = (tier: Tier): 'free' | 'pro' => (tier === 'free' ? 'free' : 'pro');
