import { z } from 'zod';
import type { Guard } from '#platform/http/guards/guard.ts';
import { queryToken } from '#platform/http/guards/query-token.ts';
import { perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { socketRoute } from '#platform/http/shapes/socket.ts';
import { wholeNumber } from '#platform/http/vocabulary.ts';
import { openSocketSession, REALTIME_PATH, type SocketCaller } from './open-socket-session.ts';
import { registerDevice } from './register-device.ts';
import { Device, ListedToast, RegisteredDevice, SocketRequest, SocketToken } from './schema.ts';
import { talkChannels } from './talk-channels.ts';
import { talkToasts } from './talk-toasts.ts';
import { listToasts } from './toast-store.ts';

/** Whom the token of a socket stands for; null where it does not hold. */
export type FindSocketCaller = (token: string) => Promise<SocketCaller | null>;

/** A token in the query; connecting renews the session behind it, and its end ends the socket. */
const socketToken = (find: FindSocketCaller): Guard<SocketCaller> => ({
  ...queryToken(find),
  watch: (caller, ended, auth) => auth.watch(caller, ended),
});

export const realtimeRoutes = (find: FindSocketCaller) => [
  route({
    method: 'POST',
    path: '/v1/sessions/toast-bootstrap',
    summary: 'Token for sockets',
    description:
      'The token opens sockets for 15 minutes. Topics of other users are left out: a caller may follow `user:<own id>`, what is below it, and whatever is no user’s. With none left it is `user:<own id>`.',
    limit: perUser(30),
    body: SocketRequest,
    emptyBody: 'allowed',
    responses: { 200: SocketToken },
    async handle({ ctx, principal, body }, reply) {
      const asked = { deviceId: body.device_id ?? null, bundleId: body.bundle_id ?? null, topics: body.default_topics ?? null };
      return reply(200, await openSocketSession(ctx, principal, asked));
    },
  }),
  socketRoute({
    path: REALTIME_PATH,
    summary: 'Toasts and control frames',
    description:
      'Frames are JSON: `connection_ack`, `toast`, `control`, `subscribed`, `unsubscribed`, `pong`, `error`. A client sends `subscribe` and `unsubscribe` with `topics`, `client_state` with `foreground_state`, and `ping` at least every 30 seconds.',
    guard: socketToken(find),
    connect: ({ ctx, principal, socket, signal }) => talkToasts(ctx, { caller: principal, socket, signal }),
  }),
  socketRoute({
    path: '/ws',
    summary: 'Events of a project, a brief or a build graph',
    description:
      'Same token. A client sends `{type: subscribe, channel: project | brief | build, id, after_seq}` and gets `{type: event, channel, id, seq, event, data}`: what came after that number, and then what comes.',
    guard: socketToken(find),
    connect: ({ ctx, principal, socket, signal }) => talkChannels(ctx, { caller: principal, socket, signal }),
  }),
];

export const toastRoutes = [
  route({
    method: 'POST',
    path: '/v1/devices/register-toast',
    summary: 'Register a device for toasts, and for pushes in their place',
    limit: perUser(30),
    body: Device,
    responses: { 200: RegisteredDevice },
    async handle({ ctx, principal, body }, reply) {
      return reply(200, await registerDevice(ctx, principal.userId, body));
    },
  }),
  route({
    method: 'GET',
    path: '/v1/toasts',
    summary: 'Toasts of the last 30 days, newest first',
    limit: perUser(60),
    query: z.object({ limit: wholeNumber({ standard: 50, min: 1, max: 200 }) }),
    responses: { 200: z.object({ items: z.array(ListedToast) }) },
    async handle({ ctx, principal, query }, reply) {
      return reply(200, { items: await listToasts(ctx.db, principal.userId, query.limit) });
    },
  }),
];
