import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readNdjson, type Line } from '#testing/read-ndjson.ts';
import {
  anyList,
  anyNumber,
  anyString,
  call,
  completedResearch,
  detail,
  newProject,
  newUser,
  serviceUrl,
  timestamp,
  uuid,
  type Json,
  type User,
} from './black-box.ts';

const FEATURES = [
  { id: 'scan', name: 'Receipt scanning', source: 'manual' },
  { id: 'remind', name: 'Reminders', source: 'manual' },
];
const IDEA = 'A habit tracker that scans receipts and reminds people of what they planned';
const RESEARCHED = 'A habit tracking app with streaks and reminders';
const STATUSES = ['queued', 'running', 'completed', 'failed'];
const STAGES = ['queued', 'scope', 'gather', 'analyze', 'synthesize', 'completed'];

const request = (more: Json = {}): Json => ({ idea: IDEA, features: FEATURES, ...more });
const events = (user: User, id: string, query = ''): Promise<Line[]> =>
  readNdjson(`${serviceUrl}/feature-research/${id}/events${query}`, user.token, AbortSignal.timeout(60_000));

async function started(user: User, more: Json = {}): Promise<string> {
  const answer = await user.post('/feature-research', request(more));
  expect(answer.status, answer.text).toBe(202);
  return String(answer.body['job_id']);
}

async function finished(user: User, more: Json = {}): Promise<string> {
  const id = await started(user, more);
  await events(user, id);
  return id;
}

describe('POST /feature-research', () => {
  it('answers 202 with the job queued [R454 R455 R459 R460]', async () => {
    const user = await newUser();
    const answer = await user.post('/feature-research', request({ features: [{ id: 'a', name: 'Streaks', source: 'research' }] }));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ job_id: uuid(), status: 'queued' });
  });

  it('answers 202 with a project and a research of the caller, and with null for none [R457 R458]', async () => {
    const user = await newUser();
    const projectId = await newProject(user);
    const researchId = await completedResearch(user, RESEARCHED);
    const id = await started(user, { project_id: projectId, research_id: researchId });
    expect((await user.get(`/feature-research/${id}`)).body).toMatchObject({ project_id: projectId, research_id: researchId });
    await started(user, { project_id: null, research_id: null });
  });

  it.each([
    ['without features', { idea: IDEA }],
    ['without an idea', { features: FEATURES }],
    ['with features that are no list', { idea: IDEA, features: 'scan' }],
    ['with a feature without a name', { idea: IDEA, features: [{ id: 'a', source: 'manual' }] }],
    ['with an idea that is no text', { idea: 7, features: FEATURES }],
  ])('answers 400 %s [R454 R455]', async (_what, body) => {
    const user = await newUser();
    expect((await user.post('/feature-research', body)).status).toBe(400);
  });

  it('answers 422 to an idea of more than 5000 characters and takes one of 5000 [R456]', async () => {
    const user = await newUser();
    expect((await user.post('/feature-research', request({ idea: 'a'.repeat(5001) }))).status).toBe(422);
    expect((await user.post('/feature-research', request({ idea: `${IDEA} `.padEnd(5000, 'a ') }))).status).toBe(202);
  });

  it.each([
    ['an empty list of features', { features: [] }],
    ['a project id that is no UUID', { project_id: 'mine' }],
    ['a research id that is no UUID', { research_id: 'mine' }],
  ])('answers 422 to %s [R457 R458]', async (_what, more) => {
    expect((await (await newUser()).post('/feature-research', request(more))).status).toBe(422);
  });

  it('answers 404 for a project or a research of somebody else [R457 R458]', async () => {
    const [owner, stranger] = [await newUser(), await newUser()];
    const projectId = await newProject(owner);
    const researchId = await completedResearch(owner, RESEARCHED);
    expect((await stranger.post('/feature-research', request({ project_id: projectId }))).status).toBe(404);
    expect((await stranger.post('/feature-research', request({ research_id: researchId }))).status).toBe(404);
  });

  it('answers 401 without a token', async () => {
    expect((await call('POST', '/feature-research', { body: request() })).status).toBe(401);
  });

  it('answers 429 with Retry-After to the sixth in a minute, counted per user [R477]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    for (let time = 0; time < 5; time += 1) await started(user);
    const limited = await user.post('/feature-research', request());
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    await started(other);
  });
});

