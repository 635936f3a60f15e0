import { z } from 'zod';
import { MOST_CREDITS } from '#platform/ports/billing-provider/port.ts';

const LONGEST_USER_ID = 255;

export const UserId = z.object({ user_id: z.string().min(1).max(LONGEST_USER_ID) });

export const Currencies = z.object({
  items: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      description: z.string(),
      product_grants: z.array(z.object({ product_id: z.string(), amount: z.number() })),
    }),
  ),
});

export const Balances = z.object({ balances: z.array(z.object({ code: z.string(), name: z.string(), balance: z.number() })) });

export const GrantCredits = z.object({
  amount: z.int().min(-MOST_CREDITS).max(MOST_CREDITS).describe('Not zero; negative deducts'),
  reason: z.string().min(3).max(500),
  currency_code: z.string().min(1).max(50).default('CRD'),
  idempotency_key: z.string().min(1).max(200).nullish(),
});

export const Granted = z.object({
  ok: z.literal(true),
  amount: z.int(),
  currency: z.string(),
  result: z.object({ transaction_id: z.string(), new_balance: z.number() }),
});
