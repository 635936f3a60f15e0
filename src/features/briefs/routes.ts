import { z } from 'zod';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { streamRoute } from '#platform/http/shapes/stream.ts';
import { idParam, listEnvelope, pageOf, paging } from '#platform/http/vocabulary.ts';
import { listBriefs } from './brief-store.ts';
import { buildFromBrief } from './build-from-brief.ts';
import { deleteBrief } from './delete-brief.ts';
import { diffBrief } from './diff-brief.ts';
import { briefStream } from './events.ts';
import { getBrief, ownedBrief, presentBrief } from './read-brief.ts';
import { publishBrief } from './publish-brief.ts';
import { regenerateSection } from './regenerate-section.ts';
import { Brief, BriefDiff, CreateBrief, Created, FullBrief, Regenerating, SectionTypeValue } from './schema.ts';
import { startBrief } from './start-brief.ts';

const BriefId = idParam('brief_id');
const Revision = z
  .string()
  .regex(/^\d{1,9}$/, 'must be the number of a revision')
  .transform(Number)
  .optional();

export const briefRoutes = [
  route({
    method: 'POST',
    path: '/briefs',
    summary: 'Write a market brief from a completed research',
    errors: [402],
    limit: OWN_LIMITS.work,
    body: CreateBrief,
    responses: { 201: Created },
    async handle({ ctx, principal, body }, reply) {
      const request = { projectId: body.project_id, researchId: body.research_id ?? null, template: body.template ?? null };
      return reply(201, { brief_id: await startBrief(ctx, principal, request), status: 'generating' });
    },
  }),
  route({
    method: 'GET',
    path: '/briefs',
    summary: 'Own briefs, newest first',
    query: paging({ standard: 20, max: 100 }),
    responses: { 200: listEnvelope(Brief) },
    async handle({ ctx, principal, query }, reply) {
      const { items, ...page } = pageOf(await listBriefs(ctx.db, { userId: principal.userId }, query), query);
      return reply(200, { items: items.map(presentBrief), ...page });
    },
  }),
  route({
    method: 'GET',
    path: '/briefs/{brief_id}',
    summary: 'A brief with the sections written so far',
    params: BriefId,
    responses: { 200: FullBrief },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await getBrief(ctx, principal, params.brief_id));
    },
  }),
  route({
    method: 'DELETE',
    path: '/briefs/{brief_id}',
    summary: 'Delete a brief',
    params: BriefId,
    responses: { 204: z.null() },
    async handle({ ctx, principal, params }, reply) {
      await deleteBrief(ctx, principal, params.brief_id);
      return reply(204, null);
    },
  }),
  streamRoute({
    path: '/briefs/{brief_id}/events',
    summary: "Follow a brief's sections",
    params: BriefId,
    async open({ ctx, principal, params }) {
      return { key: briefStream((await ownedBrief(ctx, principal, params.brief_id)).id) };
    },
  }),
  route({
    method: 'POST',
    path: '/briefs/{brief_id}/sections/{section_type}/regenerate',
    summary: 'Write one section anew, as a new revision',
    limit: OWN_LIMITS.work,
    errors: [409],
    params: z.object({ brief_id: z.uuid(), section_type: SectionTypeValue }),
    responses: { 200: Regenerating },
    async handle({ ctx, principal, params }, reply) {
      const revision = await regenerateSection(ctx, principal, params.brief_id, params.section_type);
      return reply(200, { status: 'regenerating', section_type: params.section_type, revision });
    },
  }),
  route({
    method: 'GET',
    path: '/briefs/{brief_id}/diff',
    summary: 'What changed between two revisions',
    params: BriefId,
    query: z.object({ from_revision: Revision, to_revision: Revision }),
    responses: { 200: BriefDiff },
    async handle({ ctx, principal, params, query }, reply) {
      return reply(200, await diffBrief(ctx, principal, params.brief_id, { from: query.from_revision, to: query.to_revision }));
    },
  }),
  route({
    method: 'POST',
    path: '/briefs/{brief_id}/build',
    summary: "Plan what the brief's features section says to build",
    errors: [402],
    limit: OWN_LIMITS.work,
    params: BriefId,
    responses: { 201: z.object({ graph_id: z.uuid(), features_selected: z.int() }) },
    async handle({ ctx, principal, params }, reply) {
      const { graphId, selected } = await buildFromBrief(ctx, principal, params.brief_id);
      return reply(201, { graph_id: graphId, features_selected: selected });
    },
  }),
  route({
    method: 'POST',
    path: '/briefs/{brief_id}/publish-clip',
    summary: 'Make a public page of a brief, or bring it up to date',
    limit: OWN_LIMITS.work,
    errors: [409, 502],
    params: BriefId,
    responses: { 200: z.object({ url: z.string(), slug: z.string() }) },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await publishBrief(ctx, principal, params.brief_id));
    },
  }),
];