describe('GET /feature-research/{job_id}', () => {
  it('answers 200 with the metadata, before and after completion [R441 R442 R443 R444 R461]', async () => {
    const user = await newUser();
    const id = await started(user);
    const meta = { id, pipeline_stage: anyString(), created_at: timestamp(), updated_at: timestamp(), project_id: null, research_id: null };
    const early = await user.get(`/feature-research/${id}`);
    expect(early.status).toBe(200);
    expect(early.body).toMatchObject(meta);
    expect(STATUSES).toContain(early.body['status']);
    expect(STAGES).toContain(early.body['pipeline_stage']);
    await events(user, id);
    const late = await user.get(`/feature-research/${id}`);
    expect(late.body).toMatchObject({ ...meta, status: 'completed', pipeline_stage: 'completed', selected_features: FEATURES });
    expect(late.body).not.toHaveProperty('error_detail');
    const { overall_score: score } = late.body['quality'] as { overall_score: number };
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(10);
  });

  it('answers 404 for a job of somebody else, one that is not there, and 422 for what is no UUID', async () => {
    const id = await started(await newUser());
    const stranger = await newUser();
    expect((await stranger.get(`/feature-research/${id}`)).status).toBe(404);
    expect((await stranger.get(`/feature-research/${randomUUID()}`)).status).toBe(404);
    expect((await stranger.get('/feature-research/nothing')).status).toBe(422);
  });

  it('answers 401 without a token', async () => {
    expect((await call('GET', `/feature-research/${randomUUID()}`)).status).toBe(401);
  });
});

describe('GET /feature-research/{job_id}/status', () => {
  it('answers 200 with exactly status, last_event_seq and pipeline_stage [R452 R453 R462]', async () => {
    const user = await newUser();
    const id = await started(user);
    const early = await user.get(`/feature-research/${id}/status`);
    expect(early.status).toBe(200);
    expect(early.body).toEqual({ status: anyString(), last_event_seq: anyNumber(), pipeline_stage: anyString() });
    expect(STATUSES).toContain(early.body['status']);
    expect(STAGES).toContain(early.body['pipeline_stage']);
    await events(user, id);
    const late = await user.get(`/feature-research/${id}/status`);
    expect(late.body).toEqual({ status: 'completed', last_event_seq: anyNumber(), pipeline_stage: 'completed' });
  });

  it('answers 404 for a job of somebody else and 401 without a token', async () => {
    const id = await started(await newUser());
    expect((await (await newUser()).get(`/feature-research/${id}/status`)).status).toBe(404);
    expect((await call('GET', `/feature-research/${id}/status`)).status).toBe(401);
  });
});

