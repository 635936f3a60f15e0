import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#platform/config/config.ts';
import { openLog } from '#platform/observability/log.ts';
import { startService } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-service-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PATIENCE_MS = 20_000;

/** A process that only answers, on the embedded database in the folder; over real connections. */
async function startApi() {
  const service = await startService(loadConfig({ DATA_DIR: folder, PORT: '0', ROLES: 'api', LOG_LEVEL: 'silent' }), openLog('silent'));
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
  const call = async (method: string, path: string, token: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { call, stop: () => service.stop(0) };
}

type Api = Awaited<ReturnType<typeof startApi>>;

/** A first visit: a session, a project and a research in it that waits for a worker. */
async function visit({ call }: Api, deviceId: string, idea: string) {
  const session = await call('POST', '/auth/anonymous', '', { device_id: deviceId });
  expect(session.status).toBe(200);
  const token = String(session.body['token']);
  const project = await call('POST', '/projects', token, { title: idea });
  expect(project.status).toBe(201);
  const started = await call('POST', '/research', token, { idea, project_id: project.body['id'] });
  expect(started).toMatchObject({ status: 202, body: { status: 'queued' } });
  const jobId = String(started.body['job_id']);
  expect(await call('GET', `/research/${jobId}/status`, token)).toMatchObject({ status: 200, body: { status: 'queued' } });
  return { token, projectId: String(project.body['id']), jobId };
}

describe('a process that only answers, on the embedded database', () => {
  let kept: Awaited<ReturnType<typeof visit>>;

  it('serves a first visit on an empty folder', { timeout: 60_000 }, async () => {
    const api = await startApi();
    kept = await visit(api, 'device-first', 'A planner for community gardens');
    await api.stop();
  });

  it('serves old and new visitors on a used folder', { timeout: 60_000 }, async () => {
    const api = await startApi();
    expect(await api.call('GET', `/research/${kept.jobId}/status`, kept.token)).toMatchObject({ status: 200, body: { status: 'queued' } });
    expect((await api.call('GET', `/projects/${kept.projectId}`, kept.token)).status).toBe(200);
    await visit(api, 'device-second', 'A ledger for allotment societies');
    await api.stop();
  });
});
