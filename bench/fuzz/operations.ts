import type { Schema } from '../../tests/contract/json-schema.ts';

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema };

export type Operation = {
  /** `GET /projects/{id}`: by this name it is counted. */
  name: string;
  method: string;
  path: string;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  needsToken: boolean;
  /** Whether it answers with an endless stream. */
  streams: boolean;
  /** Statuses that the document states, the general 500 left out. */
  stated: ReadonlySet<number>;
};

type Described = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  security?: unknown[];
  responses: Record<string, { content?: Record<string, unknown> }>;
};

type Document = { paths: Record<string, Record<string, Described>> };

/** Reads the operations out of the service's own description. @throws Error when there is none */
export async function readOperations(url: string): Promise<Operation[]> {
  const answer = await fetch(`${url}/openapi.json`);
  if (!answer.ok) throw new Error(`GET /openapi.json answered ${answer.status}`);
  const { paths } = (await answer.json()) as Document;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
  return [...described, ...UNDESCRIBED];
}

function operationOf(method: string, path: string, { parameters = [], requestBody, security = [], responses }: Described): Operation {
  return {
    name: `${method} ${path}`,
    method,
    path,
    parameters,
    body: requestBody?.content['application/json']?.schema,
    needsToken: security.length > 0,
    streams: 'application/x-ndjson' in (responses['200']?.content ?? {}),
    stated: new Set(
      Object.keys(responses)
        .map(Number)
        .filter((status) => status !== 500),
    ),
  };
}

/** What answers without standing in the description. */
const UNDESCRIBED: readonly Operation[] = [
  '/',
  '/openapi.json',
  '/docs',
  '/docs/static/reference.js',
  '/docs/{file}',
  '/metrics',
  '/nowhere/{id}',
].map((path) => ({
  name: `GET ${path}`,
  method: 'GET',
  path,
  parameters: path.includes('{') ? [{ name: path.endsWith('{id}') ? 'id' : 'file', in: 'path', required: true, schema: { type: 'string' } }] : [],
  body: undefined,
  needsToken: false,
  streams: false,
  stated: new Set([200, 404]),
}));
