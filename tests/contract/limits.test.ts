import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { openApiDocument } from '#platform/http/openapi.ts';
import { registryOf } from '#platform/http/registry.ts';
import { declaredFamilies } from './declared-routes.ts';
import { sampleBody } from './sample-body.ts';

const WAIT_SECONDS = 7;

const SECRETS = {
  ADMIN_SECRET: 'the-secret-of-the-operator',
  BILLING_WEBHOOK_SECRET: 'the-secret-of-the-provider',
  TOAST_PUBLISH_SECRET: 'the-secret-of-publishers',
};
/** Bearers of those who are no users. */
const BEARERS: Record<string, string> = {
  admin: SECRETS.ADMIN_SECRET,
  webhook: SECRETS.BILLING_WEBHOOK_SECRET,
};

const app = await startTestApp({ env: { ROLES: 'api', ...SECRETS } });
const slug = String((await (await app.user()).call('GET', '/v1/notify/me')).body['slug']);
app.ctx.limiter = { hit: async () => ({ allowed: false, retryAfter: WAIT_SECONDS }) };
afterAll(() => app.dispose());

/** How to ask where neither a user's token nor any identifier gets past the guard. */
const ASKED: Record<string, { url?: string; headers: Record<string, string>; payload?: string }> = {
  'POST /v1/toasts/publish': { headers: { authorization: `Bearer ${SECRETS.TOAST_PUBLISH_SECRET}` } },
  'POST /v1/{slug}': { url: `/v1/${slug}`, headers: { 'content-type': 'text/plain' }, payload: 'hello' },
};

/** Routes that change something or make a file and yet cost little: one row, no model, no embedding, no job. */
const CHEAP = [
  'DELETE /auth/session',
  'DELETE /projects/{id}',
  'PATCH /research/scope',
  'PATCH /research/{job_id}',
  'PATCH /research/{job_id}/scope',
  'POST /research/{job_id}/share',
  'DELETE /research/{job_id}/share',
  'PATCH /build-graphs/{graph_id}',
  'DELETE /build-graphs/{graph_id}',
  'POST /build-graphs/{graph_id}/sources',
  'DELETE /briefs/{brief_id}',
];

const families = declaredFamilies();
const registry = registryOf(families);
const document = openApiDocument(families, { version: '0.0.0', http: { baseUrl: 'http://localhost' } as never }) as {
  paths: Record<string, Record<string, { description?: string; responses: Record<string, unknown> }>>;
};

describe('limits', () => {
  it('are on whatever starts work or makes something: a new route gets one, or stands in CHEAP', () => {
    const open = registry.filter(({ method, declared, limit }) => (method !== 'GET' || 'produces' in declared) && limit === '');
    expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual(CHEAP);
  });
});

describe.each(registry.filter(({ limit }) => limit !== '').map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s',
  (name, { method, path, declared, limit }) => {
    it('answers 429 with Retry-After above its limit [R038 R039]', async () => {
      const bearer = BEARERS[declared.guard.auth] ?? (await app.identityToken(`user-${randomUUID()}`));
      const answer = await app.server.fastify.inject({
        method: method as 'GET',
        url: path.replaceAll(/\{\w+\}/g, () => randomUUID()),
        remoteAddress: '203.0.113.7',
        headers: declared.guard.auth === 'public' ? {} : { authorization: `Bearer ${bearer}` },
        ...(declared.body ? { payload: sampleBody(declared.body) as object } : {}),
        ...ASKED[name],
      });
      expect(answer.statusCode).toBe(429);
      expect(answer.headers['retry-after']).toBe(String(WAIT_SECONDS));
      expect(answer.json()).toEqual({ detail: expect.stringContaining('Rate limit exceeded') });
    });

    it('says so in the reference', () => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation?.responses).toHaveProperty('429');
      expect(operation?.description).toContain(`Limit: ${limit}.`);
    });
  },
);
