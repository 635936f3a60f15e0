import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import {
  PROJECT_STATE,
  anyNumber,
  anyString,
  call,
  completedResearch,
  eventsOf,
  newIdea,
  newProject,
  newUser,
  projectShape,
  startResearch,
  timestamp,
  uuid,
  type Json,
  type User,
} from './black-box.ts';

describe('POST /projects', () => {
  it('answers 201 with the project, in draft [R024 R146 R147 R148 R151 R152 R153 R154 R155 R156 R157 R158 R187 R195 R196 R197 R236]', async () => {
    const user = await newUser();
    const answer = await user.post('/projects', { title: 'A habit tracking app for night nurses' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      ...projectShape,
      title: 'A habit tracking app for night nurses',
      state: 'draft',
      quality_score: 0,
      description: '',
    });
    if (user.userId) expect(answer.body['user_id']).toBe(user.userId);
    expect((await user.post('/projects', { title: 'A scheduling tool', description: 'For clinics. And more.' })).body).toMatchObject({
      description: 'For clinics. And more.',
    });
  });

  it('derives a URL-safe slug from the title [R149 R150]', async () => {
    const { body } = await (await newUser()).post('/projects', { title: 'Crème brûlée délivery & más: 100% "süß" / 寿司' });
    expect(body['slug']).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(body['slug']).toContain('brulee');
    expect((await (await newUser()).post('/projects', { title: '寿司の予約' })).body['slug']).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('answers 201 with the same project to the same idea, and refreshes updated_at [R198 R199]', async () => {
    const user = await newUser();
    const first = await user.post('/projects', { title: 'Plant care reminders', description: 'Waters on time.' });
    const again = await user.post('/projects', { title: '  plant   CARE reminders ', description: 'waters on time. ' });
    expect(again.status).toBe(201);
    expect(again.body['id']).toBe(first.body['id']);
    expect(String(again.body['updated_at']) > String(first.body['updated_at'])).toBe(true);
    expect(again.body['created_at']).toBe(first.body['created_at']);
  });

  it('makes one project of the same idea sent several times at once [R198]', async () => {
    const user = await newUser();
    const title = newIdea();
    const answers = await Promise.all([1, 2, 3, 4].map(() => user.post('/projects', { title })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
  });

  it('keeps distinct ideas that share a short title apart, and the same idea of two accounts [R198 R200]', async () => {
    const user = await newUser();
    await newProject(user, 'Photo sharing club for divers');
    await newProject(user, 'Photo sharing club for hikers');
    const { items } = (await user.get('/projects')).body as { items: Json[] };
    expect(items).toHaveLength(2);
    expect(items[0]?.['short_title']).toBe(items[1]?.['short_title']);
    expect(items[0]?.['project_id']).not.toBe(items[1]?.['project_id']);
    expect(await newProject(await newUser(), 'Photo sharing club for divers')).not.toBe(items[1]?.['project_id']);
  });

  it('answers 201 even to a title that says nothing [R157 R202]', async () => {
    const { status, body } = await (await newUser()).post('/projects', { title: '???' });
    expect(status).toBe(201);
    expect(body).toEqual({ ...projectShape, title: '???', normalization_status: 'failed' });
  });

  it('looks up the market in the background and says so on the project channel [R201 R223 R231]', async () => {
    const user = await newUser();
    const id = await newProject(user, 'A habit tracking app with streaks and reminders');
    await vi.waitFor(async () => expect((await user.get(`/projects/${id}/home`)).body).toMatchObject({ ws: { last_event_seq: 1 } }), 20_000);
  });

  it('answers 400 when the title is missing or not a string, 422 when it is empty [R028 R037 R195]', async () => {
    const user = await newUser();
    expect((await user.post('/projects', {})).status).toBe(400);
    expect((await user.post('/projects', { title: 7 })).status).toBe(400);
    expect((await user.post('/projects', { title: 'x', description: null })).status).toBe(400);
    expect((await user.post('/projects', { title: '' })).status).toBe(422);
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect((await call('POST', '/projects', { body: { title: 'x' } })).body).toEqual({ detail: 'Missing Bearer token' });
  });
});

describe('POST /projects/research', () => {
  const queued = { project_id: uuid(), job_id: uuid(), status: 'queued', position: anyNumber() };

  it('answers 202 with a project and its first research [R025 R203 R205 R206 R207 R209 R210]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const answer = await user.post('/projects/research', { idea });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual(queued);
    await eventsOf(user, String(answer.body['job_id']));
    const { body } = await user.get(`/projects/${String(answer.body['project_id'])}`);
    expect(body).toMatchObject({ title: idea, description: '', state: 'ready', research_count: 1 });
    expect(body['recent_research']).toEqual([expect.objectContaining({ id: answer.body['job_id'], idea })]);
  });

  it('answers 200 with a clone to an idea that the caller researched before [R206 R211]', async () => {
    const user = await newUser();
    const idea = newIdea();
    await completedResearch(user, idea, { mode: 'feature' });
    const answer = await user.post('/projects/research', { idea, description: 'Told again.', mode: 'feature' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ project_id: uuid(), job_id: uuid(), cache_action: 'clone', status: 'completed' });
    const { body } = await user.get(`/projects/${String(answer.body['project_id'])}`);
    expect(body).toMatchObject({ description: 'Told again.', state: 'ready', research_count: 1 });
  });

  it('answers 200 with the same ids to the same Idempotency-Key [R208]', async () => {
    const user = await newUser();
    const [idea, key] = [newIdea(), { 'idempotency-key': randomUUID() }];
    const first = await user.post('/projects/research', { idea }, key);
    const { project_id, job_id } = first.body;
    const again = await user.post('/projects/research', { idea }, key);
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ project_id, job_id });
    await eventsOf(user, String(job_id));
    const done = await user.post('/projects/research', { idea }, key);
    expect(done.body).toEqual({ project_id, job_id, cache_action: 'clone', status: 'completed' });
    expect((await user.get('/projects')).body['items']).toHaveLength(1);
  });

  it('starts identical requests that come at once only once; one that is refused leaves no project behind [R034 R209 R212]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const answers = await Promise.all([1, 2, 3, 4].map((each) => user.post('/projects/research', { idea, description: `Version ${each}` })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 202)).toHaveLength(1);
    expect(statuses.filter((status) => ![200, 202, 409].includes(status))).toEqual([]);
    const made = answers.filter(({ status }) => status < 300).map(({ body }) => body['project_id']);
    expect(((await user.get('/projects')).body['items'] as Json[]).map((item) => item['project_id']).sort()).toEqual(made.sort());
  });

  it('answers 400 to a missing idea, 422 to one that is too long or to an unknown mode [R028 R037 R203 R204 R206]', async () => {
    const user = await newUser();
    expect((await user.post('/projects/research', {})).status).toBe(400);
    expect((await user.post('/projects/research', { idea: 'x'.repeat(5001) })).status).toBe(422);
    expect((await user.post('/projects/research', { idea: newIdea(), mode: 'deep' })).status).toBe(422);
    expect((await user.get('/projects')).body['items']).toEqual([]);
  });
});

