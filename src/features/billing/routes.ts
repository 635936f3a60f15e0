import { unauthenticated } from '#lib/errors.ts';
import type { BillingConfig } from '#platform/config/billing.ts';
import { every } from '#platform/http/guards/every.ts';
import { sharedSecret } from '#platform/http/guards/shared-secret.ts';
import { signature } from '#platform/http/guards/signature.ts';
import { forAll, perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { webhookRoute } from '#platform/http/shapes/webhook.ts';
import { readUsage } from './read-usage.ts';
import { receiveEvent } from './receive-event.ts';
import { Usage, WebhookAnswer } from './schema.ts';

export const usageRoutes = [
  route({
    method: 'GET',
    path: '/v1/usage',
    summary: 'What was used this month, and what is left',
    limit: perUser(120),
    responses: { 200: Usage },
    handle: async ({ ctx, principal }, reply) => reply(200, await readUsage(ctx, principal.userId)),
  }),
];

/** Who knows the bearer and, where one is configured, the secret that signs the bytes. Nobody while no bearer is configured. */
const billingProvider = ({ webhookSecret, signingSecret }: Pick<BillingConfig, 'webhookSecret' | 'signingSecret'>) =>
  every(
    sharedSecret({
      name: 'billing',
      description: 'Of the billing provider.',
      auth: 'webhook',
      secret: webhookSecret,
      actor: { kind: 'webhook', userId: null, source: 'billing' },
      unset: unauthenticated('Invalid token'),
      refusals: [401],
    }),
    signature({ name: 'billing_signature', header: 'X-Billing-Signature', secret: signingSecret, unset: 'skip' }),
  );

export const billingRoutes = (secrets: Pick<BillingConfig, 'webhookSecret' | 'signingSecret'>) => [
  webhookRoute({
    path: '/api/v1/billing/rc-webhook',
    summary: 'Takes what the billing provider reports',
    description:
      'A JSON object whose `event` has `id`, `type`, `event_timestamp_ms`, `app_user_id`, `product_id`, `expiration_at_ms`. Whatever is JSON is recorded and answered 200.',
    guard: billingProvider(secrets),
    limit: forAll(600),
    responses: { 200: WebhookAnswer },
    async handle({ ctx, raw }, reply) {
      const received = await receiveEvent(ctx, raw);
      switch (received.outcome) {
        case 'handled':
          return reply(200, { ok: true });
        case 'deferred':
          return reply(200, { ok: true, deferred: true, reason: 'internal_error' });
        case 'audit_only':
          return reply(200, { ok: true, audit_only: true, type: received.type });
      }
    },
  }),
];
