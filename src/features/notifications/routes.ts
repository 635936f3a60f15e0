import { z } from 'zod';
import { publisher } from '#platform/http/guards/publisher.ts';
import { slug } from '#platform/http/guards/slug.ts';
import { forAll, OWN_LIMITS, perKey } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { webhookRoute } from '#platform/http/shapes/webhook.ts';
import { endQuietHours, setQuietHours } from './change-quiet-hours.ts';
import { rotateUrl, sendPersonal } from './personal-url.ts';
import { publishToast } from './publish-toast.ts';
import { MOST_PERSONAL_BYTES, Ok, PersonalUrl, Published, PublishRequest, QuietHoursAnswer, QuietHoursRequest, Success } from './schema.ts';
import { settingsOf } from './settings-store.ts';

/** @param secret what publishers present; undefined where none is configured */
export const publishRoute = (secret: string | undefined) =>
  route({
    method: 'POST',
    path: '/v1/toasts/publish',
    summary: 'Publish a toast for one user',
    guard: publisher(secret),
    limit: forAll(120),
    body: PublishRequest,
    responses: { 202: Published },
    async handle({ ctx, body }, reply) {
      return reply(202, await publishToast(ctx, body));
    },
  });

/** @param ownerOf whom the slug of a personal push URL stands for */
export const notifyRoutes = (ownerOf: (slug: string) => Promise<{ userId: string } | null>) => [
  route({
    method: 'GET',
    path: '/v1/notify/me',
    summary: 'A new personal push URL; the earlier one is void at once',
    limit: OWN_LIMITS.light,
    responses: { 200: PersonalUrl },
    async handle({ ctx, principal }, reply) {
      return reply(200, await rotateUrl(ctx, principal.userId), { 'cache-control': 'no-store' });
    },
  }),
  webhookRoute({
    path: '/v1/{slug}',
    summary: 'Push a text to the owner of the URL',
    guard: slug('slug', ownerOf),
    limit: perKey('params', 'slug', 3),
    params: z.object({ slug: z.string() }),
    consumes: 'text/plain',
    maxBytes: MOST_PERSONAL_BYTES,
    responses: { 200: Ok },
    async handle({ ctx, principal, raw }, reply) {
      await sendPersonal(ctx, principal.userId, raw);
      return reply(200, { ok: true });
    },
  }),
];

/** Ours: quiet hours, in which devices are woken by nothing but what is urgent. */
export const quietHoursRoutes = [
  route({
    method: 'GET',
    path: '/push-tokens/preferences/quiet-hours',
    summary: 'The user’s quiet hours; null where there are none',
    responses: { 200: QuietHoursAnswer },
    async handle({ ctx, principal }, reply) {
      const { quiet_from: from, quiet_to: to, time_zone, afterwards } = await settingsOf(ctx.db, principal.userId);
      return reply(200, { quiet_hours: from === null || to === null ? null : { from, to, time_zone, afterwards } });
    },
  }),
  route({
    method: 'PUT',
    path: '/push-tokens/preferences/quiet-hours',
    summary: 'Set quiet hours on the clock of the user’s time zone',
    limit: OWN_LIMITS.light,
    body: QuietHoursRequest,
    responses: { 200: QuietHoursAnswer },
    async handle({ ctx, principal, body }, reply) {
      await setQuietHours(ctx, principal.userId, body);
      return reply(200, { quiet_hours: body });
    },
  }),
  route({
    method: 'DELETE',
    path: '/push-tokens/preferences/quiet-hours',
    summary: 'End quiet hours',
    limit: OWN_LIMITS.light,
    responses: { 200: Success },
    async handle({ ctx, principal }, reply) {
      await endQuietHours(ctx, principal.userId);
      return reply(200, { success: true });
    },
  }),
];
