import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '#platform/http/openapi.ts';
import { registryOf } from '#platform/http/registry.ts';
import { declaredFamilies } from './declared-routes.ts';

type Schema = Record<string, unknown>;
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: unknown[];
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, Schema> };
};

const http = { baseUrl: 'http://localhost:8080' } as never;
const families = declaredFamilies();
const document = openApiDocument(families, { version: '0.0.0', http }) as unknown as Document;
const registry = registryOf(families);
const operations = registry.map((route) => ({ route, operation: document.paths[route.path]?.[route.method.toLowerCase()] }));

describe('the OpenAPI document', () => {
  it('is the one in git; after a wanted change write it anew with "vitest run tests/contract/openapi.test.ts -u"', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot(join(import.meta.dirname, 'openapi.json'));
  });

  it('has the structure of OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: expect.any(String), version: '0.0.0' });
    for (const path of Object.keys(document.paths)) expect(path).toMatch(/^\//);
    const methods = Object.values(document.paths).flatMap((item) => Object.keys(item));
    expect(methods.filter((method) => !['get', 'post', 'put', 'patch', 'delete'].includes(method))).toEqual([]);
  });

  it('describes every declared route and nothing else', () => {
    expect(operations.filter(({ operation }) => !operation).map(({ route }) => `${route.method} ${route.path}`)).toEqual([]);
    expect(Object.values(document.paths).flatMap((item) => Object.keys(item))).toHaveLength(registry.length);
  });

  it('gives each operation an id of its own', () => {
    const ids = operations.map(({ operation }) => operation?.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('resolves every reference', () => {
    const names = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !(name in document.components.schemas))).toEqual([]);
  });
});

describe.each(operations.map((each) => [`${each.route.method} ${each.route.path}`, each] as const))('%s', (_name, { route, operation }) => {
  it('declares its parameters, its security and its body', () => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name).sort()).toEqual(inPath.sort());
    for (const parameter of declared) expect(parameter.required).toBe(true);
    const schemes = route.declared.guard.security.map(({ name }) => name);
    expect((operation?.security ?? []).flatMap((entry) => Object.keys(entry as object))).toEqual(schemes);
    expect(schemes.filter((name) => !(name in document.components.securitySchemes))).toEqual([]);
    expect(operation?.requestBody !== undefined).toBe(
      route.declared.body !== undefined || ['consumes', 'files'].some((way) => way in route.declared),
    );
  });

  it('has the error entries that follow from its declaration [R019 R028 R029 R032 R037 R038 R040]', () => {
    const { declared } = route;
    const takesInput = declared.params !== undefined || declared.query !== undefined || declared.body !== undefined;
    const expected = [
      ...(declared.body ? ['400'] : []),
      ...declared.guard.refusals.map(String),
      ...(declared.params ? ['404'] : []),
      ...(takesInput ? ['422'] : []),
      ...(declared.limit ? ['429'] : []),
      '500',
    ];
    const present = Object.keys(operation?.responses ?? {});
    expect(present).toEqual(expect.arrayContaining(expected));
    for (const status of expected) {
      expect(operation?.responses[status]?.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    }
  });

  it('describes each success', () => {
    const successes = Object.entries(operation?.responses ?? {}).filter(([status]) => status < '400');
    expect(successes.length).toBeGreaterThan(0);
    for (const [status, { description, content }] of successes) {
      expect(description).not.toBe(status);
      if (!['101', '204'].includes(status)) expect(Object.keys(content ?? {}).length).toBeGreaterThan(0);
    }
  });
});

/** Errors that the interface states for a route beyond what its inputs imply. */
const STATED: Record<string, string[]> = {
  'POST /auth/session': ['503'],
  'POST /auth/rebind': ['409'],
  'POST /projects/research': ['409'],
  'GET /projects/search': ['503'],
  'POST /research': ['409'],
};

describe('errors that the interface states for single routes', () => {
  it.each(Object.entries(STATED))('%s names %j', (name, statuses) => {
    const [method = '', path = ''] = name.split(' ');
    const present = Object.keys(document.paths[path]?.[method.toLowerCase()]?.responses ?? {});
    expect(present).toEqual(expect.arrayContaining(statuses));
  });
});
