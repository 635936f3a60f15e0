import type { Principal } from '../../principal.ts';
import { any } from './any.ts';
import { refuseRevoked } from './bearer.ts';
import type { Guard } from './guard.ts';

/** A public route that knows its caller where a bearer is sent. A bearer that does not hold is refused, not overlooked. */
export const optional: Guard<Principal | null> = {
  ...any,
  auth: 'public',
  optional: true,
  admit: async (request, auth) => (/^Bearer\b/i.test(request.headers.authorization ?? '') ? any.admit(request, auth) : null),
  confirm: refuseRevoked,
};
