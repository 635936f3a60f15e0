import { notFound } from '../../../lib/errors.ts';
import type { Caller, Guard } from './guard.ts';

/**
 * A segment of the path that is the credential itself; one that is unknown or void answers 404.
 * @param parameter its name in the path
 * @param find whom it stands for; null where it is unknown. It looks up a hash of the slug
 */
export const slug = <C extends NonNullable<Caller>>(parameter: string, find: (slug: string) => Promise<C | null>): Guard<C> => ({
  auth: 'slug',
  security: [],
  note: `The \`${parameter}\` of the path is the credential.`,
  refusals: [404],
  admit: async ({ params }) => {
    const caller = await find(String((params as Record<string, unknown>)[parameter] ?? ''));
    if (!caller) throw notFound('Address');
    return caller;
  },
});
