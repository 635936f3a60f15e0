/** Who is acting, whichever door they came through. */
export type Principal = {
  userId: string;
  anonymous: boolean;
  /** What the identity token says of the person; null on a session token. */
  name: string | null;
  email: string | null;
  credential: Credential;
};

type Credential = { kind: 'session'; id: string; session: SessionState } | { kind: 'identity'; expiresAt: Date };

/** Shared by every request with the same session token, so that a revocation reaches those in flight. */
export type SessionState = { expiresAt: Date; revoked: boolean };

/** A principal for work that no request carries: a replayed request, a reaction. */
export const onBehalfOf = (userId: string): Principal => ({
  userId,
  anonymous: userId.startsWith('anon:'),
  name: null,
  email: null,
  credential: { kind: 'identity', expiresAt: new Date(8.64e15) },
});
