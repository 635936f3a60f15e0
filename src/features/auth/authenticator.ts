import { unauthenticated } from '#lib/errors.ts';
import { bearerOf } from '#platform/http/guards/bearer.ts';
import { type Authenticator, NoCredential } from '#platform/http/guards/guard.ts';
import type { Principal } from '#platform/principal.ts';
import type { Identity } from './identity.ts';
import type { Sessions } from './sessions.ts';

// The longest delay a timer takes; a later end is looked at again then.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Bearers: an opaque session token first, then an RS256 identity token. A session token never holds a dot, a JWT always does. */
export function authenticator(sessions: Sessions, identity: Identity, now: () => Date): Authenticator {
  return {
    authenticate: async (authorization, accept) => {
      const token = bearerOf(authorization);
      if (token === null) throw new NoCredential('Missing Bearer token');
      const isJwt = token.includes('.');
      if (accept === 'identity' && !isJwt) throw unauthenticated('Invalid token: identity JWT required');
      if (accept === 'session' && isJwt) throw unauthenticated('Invalid token: session token required');
      return isJwt ? identity.verify(token) : sessions.principalOf(token);
    },
    watch: async (principal, ended) => {
      const { credential } = principal;
      if (credential.kind === 'identity')
        return endAt(
          () => credential.expiresAt,
          async () => false,
          ended,
          now,
        );
      const { id, session } = credential;
      if (!(await sessions.extend(id, session))) throw unauthenticated('Token expired');
      const stillLive = () => sessions.isLive(id, session);
      const stopTimer = endAt(() => session.expiresAt, stillLive, ended, now);
      const stopListening = sessions.onChange(id, () => {
        stillLive().then((live) => live || ended(), ended);
      });
      return () => {
        stopTimer();
        stopListening();
      };
    },
  };
}

function endAt(when: () => Date, stillLive: () => Promise<boolean>, ended: () => void, now: () => Date): () => void {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const arm = () => {
    if (stopped) return;
    const left = Math.min(LONGEST_TIMER_MS, Math.max(0, when().getTime() - now().getTime()));
    timer = setTimeout(look, left);
    timer.unref();
  };
  // The end may have moved: another stream of the same session renewed it.
  const look = () => {
    if (when() > now()) return arm();
    stillLive().then((live) => (live ? arm() : ended()), ended);
  };
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

export const isSessionOf = (principal: Principal): principal is Principal & { credential: { kind: 'session' } } =>
  principal.credential.kind === 'session';
