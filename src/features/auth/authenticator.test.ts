import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Principal, SessionState } from '#platform/principal.ts';
import { authenticator } from './authenticator.ts';
import type { Identity } from './identity.ts';
import type { Sessions } from './sessions.ts';

const MINUTE = 60_000;
const now = () => new Date();
const noIdentity = {} as Identity;

/** Sessions whose row is what `state` says. */
function sessionsWith(state: SessionState) {
  let changed: () => void = () => {};
  const detached = vi.fn();
  const sessions = {
    extend: async (_id: string, session: SessionState) => (state.revoked ? null : (session.expiresAt = new Date(Date.now() + 30 * MINUTE))),
    isLive: async () => !state.revoked && state.expiresAt > new Date(),
    onChange: (_id: string, callback: () => void) => {
      changed = callback;
      return detached;
    },
  } as unknown as Sessions;
  return { sessions, change: () => changed(), detached };
}

const principalWith = (credential: Principal['credential']): Principal => ({ userId: 'u', anonymous: false, name: null, email: null, credential });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('watching a stream’s session', () => {
  function watched() {
    const state: SessionState = { expiresAt: new Date(Date.now() + MINUTE), revoked: false };
    const { sessions, change, detached } = sessionsWith(state);
    const ended = vi.fn();
    const stop = authenticator(sessions, noIdentity, now).watch(principalWith({ kind: 'session', id: 'x', session: state }), ended);
    return { state, change, detached, ended, stop };
  }

  it('renews it at the start and ends the stream when that time is over [R131 R138 R139]', async () => {
    const { ended, stop } = watched();
    await stop;
    await vi.advanceTimersByTimeAsync(30 * MINUTE - 1000);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toHaveBeenCalledTimes(1);
  });

  it('goes on when another stream of the session renewed it meanwhile [R138]', async () => {
    const { state, ended, stop } = watched();
    await stop;
    await vi.advanceTimersByTimeAsync(20 * MINUTE);
    state.expiresAt = new Date(Date.now() + 30 * MINUTE);
    await vi.advanceTimersByTimeAsync(29 * MINUTE);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2 * MINUTE);
    expect(ended).toHaveBeenCalled();
  });

  it('ends the stream at once when it was revoked, and not on other changes [R139]', async () => {
    const { state, change, ended, stop } = watched();
    await stop;
    change();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).not.toHaveBeenCalled();
    state.revoked = true;
    change();
    await vi.advanceTimersByTimeAsync(0);
    expect(ended).toHaveBeenCalled();
  });

  it('refuses a session that ended before the stream began [R139]', async () => {
    const state: SessionState = { expiresAt: new Date(0), revoked: true };
    const { sessions } = sessionsWith(state);
    const watch = authenticator(sessions, noIdentity, now).watch(principalWith({ kind: 'session', id: 'x', session: state }), vi.fn());
    await expect(watch).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('stops with the stream', async () => {
    const { ended, detached, stop } = watched();
    (await stop)();
    expect(detached).toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(40 * MINUTE);
    expect(ended).not.toHaveBeenCalled();
  });
});

describe('watching a stream’s identity token', () => {
  it('ends the stream when the token does, however far that is [R139]', async () => {
    for (const lifetime of [MINUTE, 40 * 24 * 60 * MINUTE]) {
      const ended = vi.fn();
      const expiresAt = new Date(Date.now() + lifetime);
      await authenticator({} as Sessions, noIdentity, now).watch(principalWith({ kind: 'identity', expiresAt }), ended);
      await vi.advanceTimersByTimeAsync(lifetime - 1000);
      expect(ended).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(2000);
      expect(ended).toHaveBeenCalled();
    }
  });
});
