import { createHmac } from 'node:crypto';
import { unauthenticated, unavailable } from '../../../lib/errors.ts';
import type { Actor } from '../../actor.ts';
import { type Guard, NoCredential } from './guard.ts';
import { isSameSecret } from './same-secret.ts';

export type Signature = {
  /** Of the security scheme, and the source that the caller is known by. */
  name: string;
  /** The header with the HMAC-SHA256 of the raw body in hex (RFC 2104). */
  header: string;
  /** Undefined where the installation configures none. */
  secret: string | undefined;
  /** What happens without a secret: nobody is let in (503), or everybody. */
  unset: 'refuse' | 'skip';
};

/** Whoever can sign the raw bytes of the body. For webhooks, whose body is raw when guards see it. */
export function signature({ name, header, secret, unset }: Signature): Guard<Actor> {
  const sender: Actor = { kind: 'webhook', userId: null, source: name };
  return {
    auth: 'webhook',
    security: [{ name, scheme: { type: 'apiKey', in: 'header', name: header, description: 'Hex HMAC-SHA256 of the raw body.' } }],
    refusals: unset === 'refuse' ? [401, 503] : [401],
    admit: async ({ headers, body }) => {
      if (!secret && unset === 'refuse') throw unavailable(`${name} is not configured`);
      if (!secret) return sender;
      const presented = headers[header.toLowerCase()];
      if (typeof presented !== 'string') throw new NoCredential('Missing signature');
      if (!isSameSecret(presented.toLowerCase(), hmacOf(body, secret))) throw unauthenticated('Invalid signature');
      return sender;
    },
  };
}

function hmacOf(body: unknown, secret: string): string {
  if (body !== undefined && !Buffer.isBuffer(body)) throw new Error('a signature is over raw bytes: the route must be a webhook');
  return createHmac('sha256', secret)
    .update(body ?? '')
    .digest('hex');
}
