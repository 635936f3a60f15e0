import { newToken, sha256 } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { findToastSession, insertToastSession, type ToastSession } from './session-store.ts';
import { isAllowedTopic, ownTopicOf } from './topics.ts';

/** How long a token opens sockets. */
const SOCKET_TOKEN_MS = 15 * 60 * 1000;

export const REALTIME_PATH = '/api/v1/realtime';

/** Whom a socket's token stands for: the person, let in as whoever asked for the token was, and what they follow at first. */
export type SocketCaller = Principal & { topics: readonly string[] };

type Asked = { deviceId?: string | null; bundleId?: string | null; topics?: readonly string[] | null };

/** Hands out a token for sockets. Topics that the caller may not follow are left out; with none left it is their own. */
export async function openSocketSession(
  { db, config, clock }: Needs<'db' | 'config' | 'clock'>,
  { userId, credential }: Principal,
  { deviceId, bundleId, topics }: Asked,
) {
  const token = newToken();
  const allowed = [...new Set(topics ?? [])].filter((topic) => isAllowedTopic(userId, topic));
  const session: ToastSession = {
    token_hash: sha256(token),
    user_id: userId,
    device_id: deviceId ?? `service:${userId}`,
    bundle_id: bundleId ?? null,
    topics: allowed.length > 0 ? allowed : [ownTopicOf(userId)],
    session_id: credential.kind === 'session' ? credential.id : null,
    identity_expires_at: credential.kind === 'identity' ? credential.expiresAt : null,
    expires_at: new Date(clock.now().getTime() + SOCKET_TOKEN_MS),
  };
  await insertToastSession(db, session);
  return {
    token,
    ws_url: `${config.http.baseUrl.replace(/^http/, 'ws')}${REALTIME_PATH}`,
    expires_at: session.expires_at,
    default_topics: session.topics,
  };
}

/** Whom a token lets in; null when it is unknown, or when its time or that of the identity behind it is over. */
export async function findSocketCaller({ db, clock }: Needs<'db' | 'clock'>, token: string): Promise<SocketCaller | null> {
  const found = await findToastSession(db, sha256(token), clock.now());
  if (!found || (found.identity_expires_at && found.identity_expires_at <= clock.now())) return null;
  const { user_id: userId, topics } = found;
  return { userId, anonymous: userId.startsWith('anon:'), name: null, email: null, credential: credentialOf(found), topics };
}

/** Of a session only its end is not known here; whoever watches it asks for that first. */
function credentialOf({ session_id: id, identity_expires_at: end, expires_at: expiresAt }: ToastSession): Principal['credential'] {
  if (id !== null) return { kind: 'session', id, session: { expiresAt, revoked: false } };
  return { kind: 'identity', expiresAt: end ?? expiresAt };
}
