import { z } from 'zod';
import { sha256 } from '#lib/ids.ts';
import { readJson } from '#lib/read-json.ts';
import { AppError, malformed } from '#lib/errors.ts';

/** Subscription status by type of event; every other type is kept for audit alone. */
export const STATUS = {
  INITIAL_PURCHASE: 'active',
  RENEWAL: 'active',
  NON_RENEWING_PURCHASE: 'active',
  UNCANCELLATION: 'active',
  PRODUCT_CHANGE: 'active',
  CANCELLATION: 'active',
  EXPIRATION: 'expired',
  BILLING_ISSUE: 'in_billing_retry',
  SUBSCRIPTION_PAUSED: 'paused',
} as const;
export type StatusType = keyof typeof STATUS;
export type SubscriptionStatus = (typeof STATUS)[StatusType];

export const isStatusType = (type: string): type is StatusType => Object.hasOwn(STATUS, type);

/** What the provider reported, as far as it is used. */
export type ProviderEvent = {
  id: string;
  type: string;
  /** Milliseconds since 1970; when it was received, where the event itself does not say. */
  at: number;
  /** Names of the customer, best first. */
  customers: readonly string[];
  transferred: readonly string[];
  productId: string | undefined;
  /** Of the store: what all periods of a subscription share, and what this one has. */
  originalTransactionId: string | undefined;
  transactionId: string | undefined;
  /** Milliseconds since 1970; null where it never ends, undefined where the event does not say. */
  expiresAt: number | null | undefined;
};

const LONGEST_NAME = 255;
/** The end of the year 9999. */
const LATEST_MS = 253_402_300_799_999;

// What cannot be used counts as not said: an event is kept and answered whatever it holds.
const name = z.string().min(1).max(LONGEST_NAME).optional().catch(undefined);
const names = z.array(z.unknown()).optional().catch(undefined);
const moment = z.number().min(0).max(LATEST_MS).optional().catch(undefined);

const Reported = z.object({
  id: z.string().min(1).optional().catch(undefined),
  type: z.string().min(1).max(100).catch('UNKNOWN'),
  event_timestamp_ms: moment,
  app_user_id: name,
  original_app_user_id: name,
  aliases: names,
  transferred_from: names,
  transferred_to: names,
  product_id: name,
  original_transaction_id: name,
  transaction_id: name,
  expiration_at_ms: z.number().min(0).max(LATEST_MS).nullish().catch(undefined),
  grace_period_expiration_at_ms: moment.nullable().catch(null),
});

const Envelope = z.object({ event: Reported }).catch({ event: Reported.parse({}) });

/**
 * Reads what was sent.
 * @param receivedAt milliseconds since 1970
 * @throws AppError `malformed` when it is no JSON
 */
export function readProviderEvent(raw: Buffer, receivedAt: number): ProviderEvent {
  const { event } = Envelope.parse(jsonOf(raw));
  const grace = event.type === 'BILLING_ISSUE' ? event.grace_period_expiration_at_ms : undefined;
  return {
    id: idOf(event.id, raw),
    type: event.type,
    at: Math.trunc(event.event_timestamp_ms ?? receivedAt),
    customers: listed([event.app_user_id, event.original_app_user_id, ...(event.aliases ?? [])]),
    transferred: listed([...(event.transferred_from ?? []), ...(event.transferred_to ?? [])]),
    productId: event.product_id,
    originalTransactionId: event.original_transaction_id,
    transactionId: event.transaction_id,
    expiresAt: grace ?? event.expiration_at_ms,
  };
}

/** Names that may stand for a user, each once. */
const listed = (candidates: readonly unknown[]): string[] => [...new Set(candidates.flatMap((one) => name.parse(one) ?? []))];

/** An event without an id, or with one that no index takes, is known by its bytes. */
const idOf = (id: string | undefined, raw: Buffer): string => {
  if (id === undefined) return `bytes:${sha256(raw.toString('base64'))}`;
  return id.length <= LONGEST_NAME ? id : `id:${sha256(id)}`;
};

function jsonOf(raw: Buffer): unknown {
  try {
    return readJson(raw.toString('utf8'));
  } catch (error) {
    throw error instanceof AppError ? error : malformed('The body must be JSON');
  }
}
