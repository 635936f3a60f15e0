import { z } from 'zod';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { streamRoute } from '#platform/http/shapes/stream.ts';
import { idParam, paging } from '#platform/http/vocabulary.ts';
import { assessRisk } from './assess-risk.ts';
import { deleteGraph, linkSource, ownedGraph, updateGraph } from './change-graph.ts';
import { updateNode } from './change-node.ts';
import { createGraph } from './create-graph.ts';
import { graphStream } from './events.ts';
import { expandNode } from './expand-node.ts';
import { listGraphs } from './graph-store.ts';
import { presentDetail, presentItem, presentRow } from './present-graph.ts';
import {
  BuildNode,
  CreateGraph,
  Created,
  Deleted,
  GraphDetail,
  GraphItem,
  GraphRow,
  GraphSourceLink,
  LinkSource,
  PatchGraph,
  PatchNode,
  RiskAssessment,
} from './schema.ts';

const GraphId = idParam('graph_id');
const NodeId = idParam('node_id');

export const buildGraphRoutes = [
  route({
    method: 'POST',
    path: '/build-graphs',
    summary: 'Plan the build of an idea',
    errors: [402],
    limit: OWN_LIMITS.work,
    body: CreateGraph,
    responses: { 201: Created },
    async handle({ ctx, principal, body }, reply) {
      const { graphId } = await createGraph(ctx, principal, {
        idea: body.idea,
        features: body.features ?? [],
        autoSelect: body.auto_select,
        phase: body.phase,
        projectId: body.project_id ?? null,
        researchId: body.research_id ?? null,
        featureResearchId: body.feature_research_id ?? null,
      });
      return reply(201, { graph_id: graphId, status: 'initializing' });
    },
  }),
  streamRoute({
    path: '/build-graphs/{graph_id}/events',
    summary: 'Follow a build graph as it grows',
    params: GraphId,
    async open({ ctx, principal, params, requestId }) {
      const graph = await ownedGraph(ctx, principal, params.graph_id);
      return { key: graphStream(graph.id), start: { request_id: requestId, job_id: graph.id } };
    },
  }),
  route({
    method: 'GET',
    path: '/build-graphs',
    summary: 'Own build graphs, newest first',
    query: paging({ standard: 50, max: 100 }).extend({ project_id: z.uuid().optional() }),
    responses: { 200: z.array(GraphItem) },
    async handle({ ctx, principal, query }, reply) {
      const where = { userId: principal.userId, ...(query.project_id ? { projectId: query.project_id } : {}) };
      return reply(200, (await listGraphs(ctx.db, where, query)).map(presentItem));
    },
  }),
  route({
    method: 'GET',
    path: '/build-graphs/{graph_id}',
    summary: 'A build graph with its tree, critical path, lanes and totals',
    params: GraphId,
    responses: { 200: GraphDetail },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await presentDetail(ctx, await ownedGraph(ctx, principal, params.graph_id)));
    },
  }),
  route({
    method: 'PATCH',
    path: '/build-graphs/{graph_id}',
    summary: 'Change the title or the project',
    params: GraphId,
    body: PatchGraph,
    emptyBody: 'allowed',
    responses: { 200: GraphRow },
    async handle({ ctx, principal, params, body }, reply) {
      return reply(200, presentRow(await updateGraph(ctx, principal, params.graph_id, body)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/build-graphs/{graph_id}',
    summary: 'Delete a build graph with its nodes',
    params: GraphId,
    responses: { 200: Deleted },
    async handle({ ctx, principal, params }, reply) {
      await deleteGraph(ctx, principal, params.graph_id);
      return reply(200, { success: true });
    },
  }),
  route({
    method: 'POST',
    path: '/build-graphs/{graph_id}/sources',
    summary: 'Link a research to a build graph',
    errors: [409],
    params: GraphId,
    body: LinkSource,
    responses: { 201: GraphSourceLink },
    async handle({ ctx, principal, params, body }, reply) {
      return reply(201, await linkSource(ctx, principal, params.graph_id, { researchId: body.research_id, linkType: body.link_type }));
    },
  }),
];

export const buildNodeRoutes = [
  route({
    method: 'POST',
    path: '/build-nodes/{node_id}/expand',
    summary: 'Take a node apart; told on the stream of its graph',
    limit: OWN_LIMITS.node,
    errors: [409],
    params: NodeId,
    responses: { 202: z.object({ node_id: z.uuid(), graph_id: z.uuid(), status: z.literal('expanding') }) },
    async handle({ ctx, principal, params }, reply) {
      const { nodeId, graphId } = await expandNode(ctx, principal, params.node_id);
      return reply(202, { node_id: nodeId, graph_id: graphId, status: 'expanding' });
    },
  }),
  route({
    method: 'PATCH',
    path: '/build-nodes/{node_id}',
    summary: 'Change a node',
    limit: OWN_LIMITS.light,
    params: NodeId,
    body: PatchNode,
    responses: { 200: BuildNode },
    async handle({ ctx, principal, params, body }, reply) {
      return reply(200, await updateNode(ctx, principal, params.node_id, body));
    },
  }),
  route({
    method: 'POST',
    path: '/build-nodes/{node_id}/risk',
    summary: 'Judge the risk of a node anew',
    limit: OWN_LIMITS.node,
    params: NodeId,
    responses: { 200: RiskAssessment },
    async handle({ ctx, principal, params, signal }, reply) {
      const { risk, rationale, reasons, mitigations } = await assessRisk(ctx, principal, params.node_id, signal);
      return reply(200, { node_id: params.node_id, risk, rationale, reasons, mitigations });
    },
  }),
];
