import type { z } from 'zod';
import { listFallbackDevices } from '#features/toasts';
import { notify, type NotifyNeeds } from './notify.ts';
import type { Published, PublishRequest } from './schema.ts';

/** Publishes a toast for one user; one that reaches no socket becomes a push where nobody looks at any socket of the user. */
export async function publishToast(ctx: NotifyNeeds, request: PublishRequest): Promise<z.input<typeof Published>> {
  const { user_id: userId, topic, toast, dedupe_key: dedupeKey, collapse_key: collapseKey, ttl_ms: ttlMs, fallback_apns: fallsBack } = request;
  const others = fallsBack ? await listFallbackDevices(ctx.db, userId) : [];
  const told = await notify(ctx, {
    userId,
    preference: null,
    title: toast.title,
    body: toast.body ?? null,
    deeplink: toast.deeplink ?? null,
    data: { type: 'toast' },
    collapseKey: collapseKey ?? null,
    expiresAt: ttlMs ? new Date(ctx.clock.now().getTime() + ttlMs) : null,
    also: others.map(({ apns_device_token: token, apns_environment: environment }) => ({ token, environment })),
    wakes: fallsBack ? 'undelivered' : 'never',
    isUrgent: toast.priority === 'high',
    toast: { topic, toast, dedupeKey: dedupeKey ?? null, collapseKey: collapseKey ?? null, ttlMs: ttlMs ?? null },
  });
  const transport = told.toast?.outcome === 'delivered' ? 'websocket' : told.push === 'sent' ? 'push' : 'none';
  return { delivered: transport !== 'none', transport, session_count: told.toast?.sessionCount ?? 0 };
}
