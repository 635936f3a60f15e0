import { z } from 'zod';
import { Timestamp, wholeNumber } from '#platform/http/vocabulary.ts';

/** What users are told of, each of which they may do without. */
export const PreferenceId = z.enum(['research_complete', 'build_complete', 'signal_alert', 'weekly_digest']);
export type PreferenceId = z.output<typeof PreferenceId>;

export const LABELS: Record<PreferenceId, string> = {
  research_complete: 'Research completed',
  build_complete: 'Build plan ready',
  signal_alert: 'Signals of watched companies',
  weekly_digest: 'Weekly digest',
};

const DeviceToken = z.string().min(1).max(4096);
const Endpoint = z.url({ protocol: /^https?$/ }).max(2048);
const Key = z.string().regex(/^[\w-]{1,200}={0,2}$/, 'must be base64url');

/** As a browser's `PushSubscription.toJSON()` gives it. */
const Subscription = z.object({ endpoint: Endpoint, keys: z.object({ p256dh: Key, auth: Key }) });
export type Subscription = z.output<typeof Subscription>;

export const Registration = z.object({
  device_token: DeviceToken.optional().describe('required, unless there is `web_push`'),
  environment: z.enum(['production', 'development', 'sandbox']).default('production'),
  web_push: Subscription.optional().describe('The subscription of a browser, instead of a `device_token`.'),
});
export type Registration = z.output<typeof Registration>;

export const Removal = z.object({
  device_token: DeviceToken.optional().describe('required, unless there is `web_push`'),
  web_push: z.object({ endpoint: Endpoint }).optional(),
});
export type Removal = z.output<typeof Removal>;

export const Success = z.object({ success: z.literal(true) });

const Preference = z.object({ id: PreferenceId, label: z.string(), enabled: z.boolean() });
export type Preference = z.output<typeof Preference>;
export const PreferenceList = z.object({ preferences: z.array(Preference) });

export const PreferenceChange = z.object({ id: PreferenceId, enabled: z.boolean() });
export const PreferenceChanged = Success.extend({ id: PreferenceId, enabled: z.boolean() });
export const PreferenceReset = Success.extend({ id: PreferenceId, reset: z.literal(true) });

export const WebPushKey = z.object({ public_key: z.string() });

export const SentQuery = z.object({ limit: wholeNumber({ standard: 50, min: 1, max: 100 }) });
export const Sent = z.object({
  items: z.array(
    z.object({
      id: z.uuid(),
      title: z.string(),
      body: z.string(),
      deeplink: z.string().nullable(),
      via: z.string(),
      outcome: z.string(),
      reason: z.string().nullable(),
      created_at: Timestamp,
    }),
  ),
});
