import { bearerGuard, bearerScheme } from './bearer.ts';

/** A session token or an identity JWT: whom most routes ask for. */
export const any = bearerGuard('any', bearerScheme('bearer', 'A session token or an identity JWT.'));
