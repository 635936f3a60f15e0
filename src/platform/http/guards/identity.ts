import { bearerGuard, bearerScheme } from './bearer.ts';

/** An identity JWT alone: a session token cannot mint another. */
export const identity = bearerGuard('identity', bearerScheme('identity', 'An identity JWT; a session token is refused.', 'JWT'));
