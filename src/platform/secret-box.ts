import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** What the installation's key is for. */
export type SecretBox = {
  /** Encrypts what is stored for a user, bound to the place it belongs to. */
  seal(plain: string, place: string): string;
  open(sealed: string, place: string): string;
  /** A salted hash: 64 hex digits, the same for the same parts, that nobody without the key can work out. */
  fingerprint(...parts: readonly string[]): string;
};

/** AES-256-GCM (NIST SP 800-38D) with a random nonce; `place` is authenticated, so a value cannot be moved to another row. */
export function secretBox(key: Buffer): SecretBox {
  const salt = Buffer.from(hkdfSync('sha256', key, '', 'groundwork fingerprint', 32));
  return {
    fingerprint: (...parts) => createHmac('sha256', salt).update(JSON.stringify(parts)).digest('hex'),
    seal: (plain, place) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return ['v1', nonce, cipher.getAuthTag(), text].map((part) => (typeof part === 'string' ? part : part.toString('base64url'))).join('.');
    },
    open: (sealed, place) => {
      const [version, nonce, tag, text] = sealed.split('.');
      if (version !== 'v1' || !nonce || !tag || text === undefined) throw new Error('not a sealed value');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url')).setAAD(Buffer.from(place));
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
  };
}

/** The configured key, or one that is made once and kept in `file`, readable by its owner alone. */
export function secretsKey(configured: Buffer | undefined, file: string): Buffer {
  if (configured) return configured;
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
}
