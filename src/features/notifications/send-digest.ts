import { count, listOf } from '#lib/text.ts';
import { isEnabled, type PreferenceId } from '#features/push';
import { ownTopicOf } from '#features/toasts';
import { weeklyDigest } from './digest-schedule.ts';
import { listUntold, markDigested, type NotificationRow } from './notification-store.ts';
import { notify, type NotifyNeeds } from './notify.ts';

/**
 * Tells a user what happened since the last digest; where nothing did, the schedule ends until something does.
 * @param at when the digest was due
 */
export async function sendDigest(ctx: NotifyNeeds, { userId, key, at }: { userId: string; key: string; at: Date }): Promise<void> {
  const untold = await listUntold(ctx.db, userId);
  if (untold.length === 0) return ctx.schedules.remove(ctx.db, weeklyDigest, key);
  if (!(await isEnabled(ctx.db, userId, 'weekly_digest'))) return;
  const title = 'Your week';
  const body = digestText(untold);
  const ids = untold.map(({ id }) => id);
  await notify(
    ctx,
    {
      userId,
      preference: 'weekly_digest',
      title,
      body,
      data: { type: 'weekly_digest' },
      collapseKey: 'weekly_digest',
      wakes: 'unwatched',
      toast: {
        topic: ownTopicOf(userId),
        toast: { title, body, style: 'info', priority: 'low', duration_ms: 3000 },
        dedupeKey: `weekly_digest ${at.toISOString()}`,
        collapseKey: 'weekly_digest',
      },
    },
    (tx) => markDigested(tx, ids, ctx.clock.now()),
  );
}

type Counted = PreferenceId | 'other';

const WORDS: Record<Counted, (amount: number) => string> = {
  research_complete: (amount) => `${count(amount, 'research', 'researches')} completed`,
  build_complete: (amount) => `${count(amount, 'build plan')} ready`,
  signal_alert: (amount) => count(amount, 'signal'),
  weekly_digest: (amount) => count(amount, 'digest'),
  other: (amount) => count(amount, 'message'),
};

/** `2 researches completed, 1 build plan ready and 3 messages.` */
export function digestText(untold: readonly Pick<NotificationRow, 'preference'>[]): string {
  const amounts = new Map<Counted, number>();
  for (const { preference } of untold) amounts.set(preference ?? 'other', (amounts.get(preference ?? 'other') ?? 0) + 1);
  const parts = (Object.keys(WORDS) as Counted[]).flatMap((kind) => {
    const amount = amounts.get(kind);
    return amount ? [WORDS[kind](amount)] : [];
  });
  return `${listOf(parts)}.`;
}
