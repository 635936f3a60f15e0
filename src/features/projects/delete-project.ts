import { notFound } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Tx } from '#platform/db/database.ts';
import type { Principal } from '#platform/principal.ts';
import { projectChannel } from './events.ts';
import { deleteOwnedProject, findOwnedProject } from './project-store.ts';

/** Removes what one feature holds of a project. */
export type RemoveContents = (ctx: Needs<'streams' | 'queue'>, tx: Tx, projectId: string) => Promise<void>;

/** Deletes a project with everything it groups; work that is under way for it stops. */
export async function deleteProject(
  ctx: Needs<'db' | 'streams' | 'queue'>,
  principal: Principal,
  id: string,
  removeContents: readonly RemoveContents[],
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await findOwnedProject(tx, principal.userId, id))) throw notFound('Project');
    // What it holds first: whatever ends a research locks that before its project, and nobody may wait for each other.
    for (const remove of removeContents) await remove(ctx, tx, id);
    if (!(await deleteOwnedProject(tx, principal.userId, id))) throw notFound('Project');
    await ctx.streams.remove(tx, projectChannel(id));
  });
}
