import type { Tier } from './profile-store.ts';

/** Credits of a billing window, by tier. */
export const TIER_CREDITS: Record<Tier, number> = { free: 20, explorer: 200, plus: 300, pro: 400, early_access: 100_000 };

/** The two plans that older clients know. */
export const planOf = (tier: Tier): 'free' | 'pro' => (tier === 'free' ? 'free' : 'pro');

/** The credits of a profile in the current window: a stored total overrides the tier's. */
export const creditsOf = (profile: { tier: Tier; credits_used: number; credits_total: number }): { credits_used: number; credits_total: number } => ({
  credits_used: profile.credits_used,
  credits_total: profile.credits_total || TIER_CREDITS[profile.tier],
});
