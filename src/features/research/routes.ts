import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { OWN_LIMITS, perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { streamRoute } from '#platform/http/shapes/stream.ts';
import { idempotencyOf } from '#platform/idempotency/idempotency-header.ts';
import { idParam, Timestamp } from '#platform/http/vocabulary.ts';
import { diffResearch } from './diff-research.ts';
import { researchStream } from './events.ts';
import { requireMarkets } from './interpretation/correct-research.ts';
import { moveResearch } from './move-research.ts';
import { remixResearch } from './remix-research.ts';
import { setScope } from './research-access-store.ts';
import { findOwnedJob } from './research-store.ts';
import { listQueued } from './retry-queue-store.ts';
import { queueResearch, START_LIMIT } from './retry-queue.ts';
import { Cloned, Mode, Replayed, ResearchStatus, ReuseScope, Started, StartResearch, ToldMarkets } from './schema.ts';
import { publishResearch, revokeShare, sendResearch, ShareRequest } from './share-research.ts';
import { startResearch, type ResearchRequest } from './start-research.ts';

const JobId = idParam('job_id');
const ListDiff = z.object({ added: z.array(z.string()), removed: z.array(z.string()), unchanged: z.int() });

export const researchRoutes = [
  route({
    method: 'POST',
    path: '/research',
    summary: 'Start market or feature research',
    errors: [402, 404, 409],
    limit: perUser(START_LIMIT.max, 'minute', START_LIMIT.bucket),
    body: StartResearch,
    responses: { 200: z.union([Cloned, Replayed]), 202: Started },
    onLimited: ({ ctx, principal, body }) => queueResearch(ctx, principal, requestOf(body)),
    async handle({ ctx, principal, body, headers }, reply) {
      const started = await startResearch(ctx, principal, requestOf(body), withKey(headers, 'POST /research'));
      const { jobId } = started;
      if (started.outcome === 'queued') return reply(202, { job_id: jobId, status: 'queued', position: started.position });
      if (started.outcome === 'in_progress') return reply(200, { job_id: jobId, status: 'in_progress' });
      return reply(200, { job_id: jobId, cache_action: 'clone', status: 'completed' });
    },
  }),
  streamRoute({
    path: '/research/{job_id}/events',
    summary: "Follow a research job's events",
    params: JobId,
    async open({ ctx, principal, params, requestId }) {
      const job = await findOwnedJob(ctx.db, principal.userId, params.job_id);
      if (!job) throw notFound('Research job');
      return { key: researchStream(job.id), start: { request_id: requestId, job_id: job.id } };
    },
  }),
  route({
    method: 'GET',
    path: '/research/{job_id}/status',
    summary: 'State of a research job',
    params: JobId,
    responses: { 200: ResearchStatus },
    async handle({ ctx, principal, params }, reply) {
      const job = await findOwnedJob(ctx.db, principal.userId, params.job_id);
      if (!job) throw notFound('Research job');
      const head = await ctx.streams.head(ctx.db, researchStream(job.id));
      return reply(200, {
        job_id: job.id,
        status: job.status,
        pipeline_stage: job.pipeline_stage,
        last_event_seq: head?.lastSeq ?? 0,
        error: job.error,
      });
    },
  }),
  route({
    method: 'GET',
    path: '/research/queued',
    summary: 'Requests that wait because of the rate limit',
    limit: perUser(30),
    responses: {
      200: z.object({
        count: z.int(),
        items: z.array(z.object({ id: z.uuid(), idea: z.string(), project_id: z.uuid().nullable(), mode: Mode, queued_at: Timestamp })),
      }),
    },
    async handle({ ctx, principal }, reply) {
      const queued = await listQueued(ctx.db, principal.userId);
      const items = queued.map((item) => ({ id: item.id, idea: item.idea, project_id: item.projectId, mode: item.mode, queued_at: item.queuedAt }));
      return reply(200, { count: items.length, items });
    },
  }),
  route({
    method: 'PATCH',
    path: '/research/scope',
    summary: 'Set the visibility of several research jobs',
    body: z.object({ job_ids: z.array(z.uuid()).min(1).max(100), reuse_scope: ReuseScope }),
    responses: { 200: z.object({ updated: z.int(), reuse_scope: ReuseScope }) },
    async handle({ ctx, principal, body }, reply) {
      const updated = await setScope(ctx.db, principal.userId, body.job_ids, body.reuse_scope);
      return reply(200, { updated, reuse_scope: body.reuse_scope });
    },
  }),
  route({
    method: 'PATCH',
    path: '/research/{job_id}',
    summary: 'Put a research job into a project',
    params: JobId,
    body: z.object({ project_id: z.uuid() }),
    responses: { 200: z.object({ job_id: z.uuid(), project_id: z.uuid() }) },
    async handle({ ctx, principal, params, body }, reply) {
      await moveResearch(ctx, principal, params.job_id, body.project_id);
      return reply(200, { job_id: params.job_id, project_id: body.project_id });
    },
  }),
  route({
    method: 'GET',
    path: '/research/{job_id}/diff',
    summary: 'Compare with the previous version',
    params: JobId,
    responses: {
      200: z.discriminatedUnion('diff_available', [
        z.object({
          diff_available: z.literal(true),
          current_version: z.int(),
          previous_version: z.int(),
          competitors: ListDiff,
          features: ListDiff,
          recommendation_changed: z.boolean(),
        }),
        z.object({ diff_available: z.literal(false), reason: z.string() }),
      ]),
    },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await diffResearch(ctx, principal, params.job_id));
    },
  }),
  route({
    method: 'POST',
    path: '/research/{job_id}/remix',
    summary: 'Three pivots of a completed research',
    errors: [409, 502, 503],
    limit: OWN_LIMITS.work,
    params: JobId,
    responses: {
      200: z.object({ suggestions: z.array(z.object({ idea: z.string(), rationale: z.string(), differentiation: z.string() })).length(3) }),
    },
    async handle({ ctx, principal, params, signal }, reply) {
      return reply(200, { suggestions: await remixResearch(ctx, principal, params.job_id, signal) });
    },
  }),
  route({
    method: 'PATCH',
    path: '/research/{job_id}/scope',
    summary: 'Keep the result private or let it answer the same idea of others',
    params: JobId,
    body: z.object({ reuse_scope: ReuseScope }),
    responses: { 200: z.object({ job_id: z.uuid(), reuse_scope: ReuseScope }) },
    async handle({ ctx, principal, params, body }, reply) {
      const updated = await setScope(ctx.db, principal.userId, [params.job_id], body.reuse_scope);
      if (updated === 0) throw notFound('Research job');
      return reply(200, { job_id: params.job_id, reuse_scope: body.reuse_scope });
    },
  }),
  route({
    method: 'POST',
    path: '/research/{job_id}/share',
    summary: 'Publish a page without a body, send to a tool with one',
    errors: [400],
    params: JobId,
    body: ShareRequest,
    emptyBody: 'allowed',
    responses: { 200: z.object({ share_token: z.string(), share_url: z.url() }) },
    async handle({ ctx, principal, params, body }, reply) {
      if (Object.keys(body).length > 0) await sendResearch(ctx, principal, params.job_id, body);
      return reply(200, await publishResearch(ctx, principal, params.job_id));
    },
  }),
  route({
    method: 'DELETE',
    path: '/research/{job_id}/share',
    summary: 'End the public page',
    params: JobId,
    responses: { 200: z.object({ revoked: z.literal(true) }) },
    async handle({ ctx, principal, params }, reply) {
      await revokeShare(ctx, principal, params.job_id);
      return reply(200, { revoked: true });
    },
  }),
];

