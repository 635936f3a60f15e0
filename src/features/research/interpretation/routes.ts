import { notFound } from '#lib/errors.ts';
import { idempotencyOf } from '#platform/idempotency/idempotency-header.ts';
import { OWN_LIMITS } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { idParam } from '#platform/http/vocabulary.ts';
import { findOwnedJob } from '../research-store.ts';
import { correctResearch } from './correct-research.ts';
import { findInterpretation } from './interpretation-store.ts';
import { Correction, CorrectionReplayed, CorrectionStarted, InterpretationAnswer } from './schema.ts';

const JobId = idParam('job_id');

/** Routes of ours beside those of the interface: how an idea was understood, and putting that right. */
export const interpretationRoutes = [
  route({
    method: 'GET',
    path: '/research/{job_id}/interpretation',
    summary: 'How a research understood its idea',
    params: JobId,
    responses: { 200: InterpretationAnswer },
    async handle({ ctx, principal, params }, reply) {
      const job = await findOwnedJob(ctx.db, principal.userId, params.job_id);
      if (!job) throw notFound('Research job');
      const understood = await findInterpretation(ctx.db, principal.userId, job.id);
      if (!understood) throw notFound('Interpretation');
      return reply(200, { job_id: job.id, corrects: job.corrects, ...understood.described });
    },
  }),
  route({
    method: 'PATCH',
    path: '/research/{job_id}/interpretation',
    summary: 'Put right how an idea was understood, and research it anew from there',
    errors: [402, 409],
    limit: OWN_LIMITS.work,
    params: JobId,
    body: Correction,
    responses: { 200: CorrectionReplayed, 202: CorrectionStarted },
    async handle({ ctx, principal, params, body, headers }, reply) {
      const request = { jobId: params.job_id, correction: body };
      const started = await correctResearch(ctx, principal, request, idempotencyOf(headers, 'PATCH /research/interpretation'));
      const ids = { job_id: started.jobId, corrects: params.job_id, project_id: started.projectId };
      if (started.outcome === 'queued') return reply(202, { ...ids, status: 'queued', position: started.position });
      return reply(200, { ...ids, status: started.outcome });
    },
  }),
];
