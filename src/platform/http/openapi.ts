import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import { registryOf, type Family, type RegisteredRoute } from './registry.ts';

const ErrorBody = z
  .object({ detail: z.union([z.string(), z.object({ code: z.string(), message: z.string() })]) })
  .meta({ id: 'Error', description: 'What went wrong. A 500 adds `request_id`.' });

const StreamLine = z
  .object({ v: z.literal(1), event: z.string(), data: z.looseObject({}) })
  .meta({ id: 'StreamLine', description: 'One line of a stream; `done` is the last.' });

/** The OpenAPI 3.1 document of the declared routes. */
export function openApiDocument(families: readonly Family[], config: Pick<Config, 'version' | 'http'>): Record<string, unknown> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const registered of registryOf(families)) {
    const operations = (paths[registered.path] ??= {});
    operations[registered.method.toLowerCase()] = operationOf(registered);
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Groundwork', version: config.version, description: 'Turns a product idea into evidence, a plan and code.' },
    servers: [{ url: config.http.baseUrl }],
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A session token or an identity JWT.' } } },
    paths: paths as ZodOpenApiPathsObject,
  }) as unknown as Record<string, unknown>;
}

function operationOf({ declared, family, path, limit }: RegisteredRoute): ZodOpenApiOperationObject {
  const responses: Record<string, unknown> = {};
  if (declared.kind === 'stream') responses['200'] = { description: 'NDJSON events', content: { 'application/x-ndjson': { schema: StreamLine } } };
  if (declared.kind === 'file') {
    const file = { schema: { type: 'string', format: 'binary' } };
    responses['200'] = { description: 'The file', content: Object.fromEntries(declared.produces.map((type) => [type, file])) };
  }
  for (const [status, schema] of Object.entries(declared.responses ?? {})) {
    const content = { 'application/json': { schema }, ...(declared.kind === 'page' ? { 'text/html': { schema: z.string() } } : {}) };
    responses[status] = status === '204' ? { description: 'Done' } : { description: describeStatus(status), content };
  }
  for (const status of errorStatuses(declared)) {
    responses[status] ??= { description: describeStatus(status), content: { 'application/json': { schema: ErrorBody } } };
  }
  return {
    operationId: `${declared.method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_all, next: string) => next.toUpperCase())}`,
    summary: declared.summary,
    tags: [family],
    ...(limit ? { description: `Limit: ${limit}.` } : {}),
    security: declared.auth === 'public' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(declared.params ? { path: declared.params as z.ZodObject } : {}),
      ...(declared.query ? { query: declared.query as z.ZodObject } : {}),
    },
    ...(declared.body
      ? { requestBody: { required: declared.emptyBody !== 'allowed', content: { 'application/json': { schema: declared.body } } } }
      : {}),
    responses: responses as ZodOpenApiOperationObject['responses'],
  };
}

function errorStatuses(declared: RegisteredRoute['declared']): string[] {
  return [
    ...(declared.auth === 'public' ? [] : ['401']),
    ...(declared.body ? ['400'] : []),
    ...(declared.params ? ['404'] : []),
    ...(declared.params || declared.query || declared.body ? ['422'] : []),
    ...(declared.limit ? ['429'] : []),
    ...(declared.errors ?? []).map(String),
    '500',
  ];
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted; the work goes on in the background',
  400: 'Missing or structurally invalid input',
  401: 'Missing, expired or invalid token',
  403: 'No permission',
  404: 'Absent or not owned',
  409: 'Conflict with the present state',
  422: 'Invalid field value',
  429: 'Rate limited; `Retry-After` gives seconds',
  500: 'Internal error',
  502: 'External service error',
  503: 'Dependency down',
};
const describeStatus = (status: string): string => DESCRIPTIONS[status] ?? status;
