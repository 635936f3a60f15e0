import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import { countGivenUp, listGivenUp } from '#platform/domain-events/domain-event-store.ts';
import type { Reactions } from '#platform/domain-events/domain-events.ts';
import type { Actor } from '#platform/actor.ts';
import type { Guard } from '#platform/http/guards/guard.ts';
import { perIp } from '#platform/http/route-limits.ts';
import { route } from '#platform/http/shapes/json.ts';
import { countOutbox, listOutbox } from '#platform/ports/text-messages/outbox.ts';
import type { SealedColumn } from '#platform/sealed-column.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import { GivenUpList, OutboxList, Queued, Rotate, Rotated, RunAgain } from './schema.ts';

const LIMIT = perIp(60);
/** As often as a rotation has steps. */
const ROTATION_LIMIT = perIp(6000);

type Operated = Pick<Reactions, 'runAgain' | 'runAllAgain'> & { sealedColumns: readonly SealedColumn[] };

/** What the operator of an installation looks at and mends. @param guard lets the operator in and nobody else */
export const operatorRoutes = ({ runAgain, runAllAgain, sealedColumns }: Operated, guard: Guard<Actor>) => [
  route({
    method: 'GET',
    path: '/admin/reactions',
    summary: 'Reactions to events that gave up, the latest first',
    guard,
    client: 'operators',
    limit: LIMIT,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    responses: { 200: GivenUpList },
    async handle({ ctx: { db }, query }, reply) {
      const items = await listGivenUp(db, query.limit);
      return reply(200, {
        total: await countGivenUp(db),
        items: items.map(({ eventId, event, reaction, endedAt, error }) => ({
          event_id: eventId,
          event,
          reaction,
          gave_up_at: endedAt.toISOString(),
          error,
        })),
      });
    },
  }),
  route({
    method: 'POST',
    path: '/admin/reactions/run',
    summary: 'Runs a reaction again that gave up',
    guard,
    client: 'operators',
    limit: LIMIT,
    errors: [404],
    body: RunAgain,
    responses: { 202: Queued },
    async handle({ ctx: { db }, body }, reply) {
      const isQueued = await db.transaction().execute((tx) => runAgain(tx, body.event_id, body.reaction));
      if (!isQueued) throw notFound('A reaction that gave up with this event and name');
      return reply(202, { queued: 1 });
    },
  }),
  route({
    method: 'POST',
    path: '/admin/reactions/run-all',
    summary: 'Runs every reaction again that gave up',
    guard,
    client: 'operators',
    limit: LIMIT,
    responses: { 202: Queued },
    async handle(_request, reply) {
      return reply(202, { queued: await runAllAgain() });
    },
  }),
  route({
    method: 'GET',
    path: '/admin/outbox',
    summary: 'Text messages that wait to be passed on, the latest first',
    description: 'They are kept here where no text message service is configured, for a week. They may hold codes.',
    guard,
    client: 'operators',
    limit: LIMIT,
    query: z.object({ limit: z.coerce.number().int().min(1).max(200).default(50) }),
    responses: { 200: OutboxList },
    async handle({ ctx, query }, reply) {
      const items = await listOutbox(ctx, query.limit);
      return reply(200, {
        total: await countOutbox(ctx.db),
        items: items.map(({ id, to, body, createdAt }) => ({ id, to, body, created_at: createdAt.toISOString() })),
      });
    },
  }),
  route({
    method: 'POST',
    path: '/admin/secrets/rotate',
    summary: 'Seals stored secrets under a new key, a step at a time',
    guard,
    client: 'operators',
    limit: ROTATION_LIMIT,
    body: Rotate,
    responses: { 200: Rotated },
    async handle({ ctx, body }, reply) {
      const { newKey, columns, next } = await rotateSecrets(ctx, sealedColumns, body.cursor ?? null);
      return reply(200, { new_key: newKey, columns, next });
    },
  }),
];
