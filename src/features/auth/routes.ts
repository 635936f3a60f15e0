import { unauthenticated } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import { everyone } from '#platform/http/guards/everyone.ts';
import { identity } from '#platform/http/guards/identity.ts';
import { session } from '#platform/http/guards/session.ts';
import { OWN_LIMITS, perIp } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { isSessionOf } from './authenticator.ts';
import { rebindDevice, type TransferOwnership } from './rebind-device.ts';
import { Device, Rebound, Revoked, SessionToken } from './schema.ts';
import { anonymousOf } from './session-store.ts';
import type { Sessions } from './sessions.ts';

/** @param anonymousPerMinute sign-ins without an account that one address may begin in a minute */
export const authRoutes = (sessions: Sessions, ownershipTransfers: readonly TransferOwnership[], anonymousPerMinute: number) => [
  route({
    method: 'POST',
    path: '/auth/session',
    summary: 'Exchange an identity JWT for a session token',
    errors: [503],
    guard: identity,
    limit: OWN_LIMITS.light,
    responses: { 200: SessionToken },
    async handle({ principal }, reply) {
      return reply(200, await sessions.mint(principal));
    },
  }),
  route({
    method: 'DELETE',
    path: '/auth/session',
    summary: 'Revoke the session token that is presented',
    guard: session,
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
    description:
      'The device id is a password: whoever sends it gets what the device made. Make a random one (a UUID) once, keep it, and send it nowhere else. Requests that come straight from the machine of the service are not counted.',
    guard: everyone,
    limit: { ...perIp(anonymousPerMinute), sparesThisMachine: true },
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
    description: 'The device id is a password: whoever is signed in and sends it gets what the device made, once and for good.',
    errors: [409],
    limit: OWN_LIMITS.work,
    body: Device,
    bodyErrors: { status: 'invalid', detail: 'device_id required' },
    responses: { 200: Rebound },
    async handle({ ctx, principal, body }, reply) {
      return reply(200, await rebindDevice(ctx, principal, body.device_id, ownershipTransfers));
    },
  }),
];
