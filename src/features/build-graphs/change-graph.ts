import { conflict, notFound } from '#lib/errors.ts';
import { newId } from '#lib/ids.ts';
import { findOwnedProject, type RemoveContents } from '#features/projects';
import { findOwnedJob } from '#features/research';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { graphStream } from './events.ts';
import {
  deleteOfProject,
  deleteOwnedGraph,
  findOwnedGraph,
  listSources,
  lockGraph,
  patchGraph,
  upsertSource,
  type Graph,
  type SourceLink,
} from './graph-store.ts';
import { MOST_SOURCES } from './states.ts';

/** @throws AppError 404 when it is missing or another user's */
export async function ownedGraph({ db }: Needs<'db'>, principal: Principal, id: string): Promise<Graph> {
  const graph = await findOwnedGraph(db, principal.userId, id);
  if (!graph) throw notFound('Build graph');
  return graph;
}

/**
 * Changes title or project; null as title leaves it, null as project takes the graph out of its project.
 * @throws AppError 404 for a graph or a project that is not the caller's
 */
export async function updateGraph(
  ctx: Needs<'db'>,
  principal: Principal,
  id: string,
  change: { title?: string | null | undefined; project_id?: string | null | undefined },
): Promise<Graph> {
  const graph = await ownedGraph(ctx, principal, id);
  if (change.project_id && !(await findOwnedProject(ctx.db, principal.userId, change.project_id))) throw notFound('Project');
  const row = {
    ...(change.title ? { title: change.title } : {}),
    ...(change.project_id === undefined ? {} : { projectId: change.project_id }),
  };
  if (Object.keys(row).length === 0) return graph;
  const changed = await patchGraph(ctx.db, principal.userId, id, row);
  if (!changed) throw notFound('Build graph');
  return changed;
}

/** Deletes a graph with its nodes; planning that is under way stops at its next write, because its stream is gone. */
export async function deleteGraph({ db, streams }: Needs<'db' | 'streams'>, principal: Principal, id: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await deleteOwnedGraph(tx, principal.userId, id))) throw notFound('Build graph');
    await streams.remove(tx, graphStream(id));
  });
}

/**
 * Links one more research to a graph; parts planned later draw on it.
 * @throws AppError 404 for a graph or a research that is not the caller's, 409 when it has as many as it may
 */
export async function linkSource(
  ctx: Needs<'db'>,
  principal: Principal,
  id: string,
  link: { researchId: string; linkType: SourceLink['link_type'] },
): Promise<SourceLink> {
  await ownedGraph(ctx, principal, id);
  if (!(await findOwnedJob(ctx.db, principal.userId, link.researchId))) throw notFound('Research job');
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockGraph(tx, id))) throw notFound('Build graph');
    const row = await upsertSource(tx, { id: newId(), graphId: id, ...link });
    if ((await listSources(tx, id)).length > MOST_SOURCES) throw conflict(`A build graph may have ${MOST_SOURCES} sources`);
    return row;
  });
}

/** Deletes a project's graphs with their streams. */
export const removeGraphsOfProject: RemoveContents = async ({ streams }, tx, projectId) => {
  for (const graphId of await deleteOfProject(tx, projectId)) await streams.remove(tx, graphStream(graphId));
};
