import type { Needs } from '#platform/context.ts';
import { clientTopicsOf, hubTopicOf } from './topics.ts';
import { putBack, takeWaiting, type ToastRow } from './toast-store.ts';

/** How often it is looked again for sockets that came while others left. */
const MOST_LOOKS = 5;

/**
 * Sends what waits of a user to the sockets that follow its topics. Whoever publishes stores first and calls this then,
 * whoever connects is known first and calls it then: one of the two sees the other, and what is taken is taken once.
 * @returns the toasts that went out, and to how many sockets
 */
export async function sendWaiting(ctx: Needs<'db' | 'presence' | 'relay' | 'clock'>, userId: string): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const sockets = await ctx.presence.topicsOf(userId);
    const topics = clientTopicsOf([...sockets.keys()]);
    const taken = topics.length > 0 ? await takeWaiting(ctx.db, userId, topics, ctx.clock.now()) : [];
    const tried = await Promise.allSettled(taken.map((toast) => send(ctx, userId, toast)));
    const missed: string[] = [];
    for (const [place, { id, topic }] of taken.entries()) {
      const outcome = tried[place];
      if (outcome?.status === 'fulfilled' && outcome.value) sent.set(id, sockets.get(hubTopicOf(topic)) ?? 1);
      else missed.push(id);
    }
    if (missed.length === 0) break;
    await putBack(ctx.db, userId, missed);
    for (const each of tried) if (each.status === 'rejected') throw each.reason;
    // The sockets have left; what is known of them is about to be taken back.
    await ctx.presence.settled();
  }
  return sent;
}

const send = ({ relay, clock }: Needs<'relay' | 'clock'>, userId: string, toast: ToastRow): Promise<boolean> =>
  relay.publish({ userId, topic: hubTopicOf(toast.topic) }, frameOf(toast), {
    waits: false,
    forMs: toast.expires_at.getTime() - clock.now().getTime(),
  });

const frameOf = (toast: ToastRow) => ({
  type: 'toast',
  toast: {
    id: toast.id,
    topic: toast.topic,
    title: toast.title,
    body: toast.body,
    style: toast.style,
    priority: toast.priority,
    duration_ms: toast.duration_ms,
    deeplink: toast.deeplink,
    metadata: toast.metadata,
    created_at: toast.created_at.toISOString(),
  },
});
