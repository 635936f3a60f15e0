import { z } from 'zod';

export const SESSION_SECONDS = 1800;

export const SessionToken = z.object({ token: z.string(), expires_in: z.literal(SESSION_SECONDS) });

export const Device = z.object({
  device_id: z
    .string()
    .min(1)
    .max(200)
    // An example that works would become everybody's password.
    .meta({ description: 'a long random text that only this device knows, such as a UUID', examples: [''] }),
});

export const Revoked = z.object({ success: z.literal(true) });

export const Rebound = z.object({ rebound: z.boolean(), rows_updated: z.int(), anon_uuid: z.string().nullable() });
