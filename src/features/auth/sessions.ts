import { unauthenticated } from '#lib/errors.ts';
import { newToken, sha256 } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal, SessionState } from '#platform/principal.ts';
import { SESSION_SECONDS } from './schema.ts';
import { extendSession, findSession, insertSession, markRevoked } from './session-store.ts';

type MintedToken = { token: string; expires_in: typeof SESSION_SECONDS };

export type Sessions = {
  mint(who: { userId: string; name: string | null; email: string | null }): Promise<MintedToken>;
  /** @throws AppError 401 with the interface's texts */
  principalOf(token: string): Promise<Principal>;
  /** Renews a session at the moment it connects to a stream; null when it ended meanwhile. */
  extend(id: string, state: SessionState): Promise<Date | null>;
  /** Reads the session again; false when it is over. */
  isLive(id: string, state: SessionState): Promise<boolean>;
  revoke(id: string): Promise<void>;
  onChange(id: string, changed: () => void): () => void;
};

const CACHED_AT_MOST = 10_000;
const topic = (id: string): string => `x:${id}`;

/**
 * Opaque session tokens, stored as hashes.
 *
 * A session that was read is kept in memory for as long as this process is told of revocations; when that connection is
 * interrupted, every request reads the table again.
 */
export function openSessions({ db, wakeups, clock }: Needs<'db' | 'wakeups' | 'clock'>): Sessions {
  const cache = new Map<string, { principal: Principal; state: SessionState; detach: () => void }>();

  const forget = (id: string) => {
    cache.get(id)?.detach();
    cache.delete(id);
  };
  const refresh = async (id: string, state: SessionState) => {
    const row = await findSession(db, id);
    if (row) state.expiresAt = row.expiresAt;
    if (!row || row.revoked) state.revoked = true;
  };
  /** The row as it is after the last change that was told while it was read. */
  const readSteadily = async (id: string) => {
    let changed = true;
    const detach = wakeups.on(topic(id), () => (changed = true));
    try {
      let row: Awaited<ReturnType<typeof findSession>> = null;
      while (changed) {
        changed = false;
        row = await findSession(db, id);
      }
      return row;
    } finally {
      detach();
    }
  };
  const remember = (id: string, principal: Principal, state: SessionState) => {
    if (!wakeups.live() || cache.has(id)) return;
    const oldest = cache.keys().next().value;
    if (cache.size >= CACHED_AT_MOST && oldest !== undefined) forget(oldest);
    const detach = wakeups.on(topic(id), () => {
      forget(id);
      refresh(id, state).catch(() => (state.revoked = true));
    });
    cache.set(id, { principal, state, detach });
  };

  return {
    mint: async (who) => {
      const token = newToken();
      const expiresAt = new Date(clock.now().getTime() + SESSION_SECONDS * 1000);
      await insertSession(db, { ...who, tokenHash: sha256(token), expiresAt });
      return { token, expires_in: SESSION_SECONDS };
    },
    principalOf: async (token) => {
      const id = sha256(token);
      const kept = cache.get(id);
      if (kept && !kept.state.revoked && kept.state.expiresAt > clock.now()) return kept.principal;
      forget(id);
      const row = await readSteadily(id);
      if (!row) throw unauthenticated('Invalid token: unknown session token');
      if (row.revoked) throw unauthenticated('Invalid token: the session was revoked');
      if (row.expiresAt <= clock.now()) throw unauthenticated('Token expired');
      const session: SessionState = { expiresAt: row.expiresAt, revoked: false };
      const principal: Principal = {
        userId: row.userId,
        anonymous: row.userId.startsWith('anon:'),
        name: row.name,
        email: row.email,
        credential: { kind: 'session', id, session },
      };
      remember(id, principal, session);
      return principal;
    },
    extend: async (id, state) => {
      const now = clock.now();
      const end = await extendSession(db, id, now, new Date(now.getTime() + SESSION_SECONDS * 1000));
      if (end) state.expiresAt = end;
      return end;
    },
    isLive: async (id, state) => {
      await refresh(id, state);
      return !state.revoked && state.expiresAt > clock.now();
    },
    revoke: async (id) => {
      await markRevoked(db, id, clock.now());
      const kept = cache.get(id);
      if (kept) kept.state.revoked = true;
      forget(id);
      await wakeups.notify(topic(id));
    },
    onChange: (id, changed) => wakeups.on(topic(id), changed),
  };
}
