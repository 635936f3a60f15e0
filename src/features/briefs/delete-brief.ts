import { notFound } from '#lib/errors.ts';
import { withdrawClip } from '#features/clips';
import type { RemoveContents } from '#features/projects';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import { deleteOfProject, deleteOwnedBrief } from './brief-store.ts';
import { briefChannel, briefStream } from './events.ts';

/**
 * Deletes a brief with its public page; one that is being written stops at its next write, because its stream is gone.
 * @throws AppError 404
 */
export async function deleteBrief(ctx: Needs<'db' | 'streams' | 'queue'>, principal: Principal, id: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await deleteOwnedBrief(tx, principal.userId, id))) throw notFound('Brief');
    await withdrawClip(ctx, tx, { type: 'brief', id });
    await removeStreams(ctx, tx, id);
  });
}

export const removeBriefsOfProject: RemoveContents = async (ctx, tx, projectId) => {
  for (const id of await deleteOfProject(tx, projectId)) await removeStreams(ctx, tx, id);
};

async function removeStreams({ streams }: Needs<'streams'>, tx: Tx, id: string): Promise<void> {
  await streams.remove(tx, briefStream(id));
  await streams.remove(tx, briefChannel(id));
}
