import { capsOf, findProfile, periodOf, TIER_CAPS, usedIn } from '#features/profile';
import type { Needs } from '#platform/context.ts';
import { entitlementOf } from './entitlement.ts';
import type { Usage } from './schema.ts';
import { listLines } from './subscription-store.ts';

const UNUSED = { credits: 0, questions: 0, tts_seconds: 0 };

/** What a user used this month, and what is left of it; of somebody without a profile nothing was. */
export async function readUsage({ db, clock, config }: Needs<'db' | 'clock' | 'config'>, userId: string): Promise<Usage> {
  const period = periodOf(clock.now());
  const profile = await findProfile(db, userId);
  const caps = profile ? capsOf(profile) : TIER_CAPS.free;
  const used = profile ? usedIn(profile, period) : UNUSED;
  const { productId } = entitlementOf(await listLines(db, userId), config.billing.tiers);
  const left = (amount: number): number => Math.max(amount, 0);
  return {
    period: { key: period.key, resets_at: period.resetsAt },
    tier: { id: profile?.tier ?? 'free', product_id: productId, caps },
    used,
    remaining: {
      questions: left(caps.questions - used.questions),
      tts_minutes: left(caps.tts_minutes - used.tts_seconds / 60),
      credits: left(caps.credits - used.credits),
    },
  };
}
