import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sha256 } from '#lib/ids.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { gatedSearch, newGate, newIdea } from '#testing/factories.ts';
import { followNdjson, readNdjson, type Line } from '#testing/read-ndjson.ts';

const gate = newGate();
const app = await startTestApp({ overrides: { search: gatedSearch(gate) } });
let release: () => void;

beforeEach(() => {
  release = gate.close();
});
afterEach(() => release());
afterAll(() => app.dispose());

const key = () => ({ 'idempotency-key': randomUUID() });

async function start(user: TestUser, more: Record<string, unknown> = {}): Promise<{ idea: string; jobId: string }> {
  const idea = newIdea();
  const answer = await user.call('POST', '/research', { idea, ...more });
  expect(answer.status).toBe(202);
  const jobId = String(answer.body['job_id']);
  await vi.waitFor(async () => expect(await statusOf(user, jobId)).toMatchObject({ status: 'running', pipeline_stage: 'search' }), 10_000);
  return { idea, jobId };
}

const statusOf = async (user: TestUser, jobId: string) => (await user.call('GET', `/research/${jobId}/status`)).body as Record<string, unknown>;
const eventsUrl = (jobId: string, query = '') => `${app.url}/research/${jobId}/events${query}`;
const ended = (user: TestUser, jobId: string): Promise<Line[]> => readNdjson(eventsUrl(jobId), user.token);

/** Opens a stream, waits for its first lines, then gives what comes after them. */
async function opened(url: string, token: string): Promise<{ rest: Promise<Line[]> }> {
  const lines = followNdjson(url, token);
  for (let count = 0; count < 5; count += 1) await lines.next();
  const rest = (async () => {
    const list: Line[] = [];
    for await (const line of lines) list.push(line);
    return list;
  })();
  return { rest };
}

describe('while a research runs', () => {
  it('answers 409 to the identical request of the same user only [R034 R212 R269]', async () => {
    const [user, other] = [await app.user(), await app.user()];
    const { idea } = await start(user);
    for (const path of ['/research', '/projects/research']) {
      const answer = await user.call('POST', path, { idea: ` ${idea.toUpperCase()}` });
      expect(answer.status, path).toBe(409);
      expect(answer.body).toEqual({ detail: expect.any(String) });
    }
    expect((await user.call('POST', '/research', { idea }, key())).status).toBe(409);
    expect((await user.call('POST', '/research', { idea, mode: 'feature' })).status).toBe(202);
    expect((await other.call('POST', '/research', { idea })).status).toBe(202);
  });

  it('creates no project for a request that is refused [R209]', async () => {
    const user = await app.user();
    const { idea } = await start(user);
    expect((await user.call('POST', '/projects/research', { idea, description: 'Once more.' })).status).toBe(409);
    expect((await user.call('GET', '/projects')).body['items']).toEqual([]);
  });

  it('answers 200 in_progress to the same Idempotency-Key [R208 R268]', async () => {
    const user = await app.user();
    for (const path of ['/research', '/projects/research']) {
      const [idea, header] = [newIdea(), key()];
      const first = await user.call('POST', path, { idea }, header);
      expect(first.status).toBe(202);
      const { position: _position, status: _status, ...ids } = first.body as Record<string, unknown>;
      const again = await user.call('POST', path, { idea }, header);
      expect(again.status).toBe(200);
      expect(again.body).toEqual({ ...ids, status: 'in_progress' });
    }
  });

  it('shows it as running: status, project, full and home [R173 R188 R244 R245 R254]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const { jobId } = await start(user, { project_id: project });
    expect(await statusOf(user, jobId)).toEqual({
      job_id: jobId,
      status: 'running',
      pipeline_stage: 'search',
      last_event_seq: 4,
      error: null,
    });
    expect((await user.call('GET', `/projects/${project}`)).body).toMatchObject({ state: 'researching', research_count: 1 });
    expect((await user.call('GET', `/projects/${project}/full`)).body).toMatchObject({
      research: null,
      research_in_progress: { job_id: jobId, status: 'running', stage: 'search' },
    });
    expect((await user.call('GET', `/projects/${project}/home`)).body).toMatchObject({ research: [{ id: jobId, version: 1, completed_at: null }] });
    release();
    await ended(user, jobId);
    expect((await user.call('GET', `/projects/${project}/full`)).body).toMatchObject({ research: { job_id: jobId }, research_in_progress: null });
  });

  it('cannot be shared, remixed or compared [R035 R298 R299]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    expect((await user.call('POST', `/research/${jobId}/share`)).status).toBe(400);
    expect((await user.call('POST', `/research/${jobId}/share`, { target: 'chat' })).status).toBe(404);
    expect((await user.call('POST', `/research/${jobId}/remix`)).status).toBe(409);
    expect((await user.call('GET', `/research/${jobId}/diff`)).body).toEqual({ diff_available: false, reason: expect.any(String) });
  });

  it('moves into another project, which then follows it [R188 R189 R190 R283]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const { jobId } = await start(user);
    expect((await user.call('PATCH', `/research/${jobId}`, { project_id: project })).status).toBe(200);
    expect((await user.call('GET', `/projects/${project}`)).body).toMatchObject({ state: 'researching' });
    release();
    const score = Number((await ended(user, jobId)).find(({ event }) => event === 'result')?.data['quality']?.['overall_score' as never]);
    const { body } = await user.call('GET', `/projects/${project}`);
    expect(body).toMatchObject({ state: 'ready', research_count: 1 });
    expect(body['quality_score']).toBeCloseTo(score, 3);
  });
});

