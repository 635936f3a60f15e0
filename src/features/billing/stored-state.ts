import { z } from 'zod';
import { defineDocument } from '#platform/documents/define-document.ts';

const moment = z.number();
const Correction = z.object({
  productId: z.string().nullable(),
  transactionId: z.string().nullable(),
  status: z.enum(['active', 'expired', 'in_billing_retry', 'paused']),
  entitled: z.boolean(),
  expiresAt: moment.nullable(),
  willRenew: z.boolean(),
});

const State = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reconciled'), corrections: z.array(Correction) }),
  z.object({ kind: z.literal('lapsed'), transactionId: z.string().nullable(), productId: z.string().nullable(), expiresAt: moment }),
]);
export type FoundState = z.output<typeof State>;

/** What the service itself found out about a user's subscriptions; it stands in the log of the provider's events. */
export const storedState = defineDocument('found subscription state', State, { version: 1 });
