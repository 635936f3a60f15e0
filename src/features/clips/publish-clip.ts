import { notFound } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { NewContentPage } from '#platform/ports/content-store/port.ts';
import { markPublished } from './clip-store.ts';
import { clipDiscard } from './events.ts';
import { askStore, clipUrlOf } from './find-clip.ts';

/**
 * Puts the page of a reserved slug in the store, in the place of the one that is there; gives its address.
 * @throws AppError 502 when the content store fails, 404 when the page was withdrawn meanwhile
 */
export async function publishClip(ctx: Needs<'db' | 'content' | 'queue' | 'config' | 'log'>, page: NewContentPage): Promise<string> {
  await askStore(ctx, () => ctx.content.put(page));
  if (!(await markPublished(ctx.db, page.slug))) {
    await ctx.queue.send(ctx.db, clipDiscard, { slugs: [page.slug], blobKeys: [] });
    throw notFound('Clip');
  }
  return clipUrlOf(ctx, page.slug);
}
