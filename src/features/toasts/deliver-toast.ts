import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Db, Tx } from '#platform/db/database.ts';
import { STANDARD_TTL_MS, type Toast } from './schema.ts';
import { sendWaiting } from './send-waiting.ts';
import {
  findByDedupeKey,
  findToast,
  insertToast,
  keepNewestWaiting,
  lockToastsOf,
  putBack,
  replaceWaiting,
  takeOne,
  type NewToast,
} from './toast-store.ts';

/** A toast for one user. */
export type ToastOrder = {
  userId: string;
  topic: string;
  toast: Toast;
  /** The same one again within a day is neither stored nor sent. */
  dedupeKey?: string | null;
  /** Takes the place of one that still waits. */
  collapseKey?: string | null;
  /** How long it is of use, in milliseconds. */
  ttlMs?: number | null;
};

export type Delivery = {
  /** `delivered` to sockets; `stored`, for whoever connects in time; `repeated`, as its key was used within a day. */
  outcome: 'delivered' | 'stored' | 'repeated';
  /** The sockets that it went to. */
  sessionCount: number;
  /** Whether somebody looks at any socket of the user. */
  foreground: boolean;
  /** Of a repeated one: the toast that was there before. */
  toastId: string;
};

/** Toasts that wait for one user. */
const MOST_WAITING = 100;
const DEDUPE_MS = 24 * 60 * 60 * 1000;

type DeliveryNeeds = Needs<'db' | 'presence' | 'relay' | 'clock'>;

/** Keeps a toast and sends it to the user's sockets that follow its topic, on whichever nodes they are. It makes no push. */
export async function deliverToast(ctx: DeliveryNeeds, order: ToastOrder): Promise<Delivery> {
  const toast = toastOf(order, ctx.clock.now());
  const earlier = await ctx.db.transaction().execute((tx) => keep(tx, toast));
  const found = async (outcome: Delivery['outcome'], toastId: string, sessionCount: number): Promise<Delivery> => ({
    outcome,
    toastId,
    sessionCount,
    foreground: await foregroundAnywhere(ctx, order.userId),
  });
  if (earlier !== null) return found('repeated', earlier, 0);
  const sent = await sendWaiting(ctx, order.userId);
  const sockets = sent.get(toast.id);
  if (sockets !== undefined) return found('delivered', toast.id, sockets);
  // A socket that connected meanwhile took it along.
  const now = await findToast(ctx.db, order.userId, toast.id);
  return now?.sent_at && !now.replaced ? found('delivered', toast.id, 1) : found('stored', toast.id, 0);
}

/** Whether somebody looks at any socket of the user, on whichever node. */
export async function foregroundAnywhere({ presence }: Needs<'presence'>, userId: string): Promise<boolean> {
  return (await presence.of(userId)).foreground > 0;
}

/**
 * Takes a stored toast for a push, so that no socket is sent it afterwards; false when one was before, or when its time is
 * over. A push that fails gives it back.
 */
export const takeForPush = ({ db, clock }: Needs<'clock'> & { db: Db | Tx }, userId: string, toastId: string): Promise<boolean> =>
  takeOne(db, userId, toastId, clock.now());

/** A toast that was taken for a push and did not become one waits for sockets again; `sendWaiting` has those that are there get it. */
export const giveBack = (tx: Tx, userId: string, toastId: string): Promise<void> => putBack(tx, userId, [toastId]);

/** Stores a toast that is no repetition; gives the id of the one that it repeats. */
async function keep(tx: Tx, toast: NewToast): Promise<string | null> {
  await lockToastsOf(tx, toast.user_id);
  if (toast.dedupe_key !== null) {
    const since = new Date(toast.created_at.getTime() - DEDUPE_MS);
    const earlier = await findByDedupeKey(tx, toast.user_id, toast.dedupe_key, since);
    if (earlier) return earlier.id;
  }
  if (toast.collapse_key !== null) await replaceWaiting(tx, toast.user_id, toast.collapse_key, toast.created_at);
  await insertToast(tx, toast);
  await keepNewestWaiting(tx, toast.user_id, MOST_WAITING, toast.created_at);
  return null;
}

const toastOf = ({ userId, topic, toast, dedupeKey = null, collapseKey = null, ttlMs }: ToastOrder, now: Date): NewToast => ({
  id: newId(),
  user_id: userId,
  topic,
  title: toast.title,
  body: toast.body ?? null,
  style: toast.style,
  priority: toast.priority,
  duration_ms: toast.duration_ms,
  deeplink: toast.deeplink ?? null,
  metadata: toast.metadata ?? null,
  dedupe_key: dedupeKey,
  collapse_key: collapseKey,
  created_at: now,
  expires_at: new Date(now.getTime() + (ttlMs ?? STANDARD_TTL_MS)),
});
