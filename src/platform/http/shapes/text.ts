import { z } from 'zod';
import type { Declared, Handled, Schema, Shape, Stated } from '../declared.ts';
import { any } from '../guards/any.ts';
import type { Caller } from '../guards/guard.ts';
import { mountEach } from '../mount.ts';
import { receiveExchange } from '../receive.ts';
import type { Principal } from '../../principal.ts';
import { attachment } from './file.ts';

/** A text and its type, one of those that the route states, without a charset. With a `fileName` the client keeps it as a file. */
export type TextAnswer = { text: string; contentType: string; fileName?: string; headers?: Record<string, string> };

type TextRoute = Declared & { shape: Shape; produces: readonly string[]; handle(request: Handled): Promise<TextAnswer> };

/** Declares a GET route that answers with text in UTF-8 (`text/plain`, `text/markdown`, `text/csv`); errors stay `{detail}`. */
export function textRoute<P extends Schema = undefined, Q extends Schema = undefined, C extends Caller = Principal>(
  declared: Stated<C> & {
    /** Content types it may answer with. */
    produces: readonly string[];
    params?: P;
    query?: Q;
    handle(request: Handled<P, Q, undefined, C>): Promise<TextAnswer>;
  },
): TextRoute {
  return { method: 'GET', guard: any, ...declared, shape: text } as unknown as TextRoute;
}

const text: Shape<TextRoute> = {
  mount: mountEach(async (exchange) => {
    const { declared, reply } = exchange;
    const handled = await receiveExchange(exchange);
    const answer = await declared.handle(handled);
    declared.guard.confirm?.(handled.principal);
    if (answer.headers) reply.headers(answer.headers);
    if (answer.fileName) reply.header('content-disposition', attachment(answer.fileName));
    return reply.type(`${answer.contentType}; charset=utf-8`).send(answer.text);
  }),
  describe: ({ produces }) => ({
    responses: { 200: { description: 'The text', content: Object.fromEntries(produces.map((type) => [type, { schema: z.string() }])) } },
  }),
};
