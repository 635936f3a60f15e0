import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { perUser } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { idParam, paging } from '#platform/http/vocabulary.ts';
import { presentProduct } from './present-product.ts';
import { findOwnedProduct, recordEvent } from './product-store.ts';
import { listOwnProducts, readProduct } from './read-product.ts';
import { BehavioralEvent, ProductCard, ProductDetail, SubmitIdea } from './schema.ts';
import { submitIdea } from './submit-idea.ts';

export const productRoutes = [
  route({
    method: 'POST',
    path: '/ideas',
    summary: 'Submit an idea; the same meaning gives the same card',
    errors: [402],
    limit: perUser(20),
    body: SubmitIdea,
    responses: { 202: ProductCard },
    async handle({ ctx, principal, body }, reply) {
      const { card, job } = await submitIdea(ctx, principal, body.idea);
      return reply(202, presentProduct(card, job));
    },
  }),
  route({
    method: 'GET',
    path: '/products',
    summary: 'Own product cards, most recently updated first',
    limit: perUser(60),
    query: paging({ standard: 20, max: 100 }),
    responses: { 200: z.array(ProductCard) },
    async handle({ ctx, principal, query }, reply) {
      const entries = await listOwnProducts(ctx, principal, query);
      return reply(
        200,
        entries.map(({ card, job }) => presentProduct(card, job)),
      );
    },
  }),
  route({
    method: 'GET',
    path: '/products/{card_id}',
    summary: 'A product card with its research, as far as it is',
    limit: perUser(60),
    params: idParam('card_id'),
    responses: { 200: ProductDetail },
    async handle({ ctx, principal, params }, reply) {
      return reply(200, await readProduct(ctx, principal, params.card_id));
    },
  }),
  route({
    method: 'POST',
    path: '/products/events',
    summary: 'Record what a person did with the cards',
    limit: perUser(120),
    body: BehavioralEvent,
    responses: { 202: z.object({ ok: z.literal(true) }) },
    async handle({ ctx, principal, body }, reply) {
      const cardId = body.card_id ?? null;
      if (cardId && !(await findOwnedProduct(ctx.db, principal.userId, cardId))) throw notFound('Product');
      await recordEvent(ctx.db, { userId: principal.userId, event: body.event, cardId, metadata: body.metadata });
      return reply(202, { ok: true });
    },
  }),
];
