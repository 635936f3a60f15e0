import { unauthenticated } from '../../../lib/errors.ts';
import type { Principal } from '../../principal.ts';
import type { Authenticator, Guard, Security } from './guard.ts';

/** The token of an `Authorization: Bearer` header; null where there is none. */
export const bearerOf = (authorization: string | undefined): string | null => /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;

/** A security scheme for a bearer. */
export const bearerScheme = (name: string, description: string, bearerFormat?: string): Security => ({
  name,
  scheme: { type: 'http', scheme: 'bearer', ...(bearerFormat ? { bearerFormat } : {}), description },
});

/** A guard that asks for a bearer of one kind. */
export const bearerGuard = (accept: Parameters<Authenticator['authenticate']>[1], security: Security): Guard<Principal> => ({
  auth: 'required',
  security: [security],
  refusals: [401],
  admit: ({ headers }, auth) => auth.authenticate(headers.authorization, accept),
  confirm: refuseRevoked,
});

/** A token revoked while its request was being worked must not get the answer any more. */
export function refuseRevoked(principal: Principal | null): void {
  if (principal?.credential.kind === 'session' && principal.credential.session.revoked) {
    throw unauthenticated('Invalid token: the session was revoked');
  }
}
