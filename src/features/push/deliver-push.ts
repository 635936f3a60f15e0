import { messageOf } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { PushLater, type PushOutcome, type PushTarget } from '#platform/ports/push-gateway/port.ts';
import { hasEnded, insertDelivery, isLost, lockPush } from './delivery-store.ts';
import { findDevice, forgetDevice, type DeviceRow } from './device-store.ts';
import type { OtherDevice, PushJob } from './events.ts';
import { keysPlace } from './register-device.ts';

/** What becomes of what others keep. */
export type PushFollowUp = {
  /** A phone that another feature knows takes no pushes any more, from `since` on. */
  forget(device: OtherDevice & { since: Date }): Promise<void>;
  /** A push that stood in for a toast has reached no device: the toast waits again, once `tx` commits. Called once for each. */
  giveBack(tx: Tx, userId: string, toastId: string): Promise<void>;
  /** A toast of a user waits again. */
  waitsAgain(userId: string): Promise<void>;
};

type DeliveryNeeds = Needs<'db' | 'push' | 'secrets' | 'clock'>;
type Ended = PushOutcome | { outcome: 'expired' | 'failed'; reason: string | null };

/**
 * Sends one push to one device, and keeps how that ended.
 * @throws RetryLater at the moment that the vendor names, PushFailed
 */
export async function deliverPush(ctx: DeliveryNeeds, job: PushJob, signal: AbortSignal, followUp: PushFollowUp): Promise<void> {
  const { db } = ctx;
  const { device } = job;
  // The process before may have gone between sending and ending its job.
  if (await hasEnded(db, job.id)) return;
  const row = 'id' in device ? await findDevice(db, device.id) : null;
  const target = 'id' in device ? row && targetOf(ctx, row) : { kind: 'apns' as const, ...device };
  if (!target) return end(ctx, job, { outcome: 'gone', since: null, reason: 'not registered any more' }, followUp);
  const ended = await send(ctx, job, target, signal);
  if (ended.outcome === 'gone') {
    if (row) await forgetDevice(db, row.id, ended.since ?? row.registered_at);
    else if ('token' in device) await followUp.forget({ ...device, since: ended.since ?? ctx.clock.now() });
  }
  await end(ctx, job, ended, followUp, row?.kind);
}

/** A push that was tried often enough. */
export async function failPush(ctx: DeliveryNeeds, job: PushJob, error: unknown, followUp: PushFollowUp): Promise<void> {
  const row = 'id' in job.device ? await findDevice(ctx.db, job.device.id) : null;
  await end(ctx, job, { outcome: 'failed', reason: messageOf(error) }, followUp, row?.kind);
}

async function send({ push, clock }: DeliveryNeeds, { id, message }: PushJob, target: PushTarget, signal: AbortSignal): Promise<Ended> {
  if (message.expiresAt && message.expiresAt <= clock.now()) return { outcome: 'expired', reason: null };
  try {
    return await push.send(target, message, { id, signal });
  } catch (error) {
    throw error instanceof PushLater ? new RetryLater(error.at, { cause: error }) : error;
  }
}

/** Keeps how it ended; a toast whose push has reached nobody waits for sockets again. */
async function end(ctx: DeliveryNeeds, job: PushJob, ended: Ended, followUp: PushFollowUp, kind: PushTarget['kind'] = 'apns'): Promise<void> {
  const { id, pushId, userId, message, devices, toastId } = job;
  const delivery = {
    id,
    push_id: pushId,
    owner_id: userId,
    via: ctx.push.via(kind),
    title: message.title,
    body: message.body,
    deeplink: message.deeplink,
    outcome: ended.outcome,
    reason: 'reason' in ended ? ended.reason : null,
  };
  const isGivenBack = await ctx.db.transaction().execute(async (tx) => {
    await lockPush(tx, pushId);
    const isLast = (await insertDelivery(tx, delivery)) && toastId !== null && (await isLost(tx, pushId, devices));
    if (isLast) await followUp.giveBack(tx, userId, toastId);
    return isLast;
  });
  if (isGivenBack) await followUp.waitsAgain(userId);
}

function targetOf({ secrets }: Pick<DeliveryNeeds, 'secrets'>, { kind, address, environment, keys_sealed: sealed }: DeviceRow): PushTarget {
  if (kind === 'apns' || sealed === null) return { kind: 'apns', token: address, environment };
  return { kind, endpoint: address, ...(JSON.parse(secrets.open(sealed, keysPlace(address))) as { p256dh: string; auth: string }) };
}
