import { S3mini } from 's3mini';
import type { BlobService } from '../../config/blobs.ts';
import type { GuardedFetch, Method } from '../guarded-fetch/port.ts';
import { BlobFailed, checkKey, type Blobs } from './port.ts';

const REQUEST_MS = 60_000;

/** A bucket over S3's protocol, addressed by path; signed addresses lead to it (AWS Signature Version 4). */
export function s3Blobs(guarded: GuardedFetch, { endpoint, bucket, ...credentials }: BlobService): Blobs {
  const address = `${endpoint.replace(/\/+$/, '')}/${bucket}`;
  // One for each use: it keeps the key of a day, and signs with that of the day before while it makes the next one.
  const client = () => new S3mini({ ...credentials, endpoint: address, fetch: fetchOver(guarded) });
  return {
    origin: new URL(endpoint).origin,
    put: (key, { bytes, contentType }) => attempt('kept', () => client().putObject(checkKey(key), bytes, contentType)),
    remove: (key) => attempt('removed', () => client().deleteObject(checkKey(key))),
    sign: async (key, seconds) => client().getPresignedUrl('GET', checkKey(key), seconds),
  };
}

async function attempt(done: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof BlobFailed) throw error;
    const { status } = (error ?? {}) as { status?: unknown };
    throw new BlobFailed(
      `The blob was not ${done}: ${typeof status === 'number' ? `the store answered with status ${status}` : 'the store gave no answer'}.`,
      {
        cause: error,
      },
    );
  }
}

/** The connection says these itself. */
const OF_THE_CONNECTION = new Set(['host', 'content-length']);
/** Statuses whose answers have no body (RFC 9110). */
const EMPTY = new Set([204, 205, 304]);

const fetchOver =
  ({ fetch }: GuardedFetch): typeof globalThis.fetch =>
  async (input, init = {}) => {
    const headers = Object.fromEntries([...new Headers(init.headers)].filter(([name]) => !OF_THE_CONNECTION.has(name)));
    const { status, body, header } = await fetch(new URL(String(input)), {
      method: (init.method ?? 'GET') as Method,
      headers,
      ...(init.body ? { body: init.body as Uint8Array } : {}),
      signal: AbortSignal.timeout(REQUEST_MS),
      milliseconds: REQUEST_MS,
      redirects: 0,
    });
    return new Response(EMPTY.has(status) ? null : new Uint8Array(body), { status, headers: { 'content-type': header('content-type') ?? '' } });
  };
