import type { z } from 'zod';
import type { Needs } from '#platform/context.ts';
import { listGraphs, listSources, type Graph, type GraphItemRow } from './graph-store.ts';
import { listDependencies, listNodes } from './node-store.ts';
import { buildOrderRationale } from './rationale.ts';
import { scheduleOf } from './schedule.ts';
import type { BuildNode, GraphDetail, GraphItem, GraphRow, ProjectGraph } from './schema.ts';
import { treeOf } from './tree.ts';

export const presentItem = (graph: GraphItemRow): z.input<typeof GraphItem> => ({
  id: graph.id,
  title: graph.title,
  status: graph.status,
  source: graph.source,
  project_id: graph.project_id,
  node_count: graph.node_count,
  created_at: graph.created_at,
  updated_at: graph.updated_at,
});

export const presentRow = (graph: Graph): z.input<typeof GraphRow> => ({
  id: graph.id,
  title: graph.title,
  status: graph.status,
  source: graph.source,
  idea: graph.idea,
  project_id: graph.project_id,
  research_id: graph.research_id,
  feature_research_id: graph.feature_research_id,
  selected_features: graph.selected_features,
  engine: graph.engine,
  error: graph.error,
  planning: { repairs: graph.repairs, fallbacks: graph.fallbacks, warnings: graph.warnings },
  created_at: graph.created_at,
  updated_at: graph.updated_at,
  ready_at: graph.ready_at,
  completed_at: graph.completed_at,
});

export async function treeOfGraph({ db }: Needs<'db'>, graphId: string): Promise<BuildNode[]> {
  const [rows, dependencies] = await Promise.all([listNodes(db, graphId), listDependencies(db, graphId)]);
  return treeOf(rows, dependencies);
}

/** A graph with its tree and what follows from it. */
export async function presentDetail(ctx: Needs<'db'>, graph: Graph): Promise<z.input<typeof GraphDetail>> {
  const [nodes, sources] = await Promise.all([treeOfGraph(ctx, graph.id), listSources(ctx.db, graph.id)]);
  const schedule = scheduleOf(nodes);
  return { ...presentRow(graph), nodes, ...schedule, build_order_rationale: buildOrderRationale(nodes, schedule), sources };
}

/** The newest graph of a project with its tree; null without one. The caller has made sure whose project it is. */
export async function latestGraphOfProject(ctx: Needs<'db'>, userId: string, projectId: string): Promise<z.input<typeof ProjectGraph> | null> {
  const [graph] = await listGraphsOfProject(ctx, userId, projectId, { limit: 1, offset: 0 });
  if (!graph) return null;
  const { id, title, status, source, selected_features: features } = graph;
  return { id, title, status, source, selected_features: features, roots: await treeOfGraph(ctx, id) };
}

export const listGraphsOfProject = (
  { db }: Needs<'db'>,
  userId: string,
  projectId: string,
  page: { limit: number; offset: number },
): Promise<GraphItemRow[]> => listGraphs(db, { userId, projectId }, page);
