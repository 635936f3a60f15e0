import { sendPush } from '#features/push';
import { foregroundAnywhere, takeForPush } from '#features/toasts';
import type { Tx } from '#platform/db/database.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { deletePushed, findNotification, takeHeld, type NotificationRow } from './notification-store.ts';
import type { NotifyNeeds } from './notify.ts';

/**
 * Sends what was held for the owner of a notification and may go now; whoever looks by now has seen it.
 * @throws RetryLater where the quiet hours end later by now, or the clock of this process is behind that of the queue
 */
export async function releaseHeld(ctx: NotifyNeeds, { notificationId }: { notificationId: string }): Promise<void> {
  const { db, clock } = ctx;
  const held = await findNotification(db, notificationId);
  const now = clock.now();
  if (!held?.held_until) return;
  if (held.held_until > now) throw new RetryLater(held.held_until);
  const isWatched = await foregroundAnywhere(ctx, held.owner_id);
  await db.transaction().execute(async (tx) => {
    const taken = await takeHeld(tx, held.owner_id, now);
    if (!isWatched) for (const row of taken) await push(ctx, tx, row);
    await deletePushed(
      tx,
      taken.flatMap(({ id, preference }) => (preference === null || preference === 'weekly_digest' ? [id] : [])),
    );
  });
}

async function push(ctx: NotifyNeeds, tx: Tx, row: NotificationRow): Promise<void> {
  const { owner_id: userId, toast_id: toastId, message, preference, collapse_key: collapseKey, expires_at: expiresAt } = row;
  if (expiresAt && expiresAt <= ctx.clock.now()) return;
  // A socket has shown it meanwhile.
  if (toastId !== null && !(await takeForPush({ db: tx, clock: ctx.clock }, userId, toastId))) return;
  await sendPush(ctx, { userId, preference, ...message, collapseKey, expiresAt, toastId }, tx);
}
