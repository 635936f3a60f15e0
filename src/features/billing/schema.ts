import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';

const Counts = { questions: z.number(), credits: z.number() };

export const Usage = z
  .object({
    period: z.object({ key: z.string().regex(/^\d{4}-\d{2}$/), resets_at: Timestamp }),
    tier: z.object({
      id: z.enum(['free', 'explorer', 'plus', 'pro', 'early_access']),
      product_id: z.string().nullable(),
      caps: z.object({ ...Counts, tts_minutes: z.number() }),
    }),
    used: z.object({ ...Counts, tts_seconds: z.number() }),
    remaining: z.object({ ...Counts, tts_minutes: z.number() }),
  })
  .meta({ id: 'Usage' });
export type Usage = z.input<typeof Usage>;

/** What the provider is answered; the first that fits. */
export const WebhookAnswer = z.union([
  z.object({ ok: z.literal(true), deferred: z.literal(true), reason: z.literal('internal_error') }),
  z.object({ ok: z.literal(true), audit_only: z.literal(true), type: z.string() }),
  z.object({ ok: z.literal(true) }),
]);
