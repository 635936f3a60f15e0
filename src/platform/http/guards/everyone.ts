import type { Guard } from './guard.ts';

/** A public route: no credential is looked at. */
export const everyone: Guard<null> = { auth: 'public', security: [], refusals: [], admit: async () => null };
