import type { Tier } from './profile-store.ts';

export type Caps = { questions: number; tts_minutes: number; credits: number };

/** What a user may use in a month, by tier. */
export const TIER_CAPS: Record<Tier, Caps> = {
  free: { questions: 50, tts_minutes: 5, credits: 20 },
  explorer: { questions: 500, tts_minutes: 60, credits: 200 },
  plus: { questions: 1500, tts_minutes: 180, credits: 300 },
  pro: { questions: 2500, tts_minutes: 300, credits: 400 },
  early_access: { questions: 100_000, tts_minutes: 10_000, credits: 100_000 },
};

/** The two plans that older clients know. */
export const planOf = (tier: Tier): 'free' | 'pro' => (tier === 'free' ? 'free' : 'pro');
