import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretKey, SecretKeys } from './secret-keys.ts';

/** What the installation's keys are for. */
export type SecretBox = {
  /** Encrypts what is stored for a user, bound to the place it belongs to. */
  seal(plain: string, place: string): string;
  /** @throws when the place is another one, or no key of the installation sealed it */
  open(sealed: string, place: string): string;
  /** The same under the first key, or null when that is the one that sealed it. @throws as `open` */
  reseal(sealed: string, place: string): string | null;
  /** What the first key is called and how begins what it sealed; how many there are besides. */
  keys(): { first: string; prefix: string; earlier: number };
  /** A salted hash: 64 hex digits, the same for the same parts, that nobody without the key can work out. */
  fingerprint(...parts: readonly string[]): string;
  /** The same under each earlier key. */
  earlierFingerprints(...parts: readonly string[]): string[];
  /** Whether that is the fingerprint of these parts, also under an earlier key; the time it takes tells nothing. */
  isFingerprint(print: string, ...parts: readonly string[]): boolean;
  /** Makes a new first key, as `SecretKeys` says. */
  renew: SecretKeys['renew'];
};

/** AES-256-GCM (NIST SP 800-38D) with a random nonce; `place` is authenticated, so a value cannot be moved to another row. */
export function secretBox(keys: SecretKeys): SecretBox {
  const first = (): SecretKey => keys.all()[0];
  const open = (sealed: string, place: string): string => {
    const { keyId, text } = partsOf(sealed);
    // What was sealed before keys had ids names none.
    const fitting = keys.all().filter(({ id }) => keyId === undefined || id === keyId);
    for (const key of fitting) {
      try {
        return decrypt(key, text, place);
      } catch {
        // Another one may.
      }
    }
    throw new Error('no key of this installation opens this value here');
  };
  const prefixOf = ({ id }: SecretKey): string => `v2.${id}.`;
  const seal = (plain: string, place: string): string => {
    const key = first();
    return prefixOf(key) + encrypt(key, plain, place);
  };
  return {
    seal,
    open,
    reseal: (sealed, place) => (sealed.startsWith(prefixOf(first())) ? null : seal(open(sealed, place), place)),
    keys: () => {
      const [key, ...earlier] = keys.all();
      return { first: key.id, prefix: prefixOf(key), earlier: earlier.length };
    },
    fingerprint: (...parts) => printOf(first(), parts).toString('hex'),
    earlierFingerprints: (...parts) => {
      const [, ...earlier] = keys.all();
      return earlier.map((key) => printOf(key, parts).toString('hex'));
    },
    isFingerprint: (print, ...parts) => {
      const given = Buffer.from(print, 'hex');
      return keys.all().some((key) => given.length === PRINT_BYTES && timingSafeEqual(given, printOf(key, parts)));
    },
    renew: keys.renew,
  };
}

const PRINT_BYTES = 32;
const printOf = ({ salt }: SecretKey, parts: readonly string[]): Buffer => createHmac('sha256', salt).update(JSON.stringify(parts)).digest();

/** `v1.<nonce>.<tag>.<text>`, or `v2.<key id>.<nonce>.<tag>.<text>`. */
function partsOf(sealed: string): { keyId: string | undefined; text: string } {
  const [, keyId, text] = /^(?:v1|v2\.([0-9a-f]+))\.([\w-]+\.[\w-]+\.[\w-]*)$/.exec(sealed) ?? [];
  if (text === undefined) throw new Error('not a sealed value');
  return { keyId, text };
}

function encrypt({ bytes }: SecretKey, plain: string, place: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(place));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return [nonce, cipher.getAuthTag(), text].map((part) => part.toString('base64url')).join('.');
}

function decrypt({ bytes }: SecretKey, sealed: string, place: string): string {
  const [nonce = Buffer.alloc(0), tag = Buffer.alloc(0), text = Buffer.alloc(0)] = sealed.split('.').map((part) => Buffer.from(part, 'base64url'));
  // A shorter tag would be easier to guess.
  const decipher = createDecipheriv('aes-256-gcm', bytes, nonce, { authTagLength: 16 }).setAAD(Buffer.from(place)).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}
