import { messageOf } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { PushLater, type PushOutcome, type PushTarget } from '#platform/ports/push-gateway/port.ts';
import { hasArrived, hasEnded, insertDelivery, type DeliveryRow } from './delivery-store.ts';
import { findDevice, forgetDevice, type DeviceRow } from './device-store.ts';
import type { OtherDevice, PushJob } from './events.ts';
import { keysPlace } from './register-device.ts';

/** What becomes of what others keep. */
export type PushFollowUp = {
  /** A phone that another feature knows takes no pushes any more, from `since` on. */
  forget(device: OtherDevice & { since: Date }): Promise<void>;
  /** A push that stood in for a toast has reached no device. */
  giveBack(userId: string, toastId: string): Promise<void>;
};

type DeliveryNeeds = Needs<'db' | 'push' | 'secrets' | 'clock'>;

/**
 * Sends one push to one device, and keeps how that ended.
 * @throws RetryLater at the moment that the vendor names, PushFailed
 */
export async function deliverPush(ctx: DeliveryNeeds, job: PushJob, signal: AbortSignal, { forget }: Pick<PushFollowUp, 'forget'>): Promise<void> {
  const { db, clock } = ctx;
  const { id, device, message } = job;
  // The process before may have gone between sending and ending its job.
  if (await hasEnded(db, id)) return;
  const row = 'id' in device ? await findDevice(db, device.id) : null;
  const target = 'id' in device ? row && targetOf(ctx, row) : { kind: 'apns' as const, ...device };
  if (!target) return;
  const now = clock.now();
  const keep = (outcome: DeliveryRow['outcome'], reason: string | null = null) =>
    insertDelivery(db, { ...aboutOf(ctx, job, target), outcome, reason });
  if (message.expiresAt && message.expiresAt <= now) return keep('expired');
  const sent = await send(ctx, job, target, signal);
  if (sent.outcome === 'gone') {
    if (row) await forgetDevice(db, row.id, sent.since ?? row.registered_at);
    if (!('id' in device)) await forget({ ...device, since: sent.since ?? now });
  }
  await keep(sent.outcome, 'reason' in sent ? sent.reason : null);
}

/** A push that was tried often enough; a toast that reached nobody by it waits for sockets again. */
export async function failPush(ctx: DeliveryNeeds, job: PushJob, error: unknown, { giveBack }: Pick<PushFollowUp, 'giveBack'>): Promise<void> {
  const target: Pick<PushTarget, 'kind'> = 'id' in job.device ? ((await findDevice(ctx.db, job.device.id)) ?? { kind: 'apns' }) : { kind: 'apns' };
  await insertDelivery(ctx.db, { ...aboutOf(ctx, job, target as PushTarget), outcome: 'failed', reason: messageOf(error) });
  if (job.toastId !== null && !(await hasArrived(ctx.db, job.pushId))) await giveBack(job.userId, job.toastId);
}

async function send({ push }: DeliveryNeeds, { id, message }: PushJob, target: PushTarget, signal: AbortSignal): Promise<PushOutcome> {
  try {
    return await push.send(target, message, { id, signal });
  } catch (error) {
    throw error instanceof PushLater ? new RetryLater(error.at, { cause: error }) : error;
  }
}

const aboutOf = ({ push }: Pick<DeliveryNeeds, 'push'>, { id, pushId, userId, message }: PushJob, target: PushTarget) => ({
  id,
  push_id: pushId,
  owner_id: userId,
  via: push.via(target),
  title: message.title,
  body: message.body,
  deeplink: message.deeplink,
});

function targetOf({ secrets }: Pick<DeliveryNeeds, 'secrets'>, { kind, address, environment, keys_sealed: sealed }: DeviceRow): PushTarget {
  if (kind === 'apns' || sealed === null) return { kind: 'apns', token: address, environment };
  return { kind, endpoint: address, ...(JSON.parse(secrets.open(sealed, keysPlace(address))) as { p256dh: string; auth: string }) };
}
