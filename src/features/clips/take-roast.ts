import { conflict, notFound, upstream } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import type { Needs } from '#platform/context.ts';
import { BlobFailed } from '#platform/ports/blobs/port.ts';
import { blocksOf } from './blocks.ts';
import { clipDiscard, RoastReceived } from './events.ts';
import { findOwner, getClip, projectOf } from './find-clip.ts';
import { deleteRoast, insertRoast, markKept } from './roast-store.ts';

/** By content type, how recordings are called; audio alone in a WebM or MP4 file goes by `video/`. */
const ENDINGS = {
  'audio/wav': 'wav',
  'video/webm': 'webm',
  'audio/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'opus',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/x-m4a': 'm4a',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'audio/flac': 'flac',
  'audio/x-caf': 'caf',
} as const satisfies Record<string, string>;

/** What recordings may be. */
export const AUDIO_TYPES = Object.keys(ENDINGS);

/** Most recordings about one page: whoever changes address may send more than one caller may. */
const MOST_ROASTS = 200;

const THANKS = 'Thank you, your roast is on its way.';

export type Recording = { type: string; size: number; bytes(): Promise<Uint8Array> };

export const endingOf = (type: string): string => (ENDINGS as Readonly<Record<string, string>>)[type] ?? 'bin';

/**
 * Keeps spoken criticism of a page and tells the owner of its project; gives what the sender is told.
 * @throws AppError 404 when there is no page or it asks for none, 409 when it has too many, 502 when the content store or
 * the store of recordings fails
 */
export async function takeRoast(
  ctx: Needs<'db' | 'content' | 'blobs' | 'events' | 'queue' | 'log'>,
  slug: string,
  audio: Recording,
): Promise<string> {
  const page = await getClip(ctx, slug);
  const [block] = blocksOf(page.blocks, 'roast_clip');
  if (!block) throw notFound('Roast');
  const [id, projectId, owner] = [newId(), projectOf(page), await findOwner(ctx, page)];
  const blobKey = `roasts/${id}.${endingOf(audio.type)}`;
  // The row is there before the recording is, so that none is ever left behind.
  const roast = { id, slug, projectId, blobKey, contentType: audio.type, bytes: audio.size };
  const isTaken = await ctx.db.transaction().execute((tx) => insertRoast(tx, roast, MOST_ROASTS));
  if (!isTaken) throw conflict('This page has as many roasts as it takes');
  await keepRecording(ctx, id, blobKey, audio);
  const isKept = await ctx.db.transaction().execute(async (tx) => {
    if (!(await markKept(tx, id))) return false;
    if (projectId !== null && owner !== null) await ctx.events.publish(tx, RoastReceived, { userId: owner, projectId, slug, roastId: id });
    return true;
  });
  if (!isKept) {
    await dropRoast(ctx, id, blobKey);
    throw notFound('Clip');
  }
  return block.ack_message || THANKS;
}

type DropNeeds = Needs<'db' | 'queue'>;

async function keepRecording(ctx: DropNeeds & Needs<'blobs' | 'log'>, id: string, key: string, audio: Recording): Promise<void> {
  try {
    await ctx.blobs.put(key, { bytes: await audio.bytes(), contentType: audio.type });
  } catch (error) {
    if (!(error instanceof BlobFailed)) throw error;
    ctx.log.warn({ why: error.message }, 'a roast was not kept');
    await dropRoast(ctx, id, key);
    throw upstream('The recording could not be kept. Try again later.', error);
  }
}

/** Forgets a roast, and removes its recording, which may be there whatever the store answered. */
const dropRoast = ({ db, queue }: DropNeeds, id: string, blobKey: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await deleteRoast(tx, id);
    await queue.send(tx, clipDiscard, { slugs: [], blobKeys: [blobKey] });
  });
