import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares digests, which are of one length: the time it takes tells nothing of the secret. */
export const isSameSecret = (presented: string | Buffer, secret: string | Buffer): boolean => timingSafeEqual(digest(presented), digest(secret));

const digest = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
