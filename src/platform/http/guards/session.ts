import type { Principal } from '../../principal.ts';
import { bearerGuard, bearerScheme } from './bearer.ts';
import type { Guard } from './guard.ts';

/** A session token alone. The route that ends the session still answers on it. */
export const session: Guard<Principal> = {
  ...bearerGuard('session', bearerScheme('session', 'A session token; an identity JWT is refused.')),
  confirm: () => {},
};
