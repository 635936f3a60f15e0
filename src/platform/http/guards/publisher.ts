import { unauthenticated, unavailable } from '../../../lib/errors.ts';
import type { Actor } from '../../actor.ts';
import { type Guard, NoCredential } from './guard.ts';
import { sharedSecret } from './shared-secret.ts';

/** The bearer of whoever publishes toasts. @param secret undefined where none is configured: then the route answers 503 */
export const publisher = (secret: string | undefined): Guard<Actor> =>
  sharedSecret({
    name: 'publish',
    description: 'The shared secret of who publishes toasts.',
    secret,
    unset: unavailable('toast_publish_disabled'),
    missing: new NoCredential('invalid_publish_key'),
    wrong: unauthenticated('invalid_publish_key'),
  });