describe('GET /projects', () => {
  const item = {
    project_id: uuid(),
    state: expect.stringMatching(PROJECT_STATE),
    quality_score: anyNumber(),
    short_title: anyString(),
    short_description: anyString(),
    last_research_completed_at: null,
    has_benchmark_signal: false,
    research_count: 0,
    graph_count: 0,
    updated_at: timestamp(),
  };

  it('answers 200 with five by default, the most recently updated first [R159 R162 R163 R164 R165 R166 R213 R215 R216 R217]', async () => {
    const user = await newUser();
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await newProject(user, newIdea(count)));
    await user.patch(`/projects/${ids[1] ?? ''}`, { description: 'Touched last.' });
    const { status, body } = await user.get('/projects');
    expect(status).toBe(200);
    expect(body).toEqual({ items: [item, item, item, item, item], limit: 5, offset: 0, has_more: true });
    const order = [ids[1], ids[5], ids[4], ids[3], ids[2], ids[0]];
    expect((body['items'] as Json[]).map((entry) => entry['project_id'])).toEqual(order.slice(0, 5));
    const rest = await user.get('/projects?offset=5');
    expect(rest.body).toEqual({ items: [{ ...item, project_id: order[5] }], limit: 5, offset: 5, has_more: false });
    expect((await user.get('/projects?limit=100')).body).toMatchObject({ limit: 100, has_more: false });
    expect((await user.get('/projects?limit=6')).body).toMatchObject({ has_more: false });
  });

  it('shortens titles to three words and descriptions to 30 to 80 characters [R160 R161]', async () => {
    const user = await newUser();
    await newProject(user, 'A tool that reminds freelance translators of unpaid invoices every single week');
    await newProject(user, 'Tea', 'Hot.');
    await newProject(user, newIdea(), `${'A long description that goes on and on. '.repeat(10)}`);
    for (const entry of (await user.get('/projects')).body['items'] as Json[]) {
      expect(String(entry['short_title']).split(' ').length).toBeLessThanOrEqual(3);
      expect(String(entry['short_description']).length).toBeGreaterThanOrEqual(30);
      expect(String(entry['short_description']).length).toBeLessThanOrEqual(80);
    }
  });

  it('shows what research found [R162 R163 R164]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    await completedResearch(user, newIdea(), { project_id: id });
    const [entry] = (await user.get('/projects')).body['items'] as Json[];
    expect(entry).toMatchObject({ project_id: id, research_count: 1, has_benchmark_signal: true, last_research_completed_at: timestamp() });
  });

  it('shows nobody else’s projects [R010]', async () => {
    await newProject(await newUser());
    expect((await (await newUser()).get('/projects')).body).toEqual({ items: [], limit: 5, offset: 0, has_more: false });
  });

  it('answers 422 to a limit or offset out of range or not a number [R037 R214]', async () => {
    const user = await newUser();
    for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=ten', 'limit=1.5', 'limit=', 'limit=1&limit=2', 'offset=-1', 'offset=x']) {
      expect((await user.get(`/projects?${query}`)).status, query).toBe(422);
    }
  });
});