describe('a stream of a research that runs', () => {
  it('replays what there is, then goes live, and tells late readers the same [R242 R276 R313]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    const live = await opened(eventsUrl(jobId), user.token);
    const fromThree = await opened(eventsUrl(jobId, '?cursor=0&include_seq=true'), user.token);
    release();
    const rest = await live.rest;
    expect(rest.at(-1)?.event).toBe('done');
    expect((await fromThree.rest).map(({ seq: _seq, ...line }) => line)).toEqual(rest);
    expect((await ended(user, jobId)).slice(5)).toEqual(rest);
  });

  it('waits at a cursor beyond its present end until the research is done [R242 R276]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    const lines = readNdjson(eventsUrl(jobId, '?cursor=1000'), user.token);
    release();
    expect((await lines).map(({ event }) => event)).toEqual(['stream_start', 'done']);
  });

  it('is closed without done when its session is revoked [R079 R139]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    const stream = await opened(eventsUrl(jobId), user.token);
    await user.call('DELETE', '/auth/session');
    expect(await stream.rest).toEqual([]);
  });

  it('is closed without done when its session ends [R139]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    const stream = await opened(eventsUrl(jobId), user.token);
    const id = sha256(user.token);
    await sql`update sessions set expires_at = now() - interval '1 second' where token_hash = ${id}`.execute(app.ctx.db);
    await app.ctx.wakeups.notify(`x:${id}`);
    expect(await stream.rest).toEqual([]);
  });

  it('is closed without done when its identity JWT ends [R139]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    const stream = await opened(eventsUrl(jobId), await app.identityToken(user.userId, {}, 2));
    expect(await stream.rest).toEqual([]);
  });

  it('is left alone when another session of the same user is revoked [R079]', async () => {
    const user = await app.user();
    const { jobId } = await start(user);
    const stream = await opened(eventsUrl(jobId), user.token);
    const other = await app.server.fastify.inject({
      method: 'POST',
      url: '/auth/session',
      headers: { authorization: `Bearer ${await app.identityToken(user.userId)}` },
    });
    const token = String(other.json<{ token: string }>().token);
    await app.server.fastify.inject({ method: 'DELETE', url: '/auth/session', headers: { authorization: `Bearer ${token}` } });
    release();
    expect((await stream.rest).at(-1)?.event).toBe('done');
  });
});

describe('deleting the project of a research that runs', () => {
  it('ends its streams, stops the run and leaves nothing behind [R186 R227]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const { jobId } = await start(user, { project_id: project });
    const stream = await opened(eventsUrl(jobId), user.token);
    expect((await user.call('DELETE', `/projects/${project}`)).status).toBe(200);
    expect(await stream.rest).toEqual([]);
    release();
    await vi.waitFor(async () => expect(await stateOfJob(jobId)).toBe('completed'), 10_000);
    expect((await user.call('GET', `/research/${jobId}/status`)).status).toBe(404);
    expect(await leftOf(jobId)).toEqual({ jobs: 0, cards: 0, streams: 0, events: 0, checkpoints: 0, evidence: 0 });
  });
});

describe('rebinding a device while its research runs', () => {
  it('gives the user the running job and everything it makes [R109 R112]', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    const { jobId } = await start(visitor);
    const stream = await opened(eventsUrl(jobId), visitor.token);
    expect((await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId })).body).toMatchObject({ rebound: true, rows_updated: 1 });
    release();
    expect((await ended(user, jobId)).at(-1)?.event).toBe('done');
    await stream.rest;
    expect((await visitor.call('GET', `/research/${jobId}/status`)).status).toBe(404);
    const owners = await sql<{ user_id: string }>`select distinct user_id from cards where research_job_id = ${jobId}`.execute(app.ctx.db);
    expect(owners.rows).toEqual([{ user_id: user.userId }]);
  });
});

async function stateOfJob(jobId: string): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state::text as state from jobs.job where data ->> 'jobId' = ${jobId}`.execute(app.ctx.db);
  return rows[0]?.state;
}

async function leftOf(jobId: string): Promise<Record<string, number>> {
  const stream = `research:${jobId}`;
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from research_jobs where id = ${jobId}) as jobs,
           (select count(*)::int from cards where research_job_id = ${jobId}) as cards,
           (select count(*)::int from streams where key = ${stream}) as streams,
           (select count(*)::int from stream_events where stream_key = ${stream}) as events,
           (select count(*)::int from checkpoints where run_key = ${stream}) as checkpoints,
           (select count(*)::int from research_evidence where job_id = ${jobId}) as evidence`.execute(app.ctx.db);
  return rows[0] ?? {};
}
