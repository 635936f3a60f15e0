import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyRoute } from '#platform/http/declared.ts';
import { admin } from '#platform/http/guards/admin.ts';
import { every } from '#platform/http/guards/every.ts';
import { everyone } from '#platform/http/guards/everyone.ts';
import { identity } from '#platform/http/guards/identity.ts';
import { mcpToken } from '#platform/http/guards/mcp-token.ts';
import { optional } from '#platform/http/guards/optional.ts';
import { queryToken } from '#platform/http/guards/query-token.ts';
import { session } from '#platform/http/guards/session.ts';
import { sharedSecret } from '#platform/http/guards/shared-secret.ts';
import { signature } from '#platform/http/guards/signature.ts';
import { slug } from '#platform/http/guards/slug.ts';
import type { Caller, Guard } from '#platform/http/guards/guard.ts';
import { openApiDocument } from '#platform/http/openapi.ts';
import { perKey } from '#platform/http/route-limits.ts';
import { fileRoute } from '#platform/http/shapes/file.ts';
import { route } from '#platform/http/shapes/json.ts';
import { pageRoute } from '#platform/http/shapes/page.ts';
import { socketRoute } from '#platform/http/shapes/socket.ts';
import { postStreamRoute, streamRoute } from '#platform/http/shapes/stream.ts';
import { textRoute } from '#platform/http/shapes/text.ts';
import { uploadRoute } from '#platform/http/shapes/upload.ts';
import { webhookRoute } from '#platform/http/shapes/webhook.ts';

const never = async (): Promise<never> => {
  throw new Error('nobody calls it');
};
const Ok = { 200: z.object({ ok: z.boolean() }) };
const Body = z.object({ text: z.string() });
const path = '/it';
const summary = 'It';

