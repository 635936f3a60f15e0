import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { moveDigest } from './digest-schedule.ts';
import { heldRelease } from './events.ts';
import { holdUntil } from './notification-store.ts';
import { quietUntil } from './quiet-hours.ts';
import type { QuietHoursRequest } from './schema.ts';
import { saveSettings, settingsOf, type Settings } from './settings-store.ts';

type ChangeNeeds = Needs<'db' | 'queue' | 'schedules' | 'clock'>;

/** Sets a user's quiet hours; what is held goes out when the new ones end. */
export const setQuietHours = (ctx: ChangeNeeds, userId: string, { from, to, time_zone, afterwards }: QuietHoursRequest): Promise<void> =>
  change(ctx, userId, () => ({ time_zone, quiet_from: from, quiet_to: to, afterwards }));

/** Ends them; the time zone stays that of the digest. */
export const endQuietHours = (ctx: ChangeNeeds, userId: string): Promise<void> =>
  change(ctx, userId, (settings) => ({ ...settings, quiet_from: null, quiet_to: null }));

const change = ({ db, queue, schedules, clock }: ChangeNeeds, userId: string, to: (settings: Settings) => Settings): Promise<void> =>
  db.transaction().execute(async (tx: Tx) => {
    const settings = to(await settingsOf(tx, userId));
    await saveSettings(tx, userId, settings);
    const until = endOf(settings, clock.now());
    const notificationId = await holdUntil(tx, userId, until);
    if (notificationId !== null) await queue.send(tx, heldRelease, { notificationId }, { startAfter: until });
    await moveDigest({ schedules }, tx, userId);
  });

/** When what is held may go. */
const endOf = ({ quiet_from: from, quiet_to: to, time_zone: timeZone }: Settings, now: Date): Date =>
  (from !== null && to !== null && quietUntil({ from, to, timeZone }, now)) || now;
