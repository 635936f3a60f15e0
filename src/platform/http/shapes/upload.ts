import { z } from 'zod';
import type { ZodOpenApiMediaTypeObject } from 'zod-openapi';
import type { Declared, Handled, Responses, Schema, Shape, Stated } from '../declared.ts';
import { any } from '../guards/any.ts';
import type { Caller } from '../guards/guard.ts';
import { mountOne } from '../mount.ts';
import { readUpload, type Upload } from '../read-upload.ts';
import { type Exchange, receiveExchange } from '../receive.ts';
import type { FileRule, UploadedFile } from '../uploaded-file.ts';
import type { Principal } from '../../principal.ts';
import { type Answer, answerWith, describeJson, type Reply, sendJson } from './json.ts';

type Rules = Readonly<Record<string, FileRule>>;
type Files<F extends Rules> = { [K in keyof F]: F[K] extends { optional: true } ? UploadedFile | undefined : UploadedFile };

type UploadRoute = Declared & {
  body?: z.ZodObject;
  shape: Shape;
  files: Rules;
  responses: Responses;
  handle(request: Handled & { files: Files<Rules> }, reply: Reply<Responses>): Promise<Answer<Responses>>;
};

/**
 * Declares a POST route that takes files as `multipart/form-data`: `files` says which, by field; `body` checks the other
 * fields, which come as texts. The files are on the disk while the route works, and gone when it has answered. Too many
 * bytes answer 413, another type 415, a body that is no form or not whole 415 and 400.
 */
export function uploadRoute<
  F extends Rules,
  R extends Responses,
  P extends Schema = undefined,
  B extends z.ZodObject | undefined = undefined,
  C extends Caller = Principal,
>(
  declared: Stated<C> & {
    files: F;
    params?: P;
    body?: B;
    responses: R;
    handle(request: Handled<P, undefined, B, C> & { files: Files<F> }, reply: Reply<R>): Promise<Answer<R>>;
  },
): UploadRoute {
  return { method: 'POST', guard: any, ...declared, shape: upload } as unknown as UploadRoute;
}

const upload: Shape<UploadRoute> = {
  mount: (server, routes, needs) => {
    // A scope of its own: elsewhere a multipart body stays one that is not understood.
    server.register(async (scope) => {
      await scope.register((await import('@fastify/multipart')).default);
      // Any other body is not read, and refused after the guard.
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
      for (const each of routes) mountOne(scope, each, needs, answer);
    });
  },
  describe: ({ files, body, responses }) => ({
    requestBody: { required: true, content: { 'multipart/form-data': formOf(files, body) } },
    responses: describeJson(responses),
    errors: [400, 413, 415],
  }),
};

async function answer(exchange: Exchange<UploadRoute>) {
  const { declared, request } = exchange;
  const read: Upload = { files: new Map(), fields: new Map() };
  try {
    const handled = await receiveExchange(exchange, async () => {
      await readUpload(request, declared.files, read);
      return Object.fromEntries(read.fields);
    });
    return sendJson(exchange, handled, await declared.handle({ ...handled, files: Object.fromEntries(read.files) }, answerWith));
  } finally {
    await Promise.all([...read.files.values()].map((file) => file.close()));
  }
}

/** The form as OpenAPI shows it: files beside the fields of the body. */
function formOf(files: Rules, body: z.ZodObject | undefined): ZodOpenApiMediaTypeObject {
  const parts = Object.entries(files).map(([name, rule]) => [name, rule.optional ? filePart(rule).optional() : filePart(rule)]);
  const encoding = Object.entries(files).map(([name, { types }]) => [name, { contentType: types.join(', ') }]);
  return { schema: z.object({ ...Object.fromEntries(parts), ...body?.shape }), encoding: Object.fromEntries(encoding) };
}

const filePart = ({ maxBytes, types }: FileRule) =>
  z.string().meta({ override: { type: 'string', format: 'binary', description: `${types.join(', ')}; at most ${maxBytes} bytes` } });
