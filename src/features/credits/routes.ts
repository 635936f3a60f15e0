import type { Actor } from '#platform/actor.ts';
import type { Guard } from '#platform/http/guards/guard.ts';
import { forAll } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { flag } from '#platform/http/vocabulary.ts';
import { z } from 'zod';
import { calling, grantCredits, requireProvider } from './grant-credits.ts';
import { Balances, Currencies, GrantCredits, Granted, UserId } from './schema.ts';

/** @param guard who operates the installation */
export const creditRoutes = (guard: Guard<Actor>) => [
  route({
    method: 'GET',
    path: '/admin/credits/currencies',
    summary: 'Currencies that credits are counted in',
    guard,
    limit: forAll(60),
    errors: [502, 503],
    responses: { 200: Currencies },
    async handle({ ctx, signal }, reply) {
      const currencies = await calling(requireProvider(ctx).listCurrencies(signal));
      const items = currencies.map(({ productGrants, ...currency }) => ({
        ...currency,
        product_grants: productGrants.map(({ productId, amount }) => ({ product_id: productId, amount })),
      }));
      return reply(200, { items });
    },
  }),
  route({
    method: 'GET',
    path: '/admin/credits/balances/{user_id}',
    summary: 'Credits of a user',
    guard,
    limit: forAll(120),
    errors: [502, 503],
    params: UserId,
    query: z.object({ include_empty: flag() }),
    responses: { 200: Balances },
    async handle({ ctx, params, query, signal }, reply) {
      const balances = await calling(requireProvider(ctx).listBalances(params.user_id, { includeEmpty: query.include_empty, signal }));
      return reply(200, { balances });
    },
  }),
  route({
    method: 'POST',
    path: '/admin/credits/{user_id}/grant',
    summary: 'Grant credits to a user, or deduct them',
    guard,
    limit: forAll(30),
    errors: [409, 502, 503],
    params: UserId,
    body: GrantCredits,
    responses: { 200: Granted },
    async handle({ ctx, params, body }, reply) {
      const { amount, reason, currency_code: currency } = body;
      const request = { userId: params.user_id, amount, reason, currency, idempotencyKey: body.idempotency_key ?? undefined };
      const { transactionId, newBalance } = await grantCredits(ctx, request);
      return reply(200, { ok: true, amount, currency, result: { transaction_id: transactionId, new_balance: newBalance } });
    },
  }),
];