describe('GET /feature-research/{job_id}/results', () => {
  it('answers 200 with metadata, scope, analyses, blueprint, sources and quality [R440 R445 R446 R447 R448 R449 R450 R451 R463 R478]', async () => {
    const user = await newUser();
    const id = await finished(user);
    const { status, body } = await user.get(`/feature-research/${id}/results`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, status: 'completed', created_at: timestamp(), updated_at: timestamp() });
    expect(body['scope']).toMatchObject({ features: FEATURES.map((feature) => ({ id: feature.id, competitors: anyList() })) });
    const lists = {
      implementations: anyList(),
      common_patterns: anyList(),
      technical_approaches: anyList(),
      edge_cases: anyList(),
      oss_landscape: anyList(),
    };
    expect(body['analyses']).toMatchObject(FEATURES.map((feature) => ({ feature_id: feature.id, ...lists })));
    const numbers = { total_mvp_days: anyNumber(), strategic_summary: anyString() };
    expect(body['blueprint']).toMatchObject({ recommendations: anyList(), build_order: anyList(), risk_matrix: anyList(), ...numbers });
    const sources = body['sources'] as Json[];
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(source).toMatchObject({ id: anyString(), url: anyString(), title: anyString() });
    const quality = body['quality'] as { overall_score: number; dimensions: Json };
    expect(quality.overall_score).toBeGreaterThanOrEqual(0);
    expect(quality.overall_score).toBeLessThanOrEqual(10);
    expect(Object.keys(quality.dimensions).length).toBeGreaterThan(0);
  });

  it('answers 409 before completion [R464]', async () => {
    const user = await newUser();
    // Asked for right after the start of a long run; as many tries as the limit of starts allows.
    const features = Array.from({ length: 50 }, (_, place) => ({ id: `f${place}`, name: `Reminders of kind ${place}`, source: 'manual' }));
    let early = 0;
    for (let time = 0; time < 5 && early !== 409; time += 1) {
      const id = await started(user, { features });
      const answer = await user.get(`/feature-research/${id}/results`);
      early = answer.status;
      if (early === 409) expect(answer.body).toEqual(detail(/./));
      await events(user, id);
      expect((await user.get(`/feature-research/${id}/results`)).status).toBe(200);
    }
    expect(early).toBe(409);
  });

  it('answers 404 for a job of somebody else and 401 without a token', async () => {
    const id = await started(await newUser());
    expect((await (await newUser()).get(`/feature-research/${id}/results`)).status).toBe(404);
    expect((await call('GET', `/feature-research/${id}/results`)).status).toBe(401);
  });
});

describe('GET /feature-research/{job_id}/events', () => {
  it('answers 200 with the events of a run, done last and no stream_start [R439 R465 R470 R471 R472 R473 R475]', async () => {
    const user = await newUser();
    const id = await finished(user);
    const lines = await events(user, id, '?cursor=1');
    for (const line of lines) expect(Object.keys(line)).toEqual(['v', 'event', 'data']);
    const names = lines.map(({ event }) => event);
    expect(names).not.toContain('stream_start');
    expect(new Set(names)).toEqual(new Set(['stage', 'progress', 'feature_analyzed', 'result', 'done']));
    expect(names.at(-1)).toBe('done');
    const completed = lines.flatMap(({ event, data }) => (event === 'stage' && data['status'] === 'completed' ? [data['name']] : []));
    expect(completed).toEqual(['scope', 'gather', 'analyze', 'synthesize']);
    const analyzed = lines.filter(({ event }) => event === 'feature_analyzed').map(({ data }) => data);
    for (const data of analyzed) expect(data).toEqual({ feature_id: anyString(), analysis: expect.any(Object) });
    expect(analyzed.map((data) => data['feature_id']).toSorted()).toEqual(['remind', 'scan']);
  });

  it('answers a completed job at cursor 0 with its full result as one event, then done [R469 R475]', async () => {
    const user = await newUser();
    const id = await finished(user);
    const lines = await events(user, id, '?cursor=0');
    expect(lines.map(({ event }) => event)).toEqual(['result', 'done']);
    expect(lines[0]?.data).toEqual((await user.get(`/feature-research/${id}/results`)).body);
  });

  it('replays after a cursor and ends at once beyond the end [R465 R475]', async () => {
    const user = await newUser();
    const id = await finished(user);
    const last = Number((await user.get(`/feature-research/${id}/status`)).body['last_event_seq']);
    expect(await events(user, id, '?cursor=2')).toHaveLength(last - 2);
    expect((await events(user, id, `?cursor=${last}`)).map(({ event }) => event)).toEqual(['done']);
    expect((await events(user, id, `?cursor=${last + 5}`)).map(({ event }) => event)).toEqual(['done']);
  });

  it('answers 422 to a negative cursor, 404 to a stranger, 401 without a token', async () => {
    const user = await newUser();
    const id = await started(user);
    expect((await user.get(`/feature-research/${id}/events?cursor=-1`)).status).toBe(422);
    expect((await (await newUser()).get(`/feature-research/${id}/events`)).status).toBe(404);
    expect((await call('GET', `/feature-research/${id}/events`)).status).toBe(401);
  });
});