describe('the state of a project', () => {
  const stateOf = async (user: User, id: string) => (await user.get(`/projects/${id}`)).body['state'];

  it('goes from draft over research to ready, with the score as quality [R188 R189 R190]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    const jobId = await startResearch(user, newIdea(), { project_id: id });
    expect(await stateOf(user, id)).toMatch(/^(researching|ready)$/);
    const result = (await eventsOf(user, jobId)).find(({ event }) => event === 'result');
    const { score } = (result?.data['recommendation'] ?? {}) as { score?: number };
    const { body } = await user.get(`/projects/${id}`);
    expect(body).toMatchObject({ state: 'ready' });
    expect(body['quality_score']).toBeCloseTo(score ?? -1, 3);
  });

  it('goes back to draft when the first research fails, and stays ready when a later one does [R188 R256]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    await eventsOf(user, await startResearch(user, '   ', { project_id: id }));
    expect(await stateOf(user, id)).toBe('draft');
    await completedResearch(user, newIdea(), { project_id: id });
    await eventsOf(user, await startResearch(user, '  \t ', { project_id: id }));
    expect(await stateOf(user, id)).toBe('ready');
  });

  it('is left alone by research once it was set to blocked or done [R192 R193 R194]', async () => {
    const user = await newUser();
    for (const state of ['blocked', 'done']) {
      const id = await newProject(user);
      expect((await user.patch(`/projects/${id}`, { state })).body).toMatchObject({ state });
      await completedResearch(user, newIdea(), { project_id: id });
      expect(await stateOf(user, id)).toBe(state);
    }
  });
});
