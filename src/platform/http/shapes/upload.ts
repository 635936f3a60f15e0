import type { FastifyReply } from 'fastify';
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
import { prefersJson } from './page.ts';

type Rules = Readonly<Record<string, FileRule>>;
type Files<F extends Rules> = { [K in keyof F]: F[K] extends { optional: true } ? UploadedFile | undefined : UploadedFile };

type UploadRoute = Declared & {
  body?: z.ZodObject;
  shape: Shape;
  files: Rules;
  responses: Responses;
  page?(body: unknown, request: Handled): FormPage;
  handle(request: Handled & { files: Files<Rules> }, reply: Reply<Responses>): Promise<Answer<Responses>>;
};

/** What a browser shows that sent the form by itself. */
type FormPage = { html: string; headers: Record<string, string> };

/**
 * Declares a POST route that takes files as `multipart/form-data`: `files` says which, by field; `body` checks the other
 * fields, which come as texts. The files are on the disk while the route works, and gone when it has answered. Too many
 * bytes answer 413, another type 415, a body that is no form or not whole 415 and 400. With a `page`, a form of a page
 * without scripts can be sent to it: whoever asks for HTML gets that instead of the JSON of the answer.
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
    page?(body: z.output<R[keyof R]>, request: Handled<P, undefined, B, C>): FormPage;
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
    const given = await declared.handle({ ...handled, files: Object.fromEntries(read.files) }, answerWith);
    return declared.page && prefersPage(request.headers.accept) ? sendPage(exchange, handled, given) : sendJson(exchange, handled, given);
  } finally {
    await Promise.all([...read.files.values()].map((file) => file.close()));
  }
}

const prefersPage = (accept: string | undefined): boolean => Boolean(accept?.includes('text/html')) && !prefersJson(accept);

function sendPage({ declared, reply }: Exchange<UploadRoute>, handled: Handled, { status, body }: Answer<Responses>): FastifyReply {
  declared.guard.confirm?.(handled.principal);
  const { html, headers } = declared.page?.(declared.responses[status]?.parse(body), handled) ?? { html: '', headers: {} };
  return reply.status(status).headers(headers).type('text/html; charset=utf-8').send(html);
}

/** The form as OpenAPI shows it: files beside the fields of the body. */
function formOf(files: Rules, body: z.ZodObject | undefined): ZodOpenApiMediaTypeObject {
  const parts = Object.entries(files).map(([name, rule]) => [name, rule.optional ? filePart(rule).optional() : filePart(rule)]);
  const encoding = Object.entries(files).map(([name, { types }]) => [name, { contentType: types.join(', ') }]);
  return { schema: z.object({ ...Object.fromEntries(parts), ...body?.shape }), encoding: Object.fromEntries(encoding) };
}

const filePart = ({ maxBytes, types }: FileRule) =>
  z.string().meta({ override: { type: 'string', format: 'binary', description: `${types.join(', ')}; at most ${maxBytes} bytes` } });
