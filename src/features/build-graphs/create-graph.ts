import { newId } from '#lib/ids.ts';
import { shorten } from '#lib/text.ts';
import { moveProject, normaliseProject } from '#features/projects';
import { charge } from '#features/usage';
import type { Needs } from '#platform/context.ts';
import type { Principal } from '#platform/principal.ts';
import { chooseFeatures, findLinks, type GraphRequest } from './choose-features.ts';
import { graphStream } from './events.ts';
import { insertGraph } from './graph-store.ts';
import { planning } from './run-graph.ts';
import type { SelectedFeature } from './schema.ts';

const TITLE = 80;

/**
 * Writes a graph with its stream and queues its planning; a project it belongs to is being built from now on.
 * @throws AppError 402 above the caller's credits, 404 for a project or research that is not the caller's, 400 without features
 */
export async function createGraph(
  ctx: Needs<'db' | 'streams' | 'queue' | 'config' | 'clock'>,
  principal: Principal,
  request: GraphRequest,
): Promise<{ graphId: string; features: SelectedFeature[] }> {
  const { userId } = principal;
  const links = await findLinks(ctx.db, userId, request);
  const features = await chooseFeatures(ctx.db, request, links);
  const graphId = newId();
  await ctx.db.transaction().execute(async (tx) => {
    await insertGraph(tx, { id: graphId, userId, ...links, idea: request.idea, title: titleOf(request.idea), source: 'user', features });
    await ctx.streams.open(tx, graphStream(graphId));
    await ctx.streams.append(tx, graphStream(graphId), [{ event: 'graph_created', data: { graph_id: graphId, project_id: links.projectId } }]);
    if (links.projectId) await moveProject(tx, links.projectId, 'build_started');
    await charge(ctx, tx, { userId, work: 'build_graph', ref: graphId });
    await planning.begin(ctx, tx, { graphId });
  });
  return { graphId, features };
}

export const titleOf = (idea: string): string => shorten(normaliseProject(idea, '').cleanTitle, TITLE);
