export { ensureProfile, readModelKeys, transferProfile, type ProfileRow, type Tier } from './profile-store.ts';
export { planOf, TIER_CAPS, TIER_CREDITS } from './tiers.ts';
export { addUse, capsOf, findProfile, periodOf, setTier, takeBackUse, usedIn, type Counter, type Period } from './usage-counters.ts';
