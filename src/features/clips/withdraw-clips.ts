import type { z } from 'zod';
import type { RemoveContents } from '#features/projects';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import { BlobFailed } from '#platform/ports/blobs/port.ts';
import { forgetWithdrawn, withdrawClips, type Target } from './clip-store.ts';
import { clipDiscard } from './events.ts';
import { deleteRoast, deleteRoasts, listOldRoasts } from './roast-store.ts';
import { deleteVotesOfProject } from './vote-store.ts';

/** Takes back the page of a target, with what was said of it: nobody finds it from now on, and the store loses it soon. */
export async function withdrawClip({ queue }: Needs<'queue'>, tx: Tx, target: Target): Promise<void> {
  const slugs = await withdrawClips(tx, { target });
  if (slugs.length > 0) await queue.send(tx, clipDiscard, { slugs, blobKeys: await deleteRoasts(tx, { slugs }) });
}

export const removeClipsOfProject: RemoveContents = async ({ queue }, tx, projectId) => {
  const slugs = await withdrawClips(tx, { projectId });
  const blobKeys = await deleteRoasts(tx, { projectId });
  await deleteVotesOfProject(tx, projectId);
  if (slugs.length + blobKeys.length > 0) await queue.send(tx, clipDiscard, { slugs, blobKeys });
};

/** Removes pages and recordings that nothing names any more. @throws ContentFailed, BlobFailed: it is tried again */
export async function discardClips(
  { db, content, blobs }: Needs<'db' | 'content' | 'blobs'>,
  { slugs, blobKeys }: z.output<(typeof clipDiscard)['payload']>,
): Promise<void> {
  for (const slug of slugs) {
    await content.remove(slug);
    await forgetWithdrawn(db, slug);
  }
  for (const key of blobKeys) await blobs.remove(key);
}

const ROAST_DAYS = 180;
const AT_ONCE = 200;

/** Removes roasts that have become old, recordings first; those whose recording cannot be removed stay for the next time. */
export async function deleteOldRoasts({ db, blobs, clock, log }: Needs<'db' | 'blobs' | 'clock' | 'log'>): Promise<number> {
  let count = 0;
  for (;;) {
    const old = await listOldRoasts(db, { now: clock.now(), days: ROAST_DAYS, limit: AT_ONCE });
    for (const { id, blob_key: key } of old) {
      try {
        await blobs.remove(key);
      } catch (error) {
        if (!(error instanceof BlobFailed)) throw error;
        log.warn({ why: error.message }, 'old roasts were not removed');
        return count;
      }
      await deleteRoast(db, id);
      count += 1;
    }
    if (old.length < AT_ONCE) return count;
  }
}
