import { newId } from '#lib/ids.ts';
import { shorten, truncate } from '#lib/text.ts';
import type { Needs } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { listDevices } from './device-store.ts';
import { pushDelivery, type OtherDevice, type PushJob } from './events.ts';
import { isEnabled } from './preference-store.ts';
import type { PreferenceId } from './schema.ts';

export type Push = {
  userId: string;
  /** What the user may do without; null: the user asked for just this one. */
  preference: PreferenceId | null;
  title: string;
  body?: string | null;
  deeplink?: string | null;
  /** What the app is told beside the texts, with its `type`. */
  data?: Readonly<Record<string, unknown>>;
  collapseKey?: string | null;
  expiresAt?: Date | null;
  /** Wakes the app and shows nothing. */
  silent?: boolean;
  /** Phones that are not registered for pushes, but for this one. */
  also?: readonly OtherDevice[];
  /** The toast that it stands in for; it is given back when no device could be reached. */
  toastId?: string | null;
};

/** Longer texts no device shows. */
const LONGEST = { title: 200, body: 2000 } as const;

/**
 * Queues a push to every device of a user, unless the user does without. Whether now is the time for it is for
 * `#features/notifications` to say; who calls this directly has decided it.
 * @param tx the caller's transaction, so that the push is queued if and only if it commits
 * @returns to how many devices it goes
 */
export async function sendPush({ db, queue }: Needs<'db' | 'queue'>, push: Push, tx: Db | Tx = db): Promise<{ devices: number }> {
  if (push.preference !== null && !(await isEnabled(tx, push.userId, push.preference))) return { devices: 0 };
  const devices = await devicesOf(tx, push);
  const pushId = newId();
  const message = messageOf(push);
  const same = { pushId, userId: push.userId, message, devices: devices.length, toastId: push.toastId ?? null };
  const jobs = devices.map((device): PushJob => ({ id: newId(), device, ...same }));
  await queue.sendAll(tx, pushDelivery, jobs);
  return { devices: jobs.length };
}

/** Whether a push would go anywhere. */
export const hasDevices = async (db: Db | Tx, push: Pick<Push, 'userId' | 'also'>): Promise<boolean> => (await devicesOf(db, push)).length > 0;

async function devicesOf(db: Db | Tx, { userId, also = [] }: Pick<Push, 'userId' | 'also'>): Promise<PushJob['device'][]> {
  const registered = await listDevices(db, userId);
  const tokens = new Set(registered.map(({ kind, address }) => (kind === 'apns' ? address : '')));
  return [...registered.map(({ id }) => ({ id })), ...also.filter(({ token }) => !tokens.has(token))];
}

const messageOf = ({ title, body, deeplink, data = {}, collapseKey, expiresAt, silent = false }: Push): PushJob['message'] => ({
  title: shorten(title, LONGEST.title),
  body: truncate(body ?? '', LONGEST.body),
  deeplink: deeplink ?? null,
  data,
  collapseKey: collapseKey ?? null,
  expiresAt: expiresAt ?? null,
  silent,
});
