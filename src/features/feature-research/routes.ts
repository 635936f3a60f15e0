import { conflict, notFound } from '#lib/errors.ts';
import { perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { streamRoute } from '#platform/http/shapes/stream.ts';
import { idParam } from '#platform/http/vocabulary.ts';
import { featureResearchStream } from './events.ts';
import { findOwnedFeatureResearch, readFindings } from './feature-research-store.ts';
import { presentMeta, presentResults } from './present-feature-research.ts';
import { FeatureResearchMeta, FeatureResearchResults, JobState, StageValue, Started, StartFeatureResearch } from './schema.ts';
import { startFeatureResearch } from './start-feature-research.ts';

const JobId = idParam('job_id');
/** What a completed run's stream ends with: `result` and `done`. */
const LAST_EVENTS = 2;

const missing = () => notFound('Feature research job');

export const featureResearchRoutes = [
  route({
    method: 'POST',
    path: '/feature-research',
    summary: 'Research in depth how selected features are built',
    errors: [402],
    limit: perUser(5),
    body: StartFeatureResearch,
    responses: { 202: Started },
    async handle({ ctx, principal, body }, reply) {
      const { idea, features, project_id: projectId, research_id: researchId } = body;
      const input = { idea, features, projectId: projectId ?? null, researchId: researchId ?? null };
      return reply(202, { job_id: await startFeatureResearch(ctx, principal, input), status: 'queued' });
    },
  }),
  route({
    method: 'GET',
    path: '/feature-research/{job_id}',
    summary: 'A feature research job',
    params: JobId,
    responses: { 200: FeatureResearchMeta },
    async handle({ ctx, principal, params }, reply) {
      const job = await findOwnedFeatureResearch(ctx.db, principal.userId, params.job_id);
      if (!job) throw missing();
      return reply(200, presentMeta(job));
    },
  }),
  route({
    method: 'GET',
    path: '/feature-research/{job_id}/status',
    summary: 'How far a feature research job is',
    params: JobId,
    responses: { 200: JobState },
    async handle({ ctx, principal, params }, reply) {
      const job = await findOwnedFeatureResearch(ctx.db, principal.userId, params.job_id);
      if (!job) throw missing();
      const head = await ctx.streams.head(ctx.db, featureResearchStream(job.id));
      return reply(200, { status: job.status, last_event_seq: head?.lastSeq ?? 0, pipeline_stage: StageValue.parse(job.pipeline_stage) });
    },
  }),
  route({
    method: 'GET',
    path: '/feature-research/{job_id}/results',
    summary: 'What a completed feature research found',
    params: JobId,
    responses: { 200: FeatureResearchResults },
    async handle({ ctx, principal, params }, reply) {
      const job = await findOwnedFeatureResearch(ctx.db, principal.userId, params.job_id);
      if (!job) throw missing();
      const findings = job.status === 'completed' ? await readFindings(ctx.db, job.id) : null;
      if (!findings) throw conflict(`The feature research is ${job.status}; there are results once it is completed`);
      return reply(200, presentResults(job, findings));
    },
  }),
  streamRoute({
    path: '/feature-research/{job_id}/events',
    summary: "Follow a feature research job's events",
    params: JobId,
    async open({ ctx, principal, params, cursor }) {
      const job = await findOwnedFeatureResearch(ctx.db, principal.userId, params.job_id);
      if (!job) throw missing();
      const key = featureResearchStream(job.id);
      // Opened at its beginning, a completed job gives its result alone instead of the way there.
      if (job.status !== 'completed' || cursor > 0) return { key };
      const head = await ctx.streams.head(ctx.db, key);
      return { key, from: Math.max(0, (head?.lastSeq ?? 0) - LAST_EVENTS) };
    },
  }),
];
