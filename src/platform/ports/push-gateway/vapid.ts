import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

/** Who sends to browsers: the public key in base64url, as they subscribe with it. */
export type VapidKeys = { publicKey: string; privateKey: KeyObject };

/** @param secret the 32 bytes of a private key of the curve P-256. @throws Error when they are none */
export function vapidKeysOf(secret: Buffer): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    d: secret.toString('base64url'),
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  return { publicKey: point.toString('base64url'), privateKey: createPrivateKey({ key: jwk, format: 'jwk' }) };
}

/** The 32 bytes of a new private key. */
export function newVapidSecret(): Buffer {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const secret = pair.getPrivateKey();
  // Leading zeros are left out.
  return Buffer.concat([Buffer.alloc(32 - secret.length), secret]);
}

const HOLDS_SECONDS = 12 * 3600;

/** The value of the `Authorization` header for one push service (RFC 8292, 3). @param contact a mailto: or https: URL */
export async function vapidHeader(keys: VapidKeys, endpoint: URL, contact: string | undefined): Promise<string> {
  const token = new SignJWT(contact ? { sub: contact } : {})
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(endpoint.origin)
    .setExpirationTime(Math.floor(Date.now() / 1000) + HOLDS_SECONDS);
  return `vapid t=${await token.sign(keys.privateKey)}, k=${keys.publicKey}`;
}
