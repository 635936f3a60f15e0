import { z } from 'zod';
import { perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { wholeNumber } from '#platform/http/vocabulary.ts';
import { listCards } from './card-store.ts';
import { PipelineCard } from './schema.ts';

export const cardRoutes = [
  route({
    method: 'GET',
    path: '/v1/cards',
    aliases: ['/cards'],
    summary: 'Progress cards, newest first; after an instant, the older ones',
    limit: perUser(60),
    query: z.object({
      project_id: z.uuid().optional(),
      after: z.iso.datetime({ offset: true }).describe('cards strictly older than this').optional(),
      limit: wholeNumber({ standard: 50, min: 1, max: 200 }),
    }),
    responses: { 200: z.object({ items: z.array(PipelineCard), count: z.int() }) },
    async handle({ ctx, principal, query }, reply) {
      const items = await listCards(ctx.db, principal.userId, {
        projectId: query.project_id,
        olderThan: query.after ? new Date(query.after) : undefined,
        limit: query.limit,
      });
      return reply(200, { items, count: items.length });
    },
  }),
];
