import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { listDeliveries } from './delivery-store.ts';
import { preferencesOf, resetPreference, setPreference } from './preference-store.ts';
import { registerDevice, removeDevice } from './register-device.ts';
import {
  PreferenceChange,
  PreferenceChanged,
  PreferenceId,
  PreferenceList,
  PreferenceReset,
  Registration,
  Removal,
  Sent,
  SentQuery,
  Success,
  WebPushKey,
} from './schema.ts';

export const pushRoutes = [
  route({
    method: 'POST',
    path: '/push-tokens',
    summary: 'Register a device for pushes',
    description: 'A phone by its token at Apple, or a browser by its subscription (`web_push`). A device is its last owner’s alone.',
    limit: OWN_LIMITS.light,
    body: Registration,
    responses: { 200: Success },
    async handle({ ctx, principal, body }, reply) {
      await registerDevice(ctx, principal, body);
      return reply(200, { success: true });
    },
  }),
  route({
    method: 'DELETE',
    path: '/push-tokens',
    summary: 'Send no pushes to a device any more',
    limit: OWN_LIMITS.light,
    body: Removal,
    responses: { 200: Success },
    async handle({ ctx, principal, body }, reply) {
      await removeDevice(ctx, principal, body);
      return reply(200, { success: true });
    },
  }),
  route({
    method: 'GET',
    path: '/push-tokens/preferences',
    summary: 'What the user is told of',
    responses: { 200: PreferenceList },
    async handle({ ctx, principal }, reply) {
      return reply(200, { preferences: await preferencesOf(ctx.db, principal.userId) });
    },
  }),
  route({
    method: 'POST',
    path: '/push-tokens/preferences',
    summary: 'Be told of something, or do without',
    limit: OWN_LIMITS.light,
    body: PreferenceChange,
    responses: { 200: PreferenceChanged },
    async handle({ ctx, principal, body: { id, enabled } }, reply) {
      await setPreference(ctx.db, principal.userId, id, enabled);
      return reply(200, { success: true, id, enabled });
    },
  }),
  route({
    method: 'DELETE',
    path: '/push-tokens/preferences/{id}',
    summary: 'Put a preference back to enabled',
    errors: [404],
    limit: OWN_LIMITS.light,
    params: z.object({ id: z.string() }),
    responses: { 200: PreferenceReset },
    async handle({ ctx, principal, params }, reply) {
      const { data: id } = PreferenceId.safeParse(params.id);
      if (!id) throw notFound('Preference');
      await resetPreference(ctx.db, principal.userId, id);
      return reply(200, { success: true, id, reset: true });
    },
  }),
];

/** Ours: what browsers subscribe with, and what was pushed. */
export const pushExtensionRoutes = [
  route({
    method: 'GET',
    path: '/push-tokens/web-push-key',
    summary: 'The public key that browsers subscribe with (`applicationServerKey`)',
    responses: { 200: WebPushKey },
    async handle({ ctx }, reply) {
      return reply(200, { public_key: await ctx.push.webPushKey() });
    },
  }),
  route({
    method: 'GET',
    path: '/push-tokens/sent',
    summary: 'The last pushes to the user’s devices, and how they ended',
    description: 'Where no gateway is configured for a phone, its pushes are kept here (`recorded`) for a client that fetches them itself.',
    query: SentQuery,
    responses: { 200: Sent },
    async handle({ ctx, principal, query }, reply) {
      return reply(200, { items: await listDeliveries(ctx.db, principal.userId, query.limit) });
    },
  }),
];
