import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { countGraphsByProject, latestGraphOfProject, ProjectGraph } from '#features/build-graphs';
import { findProject, listProjects, presentProject, shortDescriptionOf } from '#features/projects';
import { listOfProject, summariseByProject } from '#features/research';
import { everyone } from '#platform/http/guards/everyone.ts';
import { route } from '#platform/http/shapes/json.ts';
import { idParam, listEnvelope, pageOf, paging } from '#platform/http/vocabulary.ts';
import { FullProject, Preview, ProjectDetail, ProjectHome, ProjectListItem, ResearchItem, TabPage, TABS } from './schema.ts';
import { fullProject, ownedProject, presentResearch, projectDetail, projectHome, tabRows } from './view-project.ts';

const Id = idParam('id');

export const projectViewRoutes = [
  route({
    method: 'GET',
    path: '/projects',
    summary: 'Own projects, most recently updated first',
    query: paging({ standard: 5, max: 100 }),
    responses: { 200: listEnvelope(ProjectListItem) },
    async handle({ ctx, principal, query }, reply) {
      const { items, ...page } = pageOf(await listProjects(ctx.db, principal.userId, query), query);
      const ids = items.map((project) => project.id);
      const [summaries, graphCounts] = await Promise.all([summariseByProject(ctx.db, ids), countGraphsByProject(ctx.db, ids)]);
      return reply(200, {
        items: items.map((project) => {
          const research = summaries.get(project.id);
          return {
            project_id: project.id,
            state: project.state,
            quality_score: project.quality_score,
            short_title: project.short_title,
            short_description: shortDescriptionOf({ ...project, oneLiner: project.one_liner }),
            last_research_completed_at: research?.lastCompletedAt ?? null,
            has_benchmark_signal: research?.hasCompetitors ?? false,
            research_count: research?.count ?? 0,
            graph_count: graphCounts.get(project.id) ?? 0,
            updated_at: project.updated_at,
          };
        }),
        ...page,
      });
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{id}',
    summary: 'A project with its recent research and graphs',
    params: Id,
    responses: { 200: ProjectDetail },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await projectDetail(ctx, principal, params.id));
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/full',
    summary: 'A project with its latest research, its graph and similar projects',
    params: Id,
    responses: { 200: FullProject },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await fullProject(ctx, principal, params.id));
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/home',
    summary: 'All parts of a project at a glance, with the cursor of its channel',
    params: Id,
    responses: { 200: ProjectHome },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await projectHome(ctx, principal, params.id));
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{project_id}/build-graph',
    summary: "The project's latest build graph as a tree",
    params: idParam('project_id'),
    responses: { 200: ProjectGraph },
    async handle({ ctx, principal, params }, reply) {
      await ownedProject(ctx, principal, params.project_id);
      const graph = await latestGraphOfProject(ctx, principal.userId, params.project_id);
      if (!graph) throw notFound('Build graph');
      return reply(200, graph);
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/research',
    summary: "The project's research jobs, newest first",
    params: Id,
    query: paging({ standard: 20, max: 100 }),
    responses: { 200: listEnvelope(ResearchItem) },
    async handle({ ctx, principal, params, query }, reply) {
      await ownedProject(ctx, principal, params.id);
      const { items, ...page } = pageOf(await listOfProject(ctx.db, params.id, query), query);
      return reply(200, { items: items.map(presentResearch), ...page });
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/tabs/{tab}',
    summary: 'One kind of thing in a project, page by page',
    params: z.object({ id: z.uuid(), tab: z.string() }),
    query: paging({ standard: 20, max: 100 }),
    responses: { 200: TabPage },
    async handle({ ctx, principal, params, query }, reply) {
      await ownedProject(ctx, principal, params.id);
      const tab = TABS.find((name) => name === params.tab);
      if (!tab) throw notFound('Tab');
      return reply(200, { tab, ...pageOf(await tabRows(ctx, principal, { tab, projectId: params.id }, query), query) });
    },
  }),
  route({
    method: 'GET',
    path: '/projects/{id}/preview',
    summary: 'The public face of a project that shared something',
    guard: everyone,
    params: Id,
    responses: { 200: Preview },
    async handle({ ctx, params }, reply) {
      const [project, summaries] = await Promise.all([findProject(ctx.db, params.id), summariseByProject(ctx.db, [params.id])]);
      // The score of what was shared: that of the project may be of research that its owner keeps.
      const score = summaries.get(params.id)?.sharedScore ?? null;
      if (!project || score === null) throw notFound('Project');
      const { id, title, one_liner, state, updated_at } = presentProject(project);
      return reply(200, { id, title, one_liner, state, quality_score: score, updated_at });
    },
  }),
];