type Content = Record<string, { schema: Record<string, unknown>; encoding?: unknown }>;
type Operation = {
  description?: string;
  security: Record<string, string[]>[];
  parameters: unknown[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  'x-websocket'?: { closes: Record<string, string> };
};
type Document = { paths: Record<string, Record<string, Operation>>; components: { securitySchemes: Record<string, Record<string, unknown>> } };

function documentOf(declared: AnyRoute): Operation & { method: string; schemes: Document['components']['securitySchemes'] } {
  const families = [{ family: 'test', routes: [declared] }];
  const document = openApiDocument(families, { version: '0', http: { baseUrl: 'http://localhost' } as never }) as unknown as Document;
  const [[method, operation] = []] = Object.entries(document.paths[declared.path] ?? {});
  if (!method || !operation) throw new Error('the route is not in the document');
  return { method, schemes: document.components.securitySchemes, ...operation };
}

const sent = ({ requestBody }: Operation): string[] => Object.keys(requestBody?.content ?? {});
const answered = ({ responses }: Operation): Record<string, string[]> =>
  Object.fromEntries(Object.entries(responses).map(([status, { content }]) => [status, Object.keys(content ?? {})]));

const JSON_TYPE = ['application/json'];

describe('a shape in the OpenAPI document', () => {
  it.each<[string, AnyRoute, { method: string; body: string[]; success: Record<string, string[]>; refusals: string[] }]>([
    [
      'json',
      route({ method: 'PUT', path, summary, body: Body, responses: Ok, handle: never }),
      { method: 'put', body: JSON_TYPE, success: { 200: JSON_TYPE }, refusals: ['400', '401', '422', '500'] },
    ],
    [
      'page',
      pageRoute({ path, summary, responses: Ok, show: never }),
      { method: 'get', body: [], success: { 200: ['application/json', 'text/html'] }, refusals: ['500'] },
    ],
    [
      'file',
      fileRoute({ path, summary, produces: ['image/png', 'text/plain'], handle: never }),
      { method: 'get', body: [], success: { 200: ['image/png', 'text/plain'] }, refusals: ['401', '500'] },
    ],
    [
      'text',
      textRoute({ path, summary, produces: ['text/csv'], handle: never }),
      { method: 'get', body: [], success: { 200: ['text/csv'] }, refusals: ['401', '500'] },
    ],
    [
      'stream',
      streamRoute({ path: '/it/{id}', summary, params: z.object({ id: z.string() }), open: never }),
      { method: 'get', body: [], success: { 200: ['application/x-ndjson'] }, refusals: ['401', '404', '422', '500'] },
    ],
    [
      'stream with a body',
      postStreamRoute({ path, summary, body: Body, events: never as never }),
      { method: 'post', body: JSON_TYPE, success: { 200: ['application/x-ndjson'] }, refusals: ['400', '401', '422', '500'] },
    ],
    [
      'stream of server-sent events',
      postStreamRoute({ path, summary, body: Body, format: 'sse', events: never as never }),
      { method: 'post', body: JSON_TYPE, success: { 200: ['text/event-stream'] }, refusals: ['400', '401', '422', '500'] },
    ],
    [
      'upload',
      uploadRoute({ path, summary, files: { audio: { maxBytes: 10, types: ['audio/wav'] } }, responses: Ok, handle: never }),
      { method: 'post', body: ['multipart/form-data'], success: { 200: JSON_TYPE }, refusals: ['400', '401', '413', '415', '500'] },
    ],
    [
      'webhook',
      webhookRoute({ path, summary, guard: everyone, body: Body, responses: Ok, handle: never }),
      { method: 'post', body: JSON_TYPE, success: { 200: JSON_TYPE }, refusals: ['400', '413', '422', '500'] },
    ],
    [
      'webhook of text',
      webhookRoute({ path, summary, guard: everyone, consumes: 'text/plain', responses: Ok, handle: never }),
      { method: 'post', body: ['text/plain'], success: { 200: JSON_TYPE }, refusals: ['400', '413', '500'] },
    ],
    [
      'socket',
      socketRoute({ path, summary, guard: everyone, connect: never }),
      { method: 'get', body: [], success: { 101: [] }, refusals: ['426', '500'] },
    ],
  ])('%s says what it takes, what it answers, and how it refuses', (_name, declared, { method, body, success, refusals }) => {
    const operation = documentOf(declared);
    expect(operation.method).toBe(method);
    expect(sent(operation)).toEqual(body);
    expect(answered(operation)).toEqual({ ...success, ...Object.fromEntries(refusals.map((status) => [status, JSON_TYPE])) });
  });

  it('upload shows its files and fields with their types and sizes', () => {
    const files = {
      audio: { maxBytes: 10, types: ['audio/wav', 'video/webm'] },
      cover: { maxBytes: 5, types: ['image/png'], optional: true },
    } as const;
    const { requestBody } = documentOf(uploadRoute({ path, summary, files, body: Body, responses: Ok, handle: never }));
    expect(requestBody?.content['multipart/form-data']).toEqual({
      schema: {
        type: 'object',
        properties: {
          audio: { type: 'string', format: 'binary', description: 'audio/wav, video/webm; at most 10 bytes' },
          cover: { type: 'string', format: 'binary', description: 'image/png; at most 5 bytes' },
          text: { type: 'string' },
        },
        required: ['audio', 'text'],
      },
      encoding: { audio: { contentType: 'audio/wav, video/webm' }, cover: { contentType: 'image/png' } },
    });
  });

  it('socket shows with which codes it closes, in place of the statuses that others refuse with', () => {
    const query = z.object({ since: z.string() });
    const limit = perKey('query', 'since', 3);
    const operation = documentOf(socketRoute({ path, summary, guard: queryToken(async () => null), query, limit, connect: never }));
    expect(Object.keys(operation.responses)).toEqual(['101', '426', '500']);
    expect(Object.keys(operation['x-websocket']?.closes ?? {})).toEqual(['1001', '1003', '1008', '1009', '1011', '1012', '1013', '4001', '4002']);
  });
});

const secret = sharedSecret({ name: 'publish', description: 'Of who publishes.', secret: 'x' });
const signed = signature({ name: 'billing', header: 'X-Billing-Signature', secret: 'x', unset: 'skip' });

describe('a guard in the OpenAPI document', () => {
  it.each<[string, Guard<Caller>, object[], string[]]>([
    ['everyone', everyone, [], []],
    ['identity', identity, [{ identity: [] }], ['401']],
    ['session', session, [{ session: [] }], ['401']],
    ['optional', optional, [{}, { bearer: [] }], ['401']],
    ['admin', admin('x'), [{ admin: [] }], ['401', '403', '503']],
    ['sharedSecret', secret, [{ publish: [] }], ['401', '503']],
    ['mcpToken', mcpToken({ find: undefined, adminSecret: 'x' }), [{ mcp: [] }], ['401', '403', '503']],
    ['signature', signed, [{ billing: [] }], ['401']],
    ['queryToken', queryToken(async () => null), [{ socket: [] }], []],
    ['every', every(secret, signed), [{ publish: [], billing: [] }], ['401', '503']],
    ['slug', slug('slug', async () => null), [], ['404']],
  ])('%s is a security scheme that stands in it', (_name, guard, security, refusals) => {
    const operation = documentOf(route({ method: 'GET', path, summary, guard, responses: Ok, handle: never }));
    expect(operation.security).toEqual(security);
    expect(Object.keys(operation.schemes ?? {})).toEqual([...new Set(security.flatMap((entry) => Object.keys(entry)))]);
    expect(Object.keys(operation.responses)).toEqual(['200', ...[...refusals, '500'].sort()]);
  });

  it('slug, for which OpenAPI has no scheme, is told in words, with its limit', () => {
    const declared = route({
      method: 'GET',
      path,
      summary,
      guard: slug('slug', async () => null),
      limit: perKey('params', 'slug', 3),
      responses: Ok,
      handle: never,
    });
    expect(documentOf(declared).description).toBe('The `slug` of the path is the credential. Limit: 3 per minute per slug.');
  });
});
