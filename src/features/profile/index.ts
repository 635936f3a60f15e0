export { ensureProfile, findPhone, readModelKeys, transferProfile, type ProfileRow } from './profile-store.ts';
export { planOf, TIER_CREDITS } from './tiers.ts';
