import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anyNumber, anyString, call, completedResearch, detail, eventsOf, newIdea, newProject, newUser, startResearch, uuid } from './black-box.ts';

const queued = { job_id: uuid(), status: 'queued', position: anyNumber() };
const cloned = { job_id: uuid(), cache_action: 'clone', status: 'completed' };
const key = (value = randomUUID()) => ({ 'idempotency-key': value });

describe('POST /research', () => {
  it('answers 202 with a job that waits [R008 R016 R017 R025 R258 R260 R261 R262 R263 R264]', async () => {
    const user = await newUser();
    const answer = await user.post('/research', { idea: newIdea() });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual(queued);
    expect(Number(answer.body['position'])).toBeGreaterThanOrEqual(1);
    expect((await user.post('/research', { idea: newIdea(), project_id: null, mode: 'feature' })).status).toBe(202);
  });

  it('answers 200 with a clone when the caller researched an identical idea; case and spaces do not count [R023 R255 R265]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const jobId = await completedResearch(user, idea);
    const answer = await user.post('/research', { idea: `  ${idea.toUpperCase().replaceAll(' ', '   ')} ` });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(cloned);
    expect(answer.body['job_id']).not.toBe(jobId);
    const status = await user.get(`/research/${String(answer.body['job_id'])}/status`);
    expect(status.body).toMatchObject({ status: 'completed', pipeline_stage: 'priorities_picked', last_event_seq: 2, error: null });
  });

  it('researches the same idea anew in another mode [R261 R265]', async () => {
    const user = await newUser();
    const idea = newIdea();
    await completedResearch(user, idea);
    expect((await user.post('/research', { idea, mode: 'feature' })).status).toBe(202);
  });

  it('does not take a failed research for a result [R265]', async () => {
    const user = await newUser();
    const idea = ` ${' '.repeat(7)}`;
    await eventsOf(user, await startResearch(user, idea));
    expect((await user.post('/research', { idea })).status).toBe(202);
  });

  it('answers 200 with a clone of another user’s public research, and never of a private one [R266 R267 R294 R295]', async () => {
    const [owner, other] = [await newUser(), await newUser()];
    const idea = newIdea();
    const jobId = await completedResearch(owner, idea);
    expect((await other.post('/research', { idea })).status).toBe(202);
    expect((await owner.patch(`/research/${jobId}/scope`, { reuse_scope: 'public' })).status).toBe(200);
    const third = await newUser();
    const clone = await third.post('/research', { idea });
    expect(clone.status).toBe(200);
    expect(clone.body).toEqual(cloned);
    expect((await third.get(`/research/${jobId}/status`)).status).toBe(404);
    expect((await third.get(`/research/${String(clone.body['job_id'])}/status`)).status).toBe(200);
    await owner.patch(`/research/${jobId}/scope`, { reuse_scope: 'user' });
    expect((await (await newUser()).post('/research', { idea })).status).toBe(202);
  });

  it('puts a clone into the project it is asked for [R260 R265]', async () => {
    const user = await newUser();
    const idea = newIdea();
    await completedResearch(user, idea);
    const project = await newProject(user);
    const clone = await user.post('/research', { idea, project_id: project });
    expect(clone.body).toEqual(cloned);
    expect((await user.get(`/projects/${project}`)).body).toMatchObject({ state: 'ready', recent_research: [{ id: clone.body['job_id'] }] });
  });

  it('answers 200 with the same job to the same Idempotency-Key: in progress, then its result [R263 R268]', async () => {
    const user = await newUser();
    const [idea, header] = [newIdea(), key()];
    const first = await user.post('/research', { idea }, header);
    expect(first.status).toBe(202);
    const { job_id } = first.body;
    const again = await user.post('/research', { idea }, header);
    expect(again.status).toBe(200);
    expect([
      { job_id, status: 'in_progress' },
      { ...cloned, job_id },
    ]).toContainEqual(again.body);
    await eventsOf(user, String(job_id));
    const later = await user.post('/research', { idea }, header);
    expect(later.status).toBe(200);
    expect(later.body).toEqual({ ...cloned, job_id });
  });

  it('keeps the keys of users and of routes apart [R263 R268]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const header = key();
    const [idea, otherIdea] = [newIdea(), newIdea()];
    expect((await user.post('/research', { idea }, header)).status).toBe(202);
    expect((await other.post('/research', { idea: otherIdea }, header)).status).toBe(202);
    expect((await user.post('/projects/research', { idea: newIdea() }, header)).status).toBe(202);
  });

  it('answers 409 to a key that came with a different request [R033]', async () => {
    const user = await newUser();
    const header = key();
    await user.post('/research', { idea: newIdea() }, header);
    const answer = await user.post('/research', { idea: newIdea() }, header);
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual(detail(/Idempotency-Key/));
  });

  it('answers one 202 and otherwise 200 for the same job when the same key comes several times at once [R268]', async () => {
    const user = await newUser();
    const [idea, header] = [newIdea(), key()];
    const answers = await Promise.all([1, 2, 3, 4].map(() => user.post('/research', { idea }, header)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 202]);
    expect(new Set(answers.map(({ body }) => body['job_id'])).size).toBe(1);
  });

  it('runs identical requests that come at once only once, whatever their keys [R034 R269]', async () => {
    const user = await newUser();
    const idea = newIdea();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => user.post('/research', { idea }, key())));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => ![200, 202, 409].includes(status))).toEqual([]);
    for (const { status, body } of answers) if (status === 200) expect(body).toEqual(cloned);
  });

  it('answers 400 when the idea is missing or a field has the wrong type [R028 R258]', async () => {
    const user = await newUser();
    const idea = newIdea();
    for (const body of [{}, { idea: 5 }, { idea: null }, { idea, project_id: 5 }, []]) {
      expect((await user.post('/research', body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it('answers 400 to a mode that is not a string [R028 R261]', async () => {
    expect((await (await newUser()).post('/research', { idea: newIdea(), mode: 5 })).status).toBe(400);
  });

  it('answers 422 to an idea that is empty or above 5000 characters, to a project_id that is no UUID, to an unknown mode [R037 R259 R260 R261 R329]', async () => {
    const user = await newUser();
    const idea = newIdea();
    for (const body of [{ idea: '' }, { idea: 'x'.repeat(5001) }, { idea, project_id: 'mine' }, { idea, mode: 'deep' }]) {
      expect((await user.post('/research', body)).status).toBe(422);
    }
    expect((await user.post('/research', { idea: `${idea} ${'and more of it '.repeat(400)}`.slice(0, 5000) })).status).toBe(202);
  });

  it('answers 404 for a project that is another user’s or missing [R010 R032]', async () => {
    const project = await newProject(await newUser());
    const user = await newUser();
    expect((await user.post('/research', { idea: newIdea(), project_id: project })).status).toBe(404);
    expect((await user.post('/research', { idea: newIdea(), project_id: randomUUID() })).status).toBe(404);
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect((await call('POST', '/research', { body: { idea: newIdea() } })).body).toEqual({ detail: 'Missing Bearer token' });
  });
});

describe('GET /research/{job_id}/status', () => {
  it('answers 200 with the fields of a job, at its end priorities_picked [R243 R244 R245 R246 R247 R249 R251 R254 R278]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, newIdea());
    const early = await user.get(`/research/${jobId}/status`);
    expect(early.body).toEqual({
      job_id: jobId,
      status: expect.stringMatching(/^(queued|running|completed)$/),
      pipeline_stage: expect.stringMatching(/^(queued|interpret|search|judge|analyze|synthesize|persist|priorities_picked)$/),
      last_event_seq: anyNumber(),
      error: null,
    });
    const lines = await eventsOf(user, jobId);
    const late = await user.get(`/research/${jobId}/status`);
    expect(late.status).toBe(200);
    expect(late.body).toEqual({
      job_id: jobId,
      status: 'completed',
      pipeline_stage: 'priorities_picked',
      last_event_seq: lines.length - 1,
      error: null,
    });
  });

  it('answers 200 with the error of a job that failed, at the stage that failed [R247 R256 R322 R323]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, '  \n ');
    await eventsOf(user, jobId);
    expect((await user.get(`/research/${jobId}/status`)).body).toEqual({
      job_id: jobId,
      status: 'failed',
      pipeline_stage: 'interpret',
      last_event_seq: 4,
      error: { code: 'EMPTY_INPUT', message: anyString(), retryable: false },
    });
  });

  it('answers 404 for another user’s, 422 when the id is no UUID [R010 R032 R037]', async () => {
    const jobId = await startResearch(await newUser(), newIdea());
    const other = await newUser();
    expect((await other.get(`/research/${jobId}/status`)).status).toBe(404);
    expect((await other.get('/research/latest/status')).status).toBe(422);
  });
});

describe('PATCH /research/{job_id}', () => {
  it('answers 200 and puts the research into the project [R282 R283]', async () => {
    const user = await newUser();
    const [jobId, project] = [await completedResearch(user, newIdea()), await newProject(user)];
    const answer = await user.patch(`/research/${jobId}`, { project_id: project });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ job_id: jobId, project_id: project });
    expect((await user.get(`/projects/${project}`)).body).toMatchObject({ state: 'ready', recent_research: [{ id: jobId }] });
  });

  it('answers 400 without project_id, 422 when it is no UUID [R028 R037 R282]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, newIdea());
    expect((await user.patch(`/research/${jobId}`, {})).status).toBe(400);
    expect((await user.patch(`/research/${jobId}`, { project_id: null })).status).toBe(400);
    expect((await user.patch(`/research/${jobId}`, { project_id: 'x' })).status).toBe(422);
  });

  it('answers 404 for another user’s research and for another user’s project [R010 R032]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const [jobId, project] = [await startResearch(user, newIdea()), await newProject(other)];
    expect((await other.patch(`/research/${jobId}`, { project_id: project })).status).toBe(404);
    expect((await user.patch(`/research/${jobId}`, { project_id: project })).status).toBe(404);
  });
});
