import { z } from 'zod';
import { optional } from '#platform/http/guards/optional.ts';
import { perPrincipal } from '#platform/http/route-limits.ts';
import { uploadRoute } from '#platform/http/shapes/upload.ts';

/** A recording from anyone, signed in or not. */
export const trialUpload = uploadRoute({
  path: '/trial/recordings/{slug}',
  summary: 'Takes a recording',
  guard: optional,
  limit: perPrincipal(5, 'hour'),
  params: z.object({ slug: z.string().max(100) }),
  files: { audio: { maxBytes: 2 * 1024 * 1024, types: ['audio/wav', 'video/webm'] } },
  body: z.object({ note: z.string().max(200).optional() }),
  responses: { 200: z.object({ user_id: z.string().nullable(), type: z.string(), size: z.int(), note: z.string().nullable() }) },
  async handle({ principal, files: { audio }, body }, reply) {
    return reply(200, { user_id: principal?.userId ?? null, type: audio.type, size: (await audio.bytes()).length, note: body.note ?? null });
  },
});
