import { newId } from '#lib/ids.ts';
import { hasDevices, isEnabled, sendPush, type PreferenceId, type Push } from '#features/push';
import { deliverToast, foregroundAnywhere, takeForPush, type Delivery, type ToastOrder } from '#features/toasts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { planDigest } from './digest-schedule.ts';
import { heldRelease } from './events.ts';
import { insertNotification } from './notification-store.ts';
import { quietUntil } from './quiet-hours.ts';
import { settingsOf, type Settings } from './settings-store.ts';

/** Something that a user is to know. */
export type Notification = Omit<Push, 'silent' | 'toastId'> & {
  /** The project that it is about. */
  projectId?: string | null;
  /** Shown where the user is connected. */
  toast?: Omit<ToastOrder, 'userId'>;
  /** When devices are woken: `unwatched`, while nobody looks at any socket of the user; `undelivered`, when no socket got the toast either. */
  wakes: 'unwatched' | 'undelivered' | 'never';
  /** Wakes in quiet hours as well. */
  isUrgent?: boolean;
};

export type Told = {
  toast: Delivery | null;
  /** `held` until quiet hours end, or for the digest. */
  push: 'sent' | 'held' | 'none';
};

export type NotifyNeeds = Needs<'db' | 'presence' | 'relay' | 'clock' | 'queue' | 'schedules'>;

/**
 * Tells a user something: the one place that decides whether a device is woken, by where the user is, what they do without,
 * and their quiet hours.
 * @param claim counts the occasion as told in the transaction that does it, false when it was before; without it the toast's
 *   dedupe key alone tells repetitions apart
 */
export async function notify(ctx: NotifyNeeds, notification: Notification, claim?: (tx: Tx) => Promise<boolean>): Promise<Told> {
  const { userId, toast: order } = notification;
  const toast = order ? await deliverToast(ctx, { userId, ...order }) : null;
  if (toast?.outcome === 'repeated' && !claim) return { toast, push: 'none' };
  const isWatched = toast ? toast.foreground : await foregroundAnywhere(ctx, userId);
  return ctx.db.transaction().execute(async (tx): Promise<Told> => {
    if (claim && !(await claim(tx))) return { toast, push: 'none' };
    const occasion = { notification, toast };
    const wakes = !isWatched && mayWake(notification, toast) && (await isWanted(tx, notification));
    const hold = wakes ? holdOf(notification, await settingsOf(tx, userId), ctx.clock.now()) : null;
    if (hold) {
      await keep(ctx, tx, occasion, hold.until);
      return { toast, push: 'held' };
    }
    const push = wakes ? await wake(ctx, tx, occasion) : 'none';
    if (isTold(notification)) await keep(ctx, tx, occasion, null);
    return { toast, push };
  });
}

type Occasion = { notification: Notification; toast: Delivery | null };

const mayWake = ({ wakes }: Notification, toast: Delivery | null): boolean => {
  if (wakes === 'undelivered') return toast?.outcome === 'stored';
  return wakes === 'unwatched';
};

/** Whether the user has a device, and does not do without this. */
const isWanted = async (tx: Tx, { userId, preference, also = [] }: Notification): Promise<boolean> =>
  (preference === null || (await isEnabled(tx, userId, preference))) && hasDevices(tx, { userId, also });

/** Whether the digest counts it: what the user may be told of, except the digest itself. */
const isTold = ({ preference }: { preference: PreferenceId | null }): boolean => preference !== null && preference !== 'weekly_digest';

/** How a push is held now; null when it is not. `until` null: it joins the digest. */
function holdOf({ preference, isUrgent = false }: Notification, settings: Settings, now: Date): { until: Date | null } | null {
  const { quiet_from: from, quiet_to: to, time_zone: timeZone, afterwards } = settings;
  if (isUrgent || from === null || to === null) return null;
  const until = quietUntil({ from, to, timeZone }, now);
  if (!until) return null;
  // The digest cannot wait for itself.
  return { until: afterwards === 'digest' && preference !== 'weekly_digest' ? null : until };
}

async function wake(ctx: NotifyNeeds, tx: Tx, { notification, toast }: Occasion): Promise<Told['push']> {
  const { userId } = notification;
  // A socket that connects from now on is not sent what a device shows.
  const standsIn = toast?.outcome === 'stored' ? toast.toastId : null;
  if (standsIn !== null && !(await takeForPush({ db: tx, clock: ctx.clock }, userId, standsIn))) return 'none';
  const { devices } = await sendPush(ctx, { ...notification, toastId: standsIn }, tx);
  return devices > 0 ? 'sent' : 'none';
}

async function keep(ctx: NotifyNeeds, tx: Tx, { notification, toast }: Occasion, heldUntil: Date | null): Promise<void> {
  const { userId, projectId, preference, title, body, deeplink, data = {}, collapseKey, expiresAt, also = [] } = notification;
  const id = newId();
  await insertNotification(tx, {
    id,
    owner_id: userId,
    project_id: projectId ?? null,
    preference,
    message: { title, body: body ?? '', deeplink: deeplink ?? null, data, also: [...also] },
    collapse_key: collapseKey ?? null,
    toast_id: toast?.outcome === 'stored' ? toast.toastId : null,
    held_until: heldUntil,
    expires_at: expiresAt ?? null,
    created_at: ctx.clock.now(),
  });
  if (heldUntil) await ctx.queue.send(tx, heldRelease, { notificationId: id }, { startAfter: heldUntil });
  if (heldUntil === null || isTold(notification)) await planDigest(ctx, tx, userId);
}
