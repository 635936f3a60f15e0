import type { Env } from './env.ts';
import { checkUrl, ConfigError } from './read-values.ts';

/** A bucket of a service that speaks S3's protocol. */
export type BlobService = { endpoint: string; bucket: string; region: string; accessKeyId: string; secretAccessKey: string };

const NEEDED = ['BLOBS_ENDPOINT', 'BLOBS_BUCKET', 'BLOBS_ACCESS_KEY_ID', 'BLOBS_SECRET_ACCESS_KEY'] as const;

/** Undefined: files in the data folder. */
export function readBlobs(env: Env): BlobService | undefined {
  const [endpoint, bucket, accessKeyId, secretAccessKey] = NEEDED.map((name) => env[name]);
  const region = env['BLOBS_REGION'];
  if (endpoint) checkUrl('BLOBS_ENDPOINT', endpoint);
  if (bucket && !/^[a-z0-9][a-z0-9.-]{1,62}$/.test(bucket)) throw new ConfigError(`BLOBS_BUCKET must be the name of a bucket; it is "${bucket}".`);
  if (endpoint && bucket && accessKeyId && secretAccessKey) return { endpoint, bucket, region: region ?? 'auto', accessKeyId, secretAccessKey };
  const given = [...NEEDED, 'BLOBS_REGION'].find((name) => env[name]);
  if (given) throw new ConfigError(`${given} is set without ${NEEDED.filter((name) => !env[name]).join(' and ')}.`);
  return undefined;
}
