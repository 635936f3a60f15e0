import { unauthenticated } from '../../../lib/errors.ts';
import { type Caller, type Guard, NoCredential } from './guard.ts';

/**
 * A token in the query string, for sockets: browsers send no headers with them.
 * @param find whom the token stands for; null where it is unknown or expired. It looks up a hash of the token
 */
export const queryToken = <C extends NonNullable<Caller>>(find: (token: string) => Promise<C | null>, parameter = 'token'): Guard<C> => ({
  auth: 'ws',
  security: [{ name: 'socket', scheme: { type: 'apiKey', in: 'query', name: parameter, description: 'A short-lived token for sockets.' } }],
  refusals: [],
  admit: async ({ query }) => {
    const token = (query as Record<string, unknown>)[parameter];
    if (typeof token !== 'string' || token === '') throw new NoCredential('Missing token');
    const caller = await find(token);
    if (!caller) throw unauthenticated('Invalid token');
    return caller;
  },
});
