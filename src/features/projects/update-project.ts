import { malformed, notFound } from '#lib/errors.ts';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { prepareProject } from './create-project.ts';
import { findOwnedProject, patchProject, type ProjectRow } from './project-store.ts';
import type { UpdateProject } from './schema.ts';
import { saveVector } from './vector-store.ts';

/**
 * Changes title, description or state; a new text is normalised anew.
 * @throws AppError 400 without a field, 404 when it is not the caller's
 */
export async function updateProject(
  ctx: Needs<'db' | 'embeddings' | 'log'>,
  principal: Principal,
  id: string,
  change: UpdateProject,
): Promise<ProjectRow> {
  if (Object.keys(change).length === 0) throw malformed('title, description or state: at least one is required');
  const present = await findOwnedProject(ctx.db, principal.userId, id);
  if (!present) throw notFound('Project');
  const retold = change.title !== undefined || change.description !== undefined;
  const prepared = retold ? await prepareProject(ctx, change.title ?? present.title, change.description ?? present.description) : undefined;
  return ctx.db.transaction().execute(async (tx) => {
    const row = await patchProject(tx, principal.userId, id, {
      // The key stays: it names the idea the project was created for.
      ...(prepared ? { project: { ...prepared.project, ideaKey: present.idea_key } } : {}),
      ...(change.state ? { state: change.state } : {}),
    });
    if (!row) throw notFound('Project');
    if (prepared) await saveVector(tx, id, prepared.embedding ?? []);
    return row;
  });
}