/**
 * `POST /projects/research`: a project and its first research in one transaction. Mounted with the projects family.
 * @param limited whether it shares the limit of `POST /research` instead of having its own
 */
export const projectResearchRoute = (limited: boolean) =>
  route({
    method: 'POST',
    path: '/projects/research',
    summary: 'Create a project and start its first research',
    errors: [402, 409],
    limit: limited ? perUser(START_LIMIT.max, 'minute', START_LIMIT.bucket) : OWN_LIMITS.work,
    body: z.object({
      idea: z.string().min(1).max(5000),
      description: z.string().max(20_000).default(''),
      mode: Mode.default('market'),
      markets: ToldMarkets.optional(),
    }),
    responses: {
      200: z.union([Cloned.extend({ project_id: z.uuid() }), Replayed.extend({ project_id: z.uuid() })]),
      202: Started.extend({ project_id: z.uuid() }),
    },
    async handle({ ctx, principal, body, headers }, reply) {
      const request: ResearchRequest = { idea: body.idea, projectId: null, mode: body.mode, ...(body.markets ? { markets: body.markets } : {}) };
      requireMarkets(body.markets ?? []);
      const options = {
        ...withKey(headers, 'POST /projects/research'),
        newProject: { description: body.description, itselfOnly: true },
      } as const;
      const started = await startResearch(ctx, principal, request, options);
      const ids = { project_id: started.projectId ?? '', job_id: started.jobId };
      if (started.outcome === 'queued') return reply(202, { ...ids, status: 'queued', position: started.position });
      if (started.outcome === 'in_progress') return reply(200, { ...ids, status: 'in_progress' });
      return reply(200, { ...ids, cache_action: 'clone', status: 'completed' });
    },
  });

const requestOf = (body: StartResearch): ResearchRequest => ({ idea: body.idea, projectId: body.project_id ?? null, mode: body.mode });

const withKey = (headers: Readonly<Record<string, string | string[] | undefined>>, routeName: string) => {
  const idempotency = idempotencyOf(headers, routeName);
  return idempotency ? { idempotency } : {};
};
