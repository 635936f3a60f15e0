import { UsageChanged } from '#features/billing';
import { AppError, conflict, malformed, unavailable, upstream } from '#lib/errors.ts';
import { newId, stableId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { BillingFailure, UnknownCustomer, type BillingProvider } from '#platform/ports/billing-provider/port.ts';
import { beginGrant, settleGrant, type Grant } from './credit-store.ts';

/** @property idempotencyKey asked again under it, the grant is not made again */
export type GrantRequest = Omit<Grant, 'id'> & { idempotencyKey: string | undefined };

/** Whoever asked may be gone by then; the grant is seen through. */
const LONGEST_MS = 60_000;

/**
 * Adds to a user's credits, or takes from them.
 * @throws AppError 400 for an amount of zero, 404 for an unknown customer, 409 for a key of another grant, 502, 503
 */
export async function grantCredits(
  ctx: Needs<'db' | 'billing' | 'events'>,
  { idempotencyKey, ...request }: GrantRequest,
): Promise<{ transactionId: string; newBalance: number }> {
  if (request.amount === 0) throw malformed('amount_must_be_nonzero');
  const provider = requireProvider(ctx);
  const { userId, currency, amount } = request;
  const id = idempotencyKey === undefined ? newId() : stableId(`grant ${JSON.stringify([userId, idempotencyKey])}`);
  const begun = await beginGrant(ctx.db, { id, ...request });
  if (begun.amount !== amount || begun.currency !== currency) throw conflict('The idempotency_key was used for a different grant');
  const outcome = begun.newBalance ?? (await calling(provider.adjust({ id, userId, currency, amount }, AbortSignal.timeout(LONGEST_MS))));
  const newBalance = await ctx.db.transaction().execute(async (tx) => {
    await ctx.events.publish(tx, UsageChanged, { userId, reason: 'admin_grant' });
    return settleGrant(tx, id, outcome);
  });
  return { transactionId: id, newBalance };
}

/** @throws AppError 503 where no provider is configured */
export function requireProvider({ billing }: Needs<'billing'>): BillingProvider {
  if (!billing) throw unavailable('billing_provider_unconfigured');
  return billing;
}

/** What a provider answers, its failures in the interface's words. */
export async function calling<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof UnknownCustomer) throw new AppError('not_found', 'rc_customer_not_found');
    if (error instanceof BillingFailure) throw upstream(`rc_call_failed: ${error.type}`, error);
    throw error;
  }
}
