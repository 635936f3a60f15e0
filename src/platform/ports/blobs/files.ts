import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Needs } from '../../context.ts';
import { BlobFailed, checkKey, type Blobs } from './port.ts';

type Place = { folder: string; baseUrl: string };

/** Files of the data folder, given out under signed addresses of this service. */
export function fileBlobs({ secrets, clock }: Needs<'secrets' | 'clock'>, { folder, baseUrl }: Place): Blobs {
  const pathOf = (key: string): string => join(folder, ...checkKey(key).split('/'));
  const printed = (key: string, expires: number) => ['blob', key, String(expires)] as const;
  return {
    origin: null,
    put: async (key, { bytes }) => {
      const path = pathOf(key);
      const fresh = join(dirname(path), `.${randomUUID()}`);
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(fresh, bytes, { mode: 0o600, flush: true });
        await rename(fresh, path);
      } catch (error) {
        await rm(fresh, { force: true }).catch(() => undefined);
        throw new BlobFailed('The blob cannot be written to the data folder.', { cause: error });
      }
    },
    remove: async (key) => {
      try {
        await rm(pathOf(key), { force: true });
      } catch (error) {
        throw error instanceof BlobFailed ? error : new BlobFailed('The blob cannot be removed from the data folder.', { cause: error });
      }
    },
    sign: async (key, seconds) => {
      const expires = Math.floor(clock.now().getTime() / 1000) + seconds;
      const signature = secrets.fingerprint(...printed(checkKey(key), expires));
      return `${baseUrl}/blobs/${Buffer.from(key).toString('base64url')}?${new URLSearchParams({ expires: String(expires), signature })}`;
    },
    open: async ({ key, expires, signature }) => {
      if (!secrets.isFingerprint(signature, ...printed(key, expires))) return null;
      if (expires * 1000 <= clock.now().getTime()) return null;
      const bytes = await readFile(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(error.code ?? '')) return null;
        throw error;
      });
      return bytes && { bytes, contentType: await typeOf(bytes) };
    },
  };
}

/** Media by their bytes, whatever their name says; anything else is only bytes, so that no browser takes it for a page. */
async function typeOf(bytes: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(bytes).catch(() => undefined))?.mime ?? '';
  return /^(?:audio|video)\//.test(type) ? type : 'application/octet-stream';
}
