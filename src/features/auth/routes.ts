import { unauthenticated } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import { route } from '#platform/http/route.ts';
import { isSessionOf } from './authenticator.ts';
import { rebindDevice, type Reown } from './rebind-device.ts';
import { Device, Rebound, Revoked, SessionToken } from './schema.ts';
import { anonymousOf } from './session-store.ts';
import type { Sessions } from './sessions.ts';

export const authRoutes = (sessions: Sessions, reownAll: readonly Reown[]) => [
  route({
    method: 'POST',
    path: '/auth/session',
    summary: 'Exchange an identity JWT for a session token',
    errors: [503],
    bearer: 'identity',
    responses: { 200: SessionToken },
    async handle({ principal }, reply) {
      return reply(200, await sessions.mint(principal));
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/session',
    summary: 'Revoke the session token that is presented',
    bearer: 'session',
    responses: { 200: Revoked },
    async handle({ principal }, reply) {
      if (!isSessionOf(principal)) throw unauthenticated('Invalid token: session token required');
      await sessions.revoke(principal.credential.id);
      return reply(200, { success: true });
    },
  }),
  route({
    method: 'POST',
    path: '/auth/anonymous',
    summary: 'Session token for a device without an account',
    auth: 'public',
    body: Device,
    bodyErrors: { status: 'invalid' },
    responses: { 200: SessionToken },
    async handle({ ctx, body }, reply) {
      const uuid = await anonymousOf(ctx.db, body.device_id, newId());
      return reply(200, await sessions.mint({ userId: `anon:${uuid}`, name: null, email: null }));
    },
  }),
  route({
    method: 'POST',
    path: '/auth/rebind',
    summary: "Take over a device's anonymous artifacts",
    errors: [409],
    body: Device,
    bodyErrors: { status: 'invalid', detail: 'device_id required' },
    responses: { 200: Rebound },
    async handle({ ctx, principal, body }, reply) {
      return reply(200, await rebindDevice(ctx, principal, body.device_id, reownAll));
    },
  }),
];
