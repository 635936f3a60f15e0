import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Declared, Described, Handled, Responses, Schema, Shape, Stated } from '../declared.ts';
import { any } from '../guards/any.ts';
import type { Caller, Guard } from '../guards/guard.ts';
import { mountEach } from '../mount.ts';
import { receiveExchange, type Exchange } from '../receive.ts';
import type { Principal } from '../../principal.ts';

declare const answered: unique symbol;
export type Answer<R> = { status: number; body: unknown; headers?: Record<string, string>; [answered]?: R };
export type Reply<R extends Responses> = <S extends keyof R & number>(status: S, body: z.input<R[S]>, headers?: Record<string, string>) => Answer<R>;

type JsonRoute = Declared & {
  shape: Shape;
  responses: Responses;
  handle(request: Handled, reply: Reply<Responses>): Promise<Answer<Responses>>;
};

/**
 * Declares a JSON route. From it come the mounting, the checked input, the legal answers, the limit, the OpenAPI entry
 * and the line in the registry.
 */
export function route<P extends Schema, Q extends Schema, B extends Schema, R extends Responses, C extends Caller = Principal>(
  declared: Omit<Declared, 'guard' | 'params' | 'query' | 'body' | 'responses' | 'onLimited'> &
    Stated<C> & {
      params?: P;
      query?: Q;
      body?: B;
      responses: R;
      onLimited?: (request: Handled<P, Q, B, C>) => Promise<void>;
      handle(request: Handled<P, Q, B, C>, reply: Reply<R>): Promise<Answer<R>>;
    },
): JsonRoute {
  return { guard: any as Guard, ...declared, shape: json } as unknown as JsonRoute;
}

const json: Shape<JsonRoute> = {
  mount: mountEach(async (exchange) => {
    const handled = await receiveExchange(exchange);
    return sendJson(exchange, handled, await exchange.declared.handle(handled, answerWith));
  }),
  describe: ({ body, emptyBody, responses }) => ({
    ...(body ? { requestBody: { required: emptyBody !== 'allowed', content: { 'application/json': { schema: body } } } } : {}),
    responses: describeJson(responses),
  }),
};

export const answerWith: Reply<Responses> = (status, body, headers): Answer<Responses> => ({ status, body, ...(headers ? { headers } : {}) });

/** Sends what a handler gave, held against its declared schema. */
export function sendJson({ declared, reply }: Exchange, { principal }: Handled, answer: Answer<Responses>): FastifyReply {
  declared.guard.confirm?.(principal);
  const body: unknown = declared.responses?.[answer.status]?.parse(answer.body);
  if (answer.headers) reply.headers(answer.headers);
  reply.status(answer.status);
  if (answer.status === 204) return reply.send();
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** JSON answers as OpenAPI shows them. */
export const describeJson = (responses: Responses): Described['responses'] =>
  Object.fromEntries(
    Object.entries(responses).map(([status, schema]) => [
      status,
      status === '204' ? { description: 'Done' } : { content: { 'application/json': { schema } } },
    ]),
  );
