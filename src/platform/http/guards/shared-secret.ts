import { type AppError, unauthenticated, unavailable } from '../../../lib/errors.ts';
import type { Actor } from '../../actor.ts';
import { bearerOf, bearerScheme } from './bearer.ts';
import { type Guard, NoCredential } from './guard.ts';
import { isSameSecret } from './same-secret.ts';

export type SharedSecret = {
  /** Of the security scheme. */
  name: string;
  /** Who presents it, for the reference. */
  description: string;
  /** How `GET /status` calls it; the name without. */
  auth?: string;
  /** Undefined where the installation configures none. */
  secret: string | undefined;
  /** Whoever knows the secret acts as this; the service itself without. */
  actor?: Actor;
  /** Its refusals in the interface's words, with the statuses that they are answered with. */
  unset?: AppError;
  missing?: AppError;
  wrong?: AppError;
  refusals?: readonly number[];
};

/** A bearer that all callers of a route share, compared in constant time. 503 while none is configured, else 401. */
export function sharedSecret({ secret, ...stated }: SharedSecret): Guard<Actor> {
  const { unset = unavailable(`${stated.name} is not configured`), missing = new NoCredential('Missing Bearer token') } = stated;
  const { wrong = unauthenticated('Invalid token') } = stated;
  return {
    auth: stated.auth ?? stated.name,
    security: [bearerScheme(stated.name, stated.description)],
    refusals: stated.refusals ?? [401, 503],
    admit: async ({ headers }) => {
      if (!secret) throw unset;
      const presented = bearerOf(headers.authorization);
      if (presented === null) throw missing;
      if (!isSameSecret(presented, secret)) throw wrong;
      return stated.actor ?? { kind: 'system', userId: null };
    },
  };
}
