import type { Principal } from '../../principal.ts';
import { any } from './any.ts';
import type { Guard } from './guard.ts';

/** Any bearer; connecting renews its session, and its end ends the stream. */
export const stream: Guard<Principal> = { ...any, auth: 'stream', watch: (principal, ended, auth) => auth.watch(principal, ended) };
