import type { Caller, Guard } from './guard.ts';

/** One guard of several: who passes all of them, in their order, is the caller that the first one knows. */
export const every = <C extends Caller>(first: Guard<C>, ...others: readonly Guard[]): Guard<C> => ({
  ...first,
  security: [first, ...others].flatMap(({ security }) => security),
  refusals: [...new Set([first, ...others].flatMap(({ refusals }) => refusals))],
  admit: async (request, auth) => {
    const caller = await first.admit(request, auth);
    for (const other of others) await other.admit(request, auth);
    return caller;
  },
});
