import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import type { Config } from '../config/config.ts';
import type { AnyRoute, Described, Family } from './declared.ts';
import type { Guard } from './guards/guard.ts';
import { registryOf, type RegisteredRoute } from './registry.ts';

const ErrorBody = z
  .object({ detail: z.union([z.string(), z.object({ code: z.string(), message: z.string() })]) })
  .meta({ id: 'Error', description: 'What went wrong. A 500 adds `request_id`.' });

/** The OpenAPI 3.1 document of the declared routes. */
export function openApiDocument(families: readonly Family[], config: Pick<Config, 'version' | 'http'>): Record<string, unknown> {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  const registry = registryOf(families);
  for (const registered of registry) {
    const operations = (paths[registered.path] ??= {});
    operations[registered.method.toLowerCase()] = operationOf(registered);
  }
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Groundwork', version: config.version, description: 'Turns a product idea into evidence, a plan and code.' },
    // Relative: whoever opens the reference calls the host it came from, under whichever name.
    servers: [{ url: new URL(config.http.baseUrl).pathname }],
    components: { securitySchemes: securitySchemes(registry) },
    paths: paths as ZodOpenApiPathsObject,
  }) as unknown as Record<string, unknown>;
}

const securitySchemes = (registry: readonly RegisteredRoute[]) =>
  Object.fromEntries(registry.flatMap(({ declared }) => declared.guard.security.map(({ name, scheme }) => [name, scheme])));

function operationOf({ declared, family, path, limit }: RegisteredRoute): ZodOpenApiOperationObject {
  const described = declared.shape.describe(declared);
  return {
    operationId: `${declared.method.toLowerCase()}${path.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_all, next: string) => next.toUpperCase())}`,
    summary: declared.summary,
    tags: [family],
    ...describe([declared.description, declared.guard.note, limit && `Limit: ${limit}.`]),
    security: securityOf(declared.guard),
    requestParams: {
      ...(declared.params ? { path: declared.params as z.ZodObject } : {}),
      ...(declared.query ? { query: declared.query as z.ZodObject } : {}),
    },
    ...(described.requestBody ? { requestBody: described.requestBody } : {}),
    responses: responsesOf(declared, described) as ZodOpenApiOperationObject['responses'],
    ...described.extensions,
  };
}

/** What is presented together is one entry; a caller without anything is an empty one. */
function securityOf({ security, optional }: Guard): Record<string, string[]>[] {
  if (security.length === 0) return [];
  return [...(optional ? [{}] : []), Object.fromEntries(security.map(({ name }) => [name, []]))];
}

const describe = (sentences: readonly (string | undefined)[]): { description?: string } => {
  const said = sentences.filter(Boolean);
  return said.length > 0 ? { description: said.join(' ') } : {};
};

function responsesOf(declared: AnyRoute, described: Described): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const [status, answer] of Object.entries(described.responses)) responses[status] = { description: describeStatus(status), ...answer };
  for (const status of errorStatuses(declared, described)) {
    responses[status] ??= { description: describeStatus(String(status)), content: { 'application/json': { schema: ErrorBody } } };
  }
  return responses;
}

const errorStatuses = (declared: AnyRoute, described: Described): number[] => [
  ...(described.refusesOtherwise ? [] : impliedStatuses(declared)),
  ...(described.errors ?? []),
  ...(declared.errors ?? []),
  500,
];

const impliedStatuses = (declared: AnyRoute): number[] => [
  ...declared.guard.refusals,
  ...(declared.body ? [400] : []),
  ...(declared.params ? [404] : []),
  ...(declared.params || declared.query || declared.body ? [422] : []),
  ...(declared.limit ? [429] : []),
];

const DESCRIPTIONS: Record<string, string> = {
  101: 'The connection becomes a WebSocket',
  200: 'Success',
  201: 'Created',
  202: 'Accepted; the work goes on in the background',
  400: 'Missing or structurally invalid input',
  401: 'Missing, expired or invalid token',
  402: 'What the plan includes is used up',
  403: 'No permission',
  404: 'Absent or not owned',
  409: 'Conflict with the present state',
  413: 'Payload too large',
  415: 'Type not supported',
  422: 'Invalid field value',
  426: 'Asked for without the upgrade to a WebSocket',
  429: 'Rate limited; `Retry-After` gives seconds',
  500: 'Internal error',
  502: 'External service error',
  503: 'Dependency down',
};
const describeStatus = (status: string): string => DESCRIPTIONS[status] ?? status;
