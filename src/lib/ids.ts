import { createHash, randomBytes, randomUUID } from 'node:crypto';

export const newId = (): string => randomUUID();

/** 16 hex characters that name one request. */
export const newRequestId = pooledHex(8, 512);

/** Gives `bytes` random bytes in hex; asks the system for `times` of them at once, which costs as much as for one. */
function pooledHex(bytes: number, times: number): () => string {
  let pool = '';
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomBytes(bytes * times).toString('hex');
      used = 0;
    }
    used += 2 * bytes;
    return pool.slice(used - 2 * bytes, used);
  };
}

/** An opaque credential: `bytes` random bytes in base64url. */
export const newToken = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** SHA-256 in hex: how credentials are stored and how long texts become keys. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A UUID (version 5 layout, SHA-256 based) that is the same for the same text. */
export function stableId(text: string): string {
  const hex = sha256(text).slice(0, 32).split('');
  hex[12] = '5';
  hex[16] = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  const joined = hex.join('');
  return `${joined.slice(0, 8)}-${joined.slice(8, 12)}-${joined.slice(12, 16)}-${joined.slice(16, 20)}-${joined.slice(20)}`;
}
