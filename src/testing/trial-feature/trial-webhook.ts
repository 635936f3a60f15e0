import { z } from 'zod';
import { signature } from '#platform/http/guards/signature.ts';
import { forAll } from '#platform/http/route-limits.ts';
import { webhookRoute } from '#platform/http/shapes/webhook.ts';

/** What another service reports, signed. @param secret undefined where none is configured */
export const trialWebhook = (secret: string | undefined) =>
  webhookRoute({
    path: '/trial/webhook',
    summary: 'Takes a signed report',
    guard: signature({ name: 'trial', header: 'X-Trial-Signature', secret, unset: 'refuse' }),
    limit: forAll(600),
    maxBytes: 4096,
    body: z.object({ event: z.object({ id: z.string(), type: z.string() }) }),
    responses: { 200: z.object({ ok: z.literal(true), id: z.string(), bytes: z.int() }) },
    handle: async ({ body, raw }, reply) => reply(200, { ok: true, id: body.event.id, bytes: raw.length }),
  });
