import { forbidden, unavailable } from '../../../lib/errors.ts';
import type { Actor } from '../../actor.ts';
import { type Guard, NoCredential } from './guard.ts';
import { sharedSecret } from './shared-secret.ts';

/** The operator's bearer. @param secret undefined where none is configured: then the routes answer 503 */
export const admin = (secret: string | undefined): Guard<Actor> =>
  sharedSecret({
    name: 'admin',
    description: "The operator's shared secret.",
    secret,
    unset: unavailable('admin_unconfigured'),
    missing: new NoCredential('missing_bearer'),
    wrong: forbidden('invalid_admin_secret'),
    refusals: [401, 403, 503],
  });
