import { webAddress } from '#lib/visible-text.ts';
import type { Needs } from '#platform/context.ts';
import { BlobFailed } from '#platform/ports/blobs/port.ts';

/** How long a signed address holds. */
const SIGNED_SECONDS = 5 * 60;

/** A signed address of a recording, or null when its key cannot be signed. */
export async function signAudio({ blobs, log }: Needs<'blobs' | 'log'>, key: string): Promise<string | null> {
  try {
    return await blobs.sign(key, SIGNED_SECONDS);
  } catch (error) {
    if (!(error instanceof BlobFailed)) throw error;
    log.warn({ why: error.message }, 'a recording was not signed');
    return null;
  }
}

/** Where a recording is heard: an address of the web as it is, a key under a signed address, or null. */
export const audioAddress = async (ctx: Needs<'blobs' | 'log'>, audio: string): Promise<string | null> =>
  webAddress(audio) ?? (await signAudio(ctx, audio));
