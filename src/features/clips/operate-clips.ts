import { upstream } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { BlobFailed } from '#platform/ports/blobs/port.ts';
import type { ContentPage, NewContentPage } from '#platform/ports/content-store/port.ts';
import { forgetClip } from './clip-store.ts';
import { clipDiscard } from './events.ts';
import { askStore } from './find-clip.ts';
import { deleteRoasts } from './roast-store.ts';
import { endingOf, type Recording } from './take-roast.ts';
import { deleteVotesOfPage } from './vote-store.ts';

/** Writes a page, or puts it in the place of the one that is there. @throws AppError 502 when the content store fails */
export const putClip = (ctx: Needs<'content' | 'log'>, page: NewContentPage): Promise<ContentPage> => askStore(ctx, () => ctx.content.put(page));

/** Removes a page, also when there is none, with its roasts and votes. @throws AppError 502 when the content store fails */
export async function removeClip(ctx: Needs<'db' | 'content' | 'queue' | 'log'>, slug: string): Promise<void> {
  await askStore(ctx, () => ctx.content.remove(slug));
  await ctx.db.transaction().execute(async (tx) => {
    await forgetClip(tx, slug);
    await deleteVotesOfPage(tx, slug);
    const blobKeys = await deleteRoasts(tx, { slugs: [slug] });
    if (blobKeys.length > 0) await ctx.queue.send(tx, clipDiscard, { slugs: [], blobKeys });
  });
}

/** Keeps a recording for the sessions of pages; gives its key. @throws AppError 502 when the store of recordings fails */
export async function keepRecording({ blobs, log }: Needs<'blobs' | 'log'>, audio: Recording): Promise<string> {
  const key = `sessions/${newId()}.${endingOf(audio.type)}`;
  try {
    await blobs.put(key, { bytes: await audio.bytes(), contentType: audio.type });
    return key;
  } catch (error) {
    if (!(error instanceof BlobFailed)) throw error;
    log.warn({ why: error.message }, 'a recording was not kept');
    throw upstream('The recording could not be kept. Try again later.', error);
  }
}
