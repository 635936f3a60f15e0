import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';

const app = await startTestApp({ env: { ROLES: 'api', GIT_SHA: '0123abc' } });
const { ping } = app.ctx.database;
afterEach(() => {
  app.ctx.database.ping = ping;
});
afterAll(() => app.dispose());

const get = async (url: string, accept = '*/*') => {
  const answer = await app.server.fastify.inject({ method: 'GET', url, headers: { accept } });
  return { status: answer.statusCode, body: String(answer.headers['content-type']).includes('json') ? answer.json<Record<string, unknown>>() : {} };
};

describe('health', () => {
  it('names what is deployed [R056 R057 R058]', async () => {
    const { version, gitSha, startedAt } = app.ctx.config;
    const deployment = { version, git_sha: gitSha, deployed_at_utc: startedAt };
    expect((await get('/health')).body).toEqual({ status: 'ok', database: 'ok', deployment });
    expect((await get('/version')).body).toEqual({ ...deployment, hostname: expect.any(String) });
    expect(gitSha).toBe('0123abc');
  });

  it('is degraded, with 200, while the database fails [R054 R055]', async () => {
    app.ctx.database.ping = async () => Promise.reject(new Error('gone'));
    expect(await get('/health')).toMatchObject({ status: 200, body: { status: 'degraded', database: 'unreachable' } });
    expect(await get('/status', 'application/json')).toMatchObject({ status: 200, body: { database: 'unreachable' } });
  });

  it('does not wait for a database that hangs [R055]', async () => {
    app.ctx.database.ping = () => new Promise(() => {});
    expect(await get('/health')).toMatchObject({ status: 200, body: { status: 'degraded', database: 'unreachable' } });
  });
});

describe('version', () => {
  it('does not ask the database [R061]', async () => {
    let asked = 0;
    app.ctx.database.ping = async () => void (asked += 1);
    expect((await get('/version')).status).toBe(200);
    expect(asked).toBe(0);
  });
});

describe('status', () => {
  it('counts the real registry [R068]', async () => {
    const { body } = await get('/status', 'application/json');
    const mounted = app.families.flatMap(({ routes }) => routes.flatMap((route) => [route.path, ...(route.aliases ?? [])]));
    expect(body['route_count']).toBe(mounted.length);
  });
});
