import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** What a browser subscribed with, in base64url. */
export type BrowserKeys = { p256dh: string; auth: string };

/** Made anew for each push; given only to reproduce the example of the standard. */
type Once = { salt: Buffer; privateKey: Buffer };

const CURVE = 'prime256v1';
const RECORD_BYTES = 4096;
const LAST_RECORD = 2;
/** Bytes of a message that one record holds beside its header, the delimiter and the tag. */
export const MOST_PLAIN_BYTES = RECORD_BYTES - 86 - 1 - 16;

/**
 * A message for one browser alone: one record in the content coding aes128gcm.
 * Source: RFC 8291 (3.4) over RFC 8188 (2).
 * @throws Error when the public key is no point of the curve P-256
 */
export function encryptPush(plain: Buffer, { p256dh, auth }: BrowserKeys, once: Partial<Once> = {}): Buffer {
  const receiver = Buffer.from(p256dh, 'base64url');
  const sender = createECDH(CURVE);
  if (once.privateKey) sender.setPrivateKey(once.privateKey);
  else sender.generateKeys();
  const publicKey = sender.getPublicKey();
  const salt = once.salt ?? randomBytes(16);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, publicKey]);
  const material = derive(sender.computeSecret(receiver), Buffer.from(auth, 'base64url'), keyInfo, 32);
  const key = derive(material, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(material, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const header = Buffer.alloc(5);
  header.writeUInt32BE(RECORD_BYTES, 0);
  header.writeUInt8(publicKey.length, 4);
  return Buffer.concat([salt, header, publicKey, cipher.update(plain), cipher.update(Buffer.of(LAST_RECORD)), cipher.final(), cipher.getAuthTag()]);
}

const derive = (material: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer => Buffer.from(hkdfSync('sha256', material, salt, info, bytes));

/** Whether messages can be encrypted with these keys. */
export function areBrowserKeys({ p256dh, auth }: BrowserKeys): boolean {
  if (Buffer.from(auth, 'base64url').length !== 16) return false;
  const sender = createECDH(CURVE);
  sender.generateKeys();
  try {
    return Buffer.from(p256dh, 'base64url').length === 65 && sender.computeSecret(Buffer.from(p256dh, 'base64url')).length === 32;
  } catch {
    return false;
  }
}
