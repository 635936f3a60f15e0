import { conflict, notFound } from '#lib/errors.ts';
import { publishClip, reserveClip } from '#features/clips';
import { readArtifact } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { clipOfBrief, slugOf } from './brief-clip.ts';
import { lockBrief } from './brief-store.ts';
import { ownedBrief } from './read-brief.ts';
import { publicBrief, shareUrlOf } from './share-brief.ts';

/**
 * Makes a public page of a brief that is ready; doing it again puts what it says now on the same page.
 * @throws AppError 404, 409 while it is not ready, 502 when the content store fails
 */
export async function publishBrief(
  ctx: Needs<'db' | 'content' | 'queue' | 'config' | 'log'>,
  principal: Principal,
  id: string,
): Promise<{ url: string; slug: string }> {
  const brief = await ownedBrief(ctx, principal, id);
  if (brief.status !== 'ready') throw conflict('The brief is not ready');
  const artifact = brief.research_id ? await readArtifact(ctx.db, brief.research_id) : null;
  const shareUrl = shareUrlOf(ctx, brief);
  const content = clipOfBrief(await publicBrief(ctx, brief), { shareUrl, imageUrl: `${shareUrl}/og.png`, artifact });
  const slug = await ctx.db.transaction().execute(async (tx) => {
    // Whoever deletes the brief does so before, or withdraws its page.
    const held = await lockBrief(tx, id);
    if (held?.user_id !== principal.userId) throw notFound('Brief');
    return reserveClip(tx, { slug: slugOf(brief), userId: held.user_id, projectId: held.project_id, target: { type: 'brief', id } });
  });
  const url = await publishClip(ctx, { ...content, slug, published: true, sort_order: 0, project_id: brief.project_id });
  return { url, slug };
}
