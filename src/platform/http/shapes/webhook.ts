import { AppError, malformed } from '../../../lib/errors.ts';
import { readJson } from '../../../lib/read-json.ts';
import type { Declared, Handled, Responses, Schema, Shape, Stated } from '../declared.ts';
import type { Caller, Guard } from '../guards/guard.ts';
import { mountOne } from '../mount.ts';
import { receiveExchange, type Exchange } from '../receive.ts';
import { type Answer, answerWith, describeJson, type Reply, sendJson } from './json.ts';

/** What a webhook's code gets: the body as it came, byte for byte, and parsed where a schema is stated. */
export type Received<P = Schema, B = Schema, C = Caller> = Handled<P, undefined, B, C> & { raw: Buffer };

type WebhookRoute = Declared & {
  shape: Shape;
  responses: Responses;
  maxBytes: number;
  consumes: string;
  handle(request: Received, reply: Reply<Responses>): Promise<Answer<Responses>>;
};

const STANDARD = { consumes: 'application/json', maxBytes: 256 * 1024 };

/**
 * Declares a POST route for other services: its guard sees the raw bytes, its code gets them. A body that is larger than
 * `maxBytes` answers 413, one of another type than `consumes` 400. With a `body` schema the bytes are read as JSON.
 */
export function webhookRoute<R extends Responses, C extends Caller, P extends Schema = undefined, B extends Schema = undefined>(
  declared: Stated<C> & {
    guard: Guard<C>;
    maxBytes?: number;
    consumes?: string;
    params?: P;
    body?: B;
    responses: R;
    handle(request: Received<P, B, C>, reply: Reply<R>): Promise<Answer<R>>;
  },
): WebhookRoute {
  return { method: 'POST', ...STANDARD, ...declared, shape: webhook } as unknown as WebhookRoute;
}

const webhook: Shape<WebhookRoute> = {
  mount: (server, routes, needs) => {
    // A scope of its own, whose bodies nobody parses.
    server.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
      for (const each of routes) mountOne(scope, each, needs, answer, each.declared.maxBytes);
    });
  },
  describe: ({ consumes, body, responses }) => ({
    requestBody: { required: true, content: { [consumes]: { schema: body ?? { type: 'string', format: 'binary' } } } },
    responses: describeJson(responses),
    errors: [400, 413],
  }),
};

async function answer(exchange: Exchange<WebhookRoute>) {
  const { declared, request } = exchange;
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const handled = await receiveExchange(exchange, () => {
    refuseOtherType(declared.consumes, request.headers['content-type']);
    return declared.body && jsonOf(raw);
  });
  return sendJson(exchange, handled, await declared.handle({ ...handled, raw } as Received, answerWith));
}

function refuseOtherType(consumes: string, contentType = ''): void {
  if (contentType.split(';', 1)[0]?.trim().toLowerCase() !== consumes) throw malformed(`The body must have content type ${consumes}`);
}

function jsonOf(raw: Buffer): unknown {
  try {
    return readJson(raw.toString('utf8'));
  } catch (error) {
    throw error instanceof AppError ? error : malformed('The body must be JSON');
  }
}
