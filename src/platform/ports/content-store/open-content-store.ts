import type { Needs } from '../../context.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { builtInContent } from './built-in.ts';
import { payloadContent } from './payload.ts';
import type { ContentStore } from './port.ts';

/** The configured content system, or our own database. */
export function openContentStore({ config: { content, fetch }, db }: Needs<'config' | 'db'>): ContentStore {
  if (!content) return builtInContent({ db });
  return payloadContent(openGuardedFetch({ ...fetch, allowPrivate: [content.baseUrl] }), content);
}
