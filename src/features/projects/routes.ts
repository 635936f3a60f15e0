import { z } from 'zod';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { idParam, wholeNumber } from '#platform/http/vocabulary.ts';
import { createProject, prepareProject } from './create-project.ts';
import { deleteProject, type RemoveContents } from './delete-project.ts';
import { shortDescriptionOf } from './normalise-project.ts';
import { presentProject } from './present-project.ts';
import { CreateProject, Deleted, Project, SearchHitProject, UpdateProject } from './schema.ts';
import { searchProjects } from './search-projects.ts';
import { updateProject } from './update-project.ts';

export const projectRoutes = (removeContents: readonly RemoveContents[]) => [
  route({
    method: 'POST',
    path: '/projects',
    summary: 'Create a project; the same idea gives the same project',
    limit: OWN_LIMITS.light,
    errors: [409],
    body: CreateProject,
    responses: { 201: Project },
    async handle({ ctx, principal, body }, reply) {
      const prepared = await prepareProject(ctx, body.title, body.description);
      const { row } = await ctx.db.transaction().execute((tx) => createProject(ctx, tx, principal.userId, prepared));
      return reply(201, presentProject(row));
    },
  }),
  route({
    method: 'GET',
    path: '/projects/search',
    summary: 'Search own projects by meaning',
    errors: [503],
    limit: OWN_LIMITS.light,
    query: z.object({ q: z.string().min(1).max(500), limit: wholeNumber({ standard: 10, min: 1, max: 50 }) }),
    responses: { 200: z.object({ items: z.array(SearchHitProject), query: z.string() }) },
    async handle({ ctx, principal, query }, reply) {
      const found = await searchProjects(ctx, principal, query.q, query.limit);
      const items = found.map(({ row, similarity }) => ({
        project_id: row.id,
        short_title: row.short_title,
        short_description: shortDescriptionOf({ ...row, oneLiner: row.one_liner }),
        state: row.state,
        similarity,
      }));
      return reply(200, { items, query: query.q });
    },
  }),
  route({
    method: 'PATCH',
    path: '/projects/{id}',
    summary: 'Change title or description, or set it to blocked or done',
    limit: OWN_LIMITS.light,
    params: idParam('id'),
    body: UpdateProject,
    responses: { 200: Project },
    async handle({ ctx, principal, params, body }, reply) {
      return reply(200, presentProject(await updateProject(ctx, principal, params.id, body)));
    },
  }),
  route({
    method: 'DELETE',
    path: '/projects/{id}',
    summary: 'Delete a project with everything in it',
    params: idParam('id'),
    responses: { 200: Deleted },
    async handle({ ctx, principal, params }, reply) {
      await deleteProject(ctx, principal, params.id, removeContents);
      return reply(200, { success: true });
    },
  }),
];
