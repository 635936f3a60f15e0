import { z } from 'zod';
import { Timestamp } from '#platform/http/vocabulary.ts';

/** What a toast holds is bounded, because each one waits in memory for every socket that it goes to. */
const LONGEST = { title: 500, body: 4000, deeplink: 2000, word: 50, metadata: 16_384 } as const;

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a toast waits for whoever is not connected, where its publisher says nothing. */
export const STANDARD_TTL_MS = DAY_MS;
const LONGEST_TTL_MS = 30 * DAY_MS;

const Metadata = z
  .record(z.string(), z.unknown())
  .refine((metadata) => JSON.stringify(metadata).length <= LONGEST.metadata, `must be at most ${LONGEST.metadata} characters of JSON`);

/** A message that shows for some seconds. */
export const Toast = z.object({
  title: z.string().min(1).max(LONGEST.title),
  body: z.string().max(LONGEST.body).nullish(),
  style: z.string().min(1).max(LONGEST.word).default('info').describe('commonly `info`, `success`, `warning` or `error`'),
  priority: z.string().min(1).max(LONGEST.word).default('normal').describe('commonly `low`, `normal` or `high`'),
  duration_ms: z.int().min(0).max(DAY_MS).default(3000),
  deeplink: z.string().max(LONGEST.deeplink).nullish(),
  metadata: Metadata.nullish(),
});
export type Toast = z.output<typeof Toast>;

/** A topic as publishers and clients name it. */
export const Topic = z.string().min(1).max(200);

/** What `POST /v1/toasts/publish` takes of a toast's way, beside the toast. */
export const Publishing = {
  dedupe_key: z.string().min(1).max(200).nullish(),
  collapse_key: z.string().min(1).max(200).nullish(),
  ttl_ms: z.int().min(1).max(LONGEST_TTL_MS).nullish(),
};

export const ListedToast = z.object({
  id: z.uuid(),
  topic: z.string(),
  title: z.string(),
  body: z.string().nullable(),
  style: z.string(),
  priority: z.string(),
  deeplink: z.string().nullable(),
  created_at: Timestamp,
});

const DeviceId = z.string().min(1).max(200);
const BundleId = z.string().min(1).max(200);

export const SocketRequest = z.object({
  identity_jwt: z.string().max(16_384).nullish().describe('informational; not looked at'),
  device_id: DeviceId.nullish().describe('`service:<user_id>` when left out'),
  bundle_id: BundleId.nullish(),
  default_topics: z.array(Topic).max(100).nullish(),
});

export const SocketToken = z.object({ token: z.string(), ws_url: z.string(), expires_at: Timestamp, default_topics: z.array(z.string()) });

export const Device = z.object({
  device_id: DeviceId,
  bundle_id: BundleId.nullish(),
  apns: z
    .object({
      device_token: z.string().min(1).max(400).nullish(),
      environment: z.enum(['sandbox', 'production']).default('sandbox'),
      fallback_enabled: z.boolean().default(false),
    })
    .nullish(),
});
export type Device = z.output<typeof Device>;

export const RegisteredDevice = z.object({ registered: z.literal(true), device_id: z.string(), apns_fallback_enabled: z.boolean() });
