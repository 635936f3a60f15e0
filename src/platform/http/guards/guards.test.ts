import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { unauthenticated, unavailable } from '../../../lib/errors.ts';
import { sha256 } from '../../../lib/ids.ts';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { route } from '../shapes/json.ts';
import { admin } from './admin.ts';
import { any } from './any.ts';
import type { Caller, Guard } from './guard.ts';
import { identity } from './identity.ts';
import { mcpToken } from './mcp-token.ts';
import { optional } from './optional.ts';
import { session } from './session.ts';
import { sharedSecret } from './shared-secret.ts';

const gate = newGate();
/** Answers with whom its guard let in. */
const who = <C extends Caller>(path: string, guard: Guard<C>) =>
  route({
    method: 'GET',
    path,
    summary: 'Whom the guard let in',
    guard,
    responses: { 200: z.object({ caller: z.unknown() }) },
    async handle({ principal }, reply) {
      await gate.pass();
      return reply(200, { caller: principal && 'credential' in principal ? principal.userId : principal });
    },
  });
const publish = (secret: string | undefined) =>
  sharedSecret({
    name: 'publish',
    description: 'Of who publishes.',
    secret,
    unset: unavailable('toast_publish_disabled'),
    wrong: unauthenticated('invalid_publish_key'),
  });
const TOKEN = `mcp_${'a-_9'.repeat(12)}`;
const find = async (hash: string) => (hash === sha256(TOKEN) ? { userId: 'u1', tokenId: 't1' } : null);
const routes = [
  who('/any', any),
  who('/identity', identity),
  who('/session', session),
  who('/optional', optional),
  who('/admin', admin('the-secret')),
  who('/admin-unset', admin(undefined)),
  who('/admin-empty', admin('')),
  who('/publish', publish('key')),
  who('/publish-unset', publish(undefined)),
  who('/mcp', mcpToken({ find, adminSecret: 'operator' })),
  who('/mcp-users-only', mcpToken({ find, adminSecret: undefined })),
  who('/mcp-unset', mcpToken({ find: undefined, adminSecret: undefined })),
];
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes }] } });
afterAll(() => app.dispose());

const ask = async (path: string, authorization?: string) => {
  const { statusCode, payload } = await app.server.fastify.inject({
    method: 'GET',
    url: path,
    headers: authorization === undefined ? {} : { authorization },
  });
  const { detail, caller } = JSON.parse(payload) as { detail?: unknown; caller?: unknown };
  return [statusCode, detail ?? caller];
};

describe('guards of people', () => {
  it('take the bearers that they name', async () => {
    const { token, userId } = await app.user();
    const jwt = await app.identityToken('someone');
    const outcome = async (path: string) => [(await ask(path, `Bearer ${token}`))[0], (await ask(path, `bearer ${jwt}`))[0], (await ask(path))[0]];
    expect(await outcome('/any')).toEqual([200, 200, 401]);
    expect(await outcome('/identity')).toEqual([401, 200, 401]);
    expect(await outcome('/session')).toEqual([200, 401, 401]);
    expect(await outcome('/optional')).toEqual([200, 200, 200]);
    expect(await ask('/optional', `Bearer ${token}`)).toEqual([200, userId]);
  });

  it('let in without a bearer, and overlook none that does not hold, where it is optional', async () => {
    expect(await ask('/optional')).toEqual([200, null]);
    expect(await ask('/optional', 'Basic dXNlcjpwYXNz')).toEqual([200, null]);
    for (const wrong of ['Bearer', 'Bearer ', 'Bearer unknown', 'bearer a.b.c', 'Bearer two words'])
      expect((await ask('/optional', wrong))[0], wrong).toBe(401);
  });

  it.each([
    ['/any', 401],
    ['/optional', 401],
    ['/session', 200],
  ])('%s answers %i when its session was revoked meanwhile', async (path, status) => {
    const { token } = await app.user();
    const release = gate.close();
    const asked = ask(path, `Bearer ${token}`);
    await expect.poll(() => gate.entered()).toBe(1);
    await app.server.fastify.inject({ method: 'DELETE', url: '/auth/session', headers: { authorization: `Bearer ${token}` } });
    release();
    expect((await asked)[0]).toBe(status);
  });
});

describe('guards of machines', () => {
  it.each([
    ['/admin', 'Bearer the', 403, 'invalid_admin_secret'],
    ['/admin', undefined, 401, 'missing_bearer'],
    ['/admin', 'Basic operator', 401, 'missing_bearer'],
    ['/admin-unset', 'Bearer undefined', 503, 'admin_unconfigured'],
    ['/admin-empty', 'Bearer ', 503, 'admin_unconfigured'],
    ['/publish', 'Bearer key', 200, { kind: 'system', userId: null }],
    ['/publish', 'Bearer keyy', 401, 'invalid_publish_key'],
    ['/publish-unset', 'Bearer key', 503, 'toast_publish_disabled'],
    ['/mcp', `Bearer ${TOKEN}`, 200, { kind: 'mcp', userId: 'u1', tokenId: 't1' }],
    ['/mcp', 'Bearer operator', 200, { kind: 'system', userId: null }],
    ['/mcp', undefined, 401, 'Missing Bearer token'],
    ['/mcp', 'Basic operator', 401, 'Missing Bearer token'],
    ['/mcp', `Bearer ${TOKEN.slice(0, -1)}b`, 403, 'Invalid token'],
    ['/mcp-users-only', 'Bearer operator', 403, 'Invalid token'],
    ['/mcp-unset', `Bearer ${TOKEN}`, 503, 'mcp_unconfigured'],
  ])('%s with %s answers %i', async (path, authorization, status, said) => {
    expect(await ask(path, authorization)).toEqual([status, said]);
  });

  it('know nobody by a session token or an identity JWT', async () => {
    const { token } = await app.user();
    const jwt = await app.identityToken('someone');
    for (const path of ['/admin', '/publish', '/mcp']) {
      for (const bearer of [token, jwt]) expect((await ask(path, `Bearer ${bearer}`))[0], path).toBeGreaterThanOrEqual(401);
    }
  });
});
