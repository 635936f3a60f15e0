import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#platform/config/config.ts';
import { startTestApp } from '#testing/app.ts';

const open = await startTestApp({ env: { ROLES: 'api' } });
const guarded = await startTestApp({ env: { ROLES: 'api', METRICS_TOKEN: 'a-long-secret' } });
const apart = await startTestApp({ env: { ROLES: 'worker', METRICS_TOKEN: 'a-long-secret', METRICS_PORT: '0' } });
afterAll(async () => {
  for (const app of [open, guarded, apart]) await app.dispose();
});

type Asked = { server: typeof open.server };
const ask = async ({ server }: Asked, authorization?: string) =>
  server.fastify.inject({ method: 'GET', url: '/metrics', headers: authorization === undefined ? {} : { authorization } });

describe('the metrics', () => {
  it('are for everybody where nothing is set', async () => {
    expect((await ask(open)).payload).toContain('http_request_duration_seconds');
    expect(open.metricsServer).toBeNull();
  });

  it('are for who knows the token where one is set', async () => {
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer a-long-secre',
      'Bearer a-long-secret2',
      'Basic a-long-secret',
      'a-long-secret',
    ]) {
      const answer = await ask(guarded, wrong);
      expect([answer.statusCode, answer.json()], wrong).toEqual([401, { detail: 'The metrics need their bearer token' }]);
    }
    const user = await guarded.user();
    expect((await ask(guarded, `Bearer ${user.token}`)).statusCode).toBe(401);
    expect((await ask(guarded, 'Bearer a-long-secret')).payload).toContain('http_request_duration_seconds');
    expect((await ask(guarded, 'bearer  a-long-secret')).statusCode).toBe(200);
  });

  it('are on a port of their own, and only there, where one is set', async () => {
    expect((await ask(apart, 'Bearer a-long-secret')).statusCode).toBe(404);
    const url = await apart.metricsServer?.listen({ host: '127.0.0.1', port: 0 });
    expect((await fetch(`${url}/metrics`)).status).toBe(401);
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer a-long-secret' } });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('job_duration_seconds')]);
    for (const path of ['/', '/version', '/docs', '/openapi.json']) expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  });

  it('are set whole or not at all', () => {
    expect(() => loadConfig({ METRICS_HOST: '0.0.0.0' })).toThrow('METRICS_HOST is set without METRICS_PORT.');
    expect(() => loadConfig({ METRICS_PORT: '99999' })).toThrow(/^METRICS_PORT must be a whole number/);
    expect(loadConfig({ METRICS_PORT: '9090' }).metrics).toEqual({ token: undefined, port: 9090, host: '127.0.0.1' });
  });
});
