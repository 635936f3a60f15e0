import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anyNumber, anyString, completedResearch, eventsOf, newIdea, newProject, newUser, startResearch, uuid, type Json } from './black-box.ts';

const cloned = { job_id: uuid(), cache_action: 'clone', status: 'completed' };

describe('GET /research/{job_id}/diff', () => {
  const list = { added: expect.any(Array), removed: expect.any(Array), unchanged: anyNumber() };

  it('answers 200 against the previous completed research of the same project [R284 R285 R286 R287]', async () => {
    const user = await newUser();
    const project_id = await newProject(user);
    const first = await completedResearch(user, newIdea(0), { project_id });
    const second = await completedResearch(user, newIdea(2), { project_id });
    expect((await user.get(`/research/${first}/diff`)).body).toEqual({ diff_available: false, reason: anyString() });
    const { status, body } = await user.get(`/research/${second}/diff`);
    expect(status).toBe(200);
    expect(body).toEqual({
      diff_available: true,
      current_version: 2,
      previous_version: 1,
      competitors: list,
      features: list,
      recommendation_changed: expect.any(Boolean),
    });
    const { competitors } = body as { competitors: { added: string[]; removed: string[]; unchanged: number } };
    expect(competitors.added.length).toBeGreaterThan(0);
    expect(competitors.removed.length).toBeGreaterThan(0);
    expect(competitors.added.filter((name) => competitors.removed.includes(name))).toEqual([]);
  });

  it('compares research without a project with the same idea’s earlier one [R284 R285 R286 R287]', async () => {
    const user = await newUser();
    const idea = newIdea();
    await completedResearch(user, idea);
    const clone = await user.post('/research', { idea });
    const { body } = await user.get(`/research/${String(clone.body['job_id'])}/diff`);
    expect(body).toMatchObject({
      diff_available: true,
      current_version: 2,
      previous_version: 1,
      competitors: { added: [], removed: [] },
      features: { added: [], removed: [] },
      recommendation_changed: false,
    });
    expect((body['competitors'] as { unchanged: number }).unchanged).toBeGreaterThan(0);
  });

  it('answers 200 with a reason when there is no earlier version [R288]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    await completedResearch(user, newIdea());
    const { status, body } = await user.get(`/research/${jobId}/diff`);
    expect(status).toBe(200);
    expect(body).toEqual({ diff_available: false, reason: anyString() });
  });

  it('answers 404 for another user’s [R010 R032]', async () => {
    const jobId = await startResearch(await newUser(), newIdea());
    expect((await (await newUser()).get(`/research/${jobId}/diff`)).status).toBe(404);
  });
});

describe('POST /research/{job_id}/remix', () => {
  it('answers 200 with three different pivots [R289 R290 R291]', async () => {
    const user = await newUser();
    const jobId = await completedResearch(user, newIdea());
    const answer = await user.post(`/research/${jobId}/remix`);
    expect(answer.status).toBe(200);
    const pivot = { idea: expect.stringMatching(/\w/), rationale: expect.stringMatching(/\w/), differentiation: expect.stringMatching(/\w/) };
    expect(answer.body).toEqual({ suggestions: [pivot, pivot, pivot] });
    expect(new Set((answer.body['suggestions'] as Json[]).map(({ idea }) => idea)).size).toBe(3);
  });

  it('answers 409 for a research that failed, 404 for another user’s [R010 R035]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, '   ');
    await eventsOf(user, jobId);
    expect((await user.post(`/research/${jobId}/remix`)).status).toBe(409);
    expect((await (await newUser()).post(`/research/${jobId}/remix`)).status).toBe(404);
  });
});

describe('PATCH /research/{job_id}/scope', () => {
  it('answers 200 with the scope that holds now [R292 R293 R305]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, newIdea());
    for (const reuse_scope of ['public', 'user']) {
      const answer = await user.patch(`/research/${jobId}/scope`, { reuse_scope });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ job_id: jobId, reuse_scope });
    }
  });

  it('answers 400 without a scope, 422 to an unknown one, 404 for another user’s [R010 R028 R037 R292 R293]', async () => {
    const user = await newUser();
    const jobId = await startResearch(user, newIdea());
    expect((await user.patch(`/research/${jobId}/scope`, {})).status).toBe(400);
    expect((await user.patch(`/research/${jobId}/scope`, { reuse_scope: 'workspace' })).status).toBe(422);
    expect((await (await newUser()).patch(`/research/${jobId}/scope`, { reuse_scope: 'public' })).status).toBe(404);
  });
});

describe('PATCH /research/scope', () => {
  it('answers 200 and counts only the caller’s own jobs [R010 R303]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const ideas = [newIdea(), newIdea()];
    const mine = [await completedResearch(user, ideas[0] ?? ''), await completedResearch(user, ideas[1] ?? '')];
    const foreign = await startResearch(other, newIdea());
    const answer = await user.patch('/research/scope', { job_ids: [...mine, foreign, randomUUID()], reuse_scope: 'public' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ updated: 2, reuse_scope: 'public' });
    expect((await other.post('/research', { idea: ideas[1] })).body).toEqual(cloned);
    await user.patch('/research/scope', { job_ids: mine, reuse_scope: 'user' });
  });

  it('answers 400 when something is missing, 422 to no or too many ids or to one that is no UUID [R028 R037 R303]', async () => {
    const user = await newUser();
    const reuse_scope = 'public';
    expect((await user.patch('/research/scope', { reuse_scope })).status).toBe(400);
    expect((await user.patch('/research/scope', { job_ids: [randomUUID()] })).status).toBe(400);
    for (const job_ids of [[], ['x'], Array.from({ length: 101 }, () => randomUUID())]) {
      expect((await user.patch('/research/scope', { job_ids, reuse_scope })).status).toBe(422);
    }
  });
});
