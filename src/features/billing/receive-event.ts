import type { Needs } from '#platform/context.ts';
import { recordEvent } from './event-store.ts';
import { billingEvent } from './events.ts';
import { handleEvent } from './handle-event.ts';
import { isStatusType, readProviderEvent } from './provider-event.ts';

/** `deferred` when it is recorded and will be worked later. */
export type Received = { outcome: 'handled' | 'deferred' } | { outcome: 'audit_only'; type: string };

/**
 * Takes what the provider reports: recorded first, with the job that works it should this process die, then worked.
 * @param raw the body, byte for byte
 * @throws AppError `malformed` when it is no JSON
 */
export async function receiveEvent(ctx: Needs<'db' | 'config' | 'log' | 'events' | 'queue' | 'clock'>, raw: Buffer): Promise<Received> {
  const event = readProviderEvent(raw, ctx.clock.now().getTime());
  await ctx.db.transaction().execute(async (tx) => {
    if (await recordEvent(tx, event, raw)) await ctx.queue.send(tx, billingEvent, { eventId: event.id });
  });
  try {
    await handleEvent(ctx, event.id);
  } catch (error) {
    ctx.log.error({ err: error, event: event.id, type: event.type }, 'a billing event could not be worked; it will be tried again');
    return { outcome: 'deferred' };
  }
  return isStatusType(event.type) ? { outcome: 'handled' } : { outcome: 'audit_only', type: event.type };
}
