import { join } from 'node:path';
import type { Needs } from '../../context.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { fileBlobs } from './files.ts';
import type { Blobs } from './port.ts';
import { s3Blobs } from './s3.ts';

/** The configured bucket, or files in the data folder. */
export function openBlobs({ config, ...needs }: Needs<'config' | 'secrets' | 'clock'>): Blobs {
  const { blobs, fetch, dataDir, http } = config;
  if (!blobs) return fileBlobs(needs, { folder: join(dataDir, 'blobs'), baseUrl: http.baseUrl });
  return s3Blobs(openGuardedFetch({ ...fetch, allowPrivate: [blobs.endpoint] }), blobs);
}
