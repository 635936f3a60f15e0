import { z } from 'zod';
import { malformed } from '#lib/errors.ts';
import { perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { RETRIED_SECTIONS } from './events.ts';
import { retrySection } from './retry-section.ts';
import { selectFeatures } from './select-features.ts';
import { submitPipelineIdea } from './submit-pipeline-idea.ts';

const InProgress = z.object({ card_id: z.uuid(), status: z.literal('in_progress') });

export const pipelineRoutes = [
  route({
    method: 'POST',
    path: '/v1/ideas',
    summary: 'Submit an idea to the pipeline',
    errors: [402, 404, 409],
    limit: perUser(20),
    body: z.object({ idea: z.string().min(3).max(5000), project_id: z.uuid().nullish() }),
    responses: { 201: InProgress },
    async handle({ ctx, principal, body }, reply) {
      return reply(201, { card_id: await submitPipelineIdea(ctx, principal, body.idea, body.project_id ?? null), status: 'in_progress' });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/pipeline/feature-selection',
    summary: 'Start the deep research of selected features',
    errors: [402, 404],
    limit: perUser(10),
    body: z.object({ research_id: z.uuid(), project_id: z.uuid().nullish(), selected_feature_ids: z.array(z.string()).min(1).max(50) }),
    responses: { 202: z.object({ card_id: z.uuid() }) },
    async handle({ ctx, principal, body }, reply) {
      const request = { researchId: body.research_id, projectId: body.project_id ?? undefined, featureIds: body.selected_feature_ids };
      return reply(202, { card_id: await selectFeatures(ctx, principal, request) });
    },
  }),
  route({
    method: 'POST',
    path: '/v1/pipeline/retry-section',
    summary: 'Compute one section of the cards again',
    errors: [403, 404, 409],
    limit: perUser(10),
    body: z.object({ research_id: z.uuid(), section: z.string() }),
    responses: { 202: InProgress },
    async handle({ ctx, principal, body }, reply) {
      const section = RETRIED_SECTIONS.find((name) => name === body.section);
      if (!section) throw malformed(`invalid_section: must be one of [${RETRIED_SECTIONS.join(', ')}]`);
      return reply(202, { card_id: await retrySection(ctx, principal, body.research_id, section), status: 'in_progress' });
    },
  }),
];
