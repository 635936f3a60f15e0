import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { anyNumber, anyString, call, completedResearch, newIdea, newProject, newUser, timestamp, type Json } from './black-box.ts';

describe('PATCH /projects/{id}', () => {
  it('answers 200 with the changed project and a later updated_at [R226]', async () => {
    const user = await newUser();
    const id = await newProject(user, 'Recipe box', 'First words.');
    const before = (await user.get(`/projects/${id}`)).body;
    const answer = await user.patch(`/projects/${id}`, { title: 'Recipe vault for bakers' });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, title: 'Recipe vault for bakers', slug: 'recipe-vault-for-bakers', description: 'First words.' });
    expect(String(answer.body['updated_at']) > String(before['updated_at'])).toBe(true);
  });

  it('answers 400 without a field or with a wrong type, 422 to a state that only the service sets [R028 R037 R194 R226]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    expect((await user.patch(`/projects/${id}`, {})).status).toBe(400);
    expect((await user.patch(`/projects/${id}`, { title: 1 })).status).toBe(400);
    for (const state of ['draft', 'researching', 'ready', 'building', 'paused']) {
      expect((await user.patch(`/projects/${id}`, { state })).status, state).toBe(422);
    }
    expect((await user.patch(`/projects/${id}`, { title: '' })).status).toBe(422);
  });

  it('answers 404 for another user’s and changes nothing [R010 R032]', async () => {
    const user = await newUser();
    const id = await newProject(user, 'Mine alone');
    expect((await (await newUser()).patch(`/projects/${id}`, { title: 'Taken' })).status).toBe(404);
    expect((await user.get(`/projects/${id}`)).body).toMatchObject({ title: 'Mine alone' });
  });
});

describe('DELETE /projects/{id}', () => {
  it('answers 200 and takes its research along [R186 R227]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    const jobId = await completedResearch(user, newIdea(), { project_id: id });
    const answer = await user.delete(`/projects/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    expect((await user.get(`/projects/${id}`)).status).toBe(404);
    expect((await user.get(`/research/${jobId}/status`)).status).toBe(404);
    expect((await user.get(`/research/${jobId}/events`)).status).toBe(404);
    expect((await user.delete(`/projects/${id}`)).status).toBe(404);
  });

  it('answers 404 for another user’s and deletes nothing [R010 R032]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    expect((await (await newUser()).delete(`/projects/${id}`)).status).toBe(404);
    expect((await user.get(`/projects/${id}`)).status).toBe(200);
  });
});

describe('GET /projects/{id}/tabs/{tab}', () => {
  it('answers 200 for every tab, with its envelope [R228]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    const jobId = await completedResearch(user, newIdea(), { project_id: id });
    for (const tab of ['build_graphs', 'briefs', 'clips', 'agents', 'forge', 'timeline']) {
      const { status, body } = await user.get(`/projects/${id}/tabs/${tab}`);
      expect(status, tab).toBe(200);
      expect(body).toEqual({ tab, items: expect.any(Array), limit: 20, offset: 0, has_more: false });
    }
    expect((await user.get(`/projects/${id}/tabs/research`)).body).toMatchObject({ tab: 'research', items: [{ id: jobId, status: 'completed' }] });
  });

  it('answers 404 to an unknown tab and for another user’s, 422 out of range [R010 R032 R037]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    expect((await user.get(`/projects/${id}/tabs/secrets`)).status).toBe(404);
    expect((await (await newUser()).get(`/projects/${id}/tabs/research`)).status).toBe(404);
    expect((await user.get(`/projects/${id}/tabs/research?limit=0`)).status).toBe(422);
  });
});

describe('GET /projects/search', () => {
  it('answers 200 with own projects by meaning, best first [R229]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const id = await newProject(user, 'Vegetable garden planner with frost warnings');
    await newProject(user, 'Invoice reminders for freelancers');
    await newProject(other, 'Vegetable garden planner with frost warnings');
    const { status, body } = await user.get('/projects/search?q=garden+planner&limit=5');
    expect(status).toBe(200);
    expect(body).toEqual({ items: expect.any(Array), query: 'garden planner' });
    const items = body['items'] as Json[];
    expect(items.length).toBeLessThanOrEqual(2);
    expect(items[0]).toEqual({
      project_id: id,
      short_title: anyString(),
      short_description: anyString(),
      state: 'draft',
      similarity: anyNumber(),
    });
    for (const item of items) expect(Number(item['similarity']) >= 0 && Number(item['similarity']) <= 1).toBe(true);
  });

  it('answers 400 without a question, 422 to an empty one or a limit out of range [R028 R037]', async () => {
    const user = await newUser();
    expect((await user.get('/projects/search')).status).toBe(400);
    expect((await user.get('/projects/search?q=')).status).toBe(422);
    expect((await user.get(`/projects/search?q=${'x'.repeat(501)}`)).status).toBe(422);
    expect((await user.get('/projects/search?q=x&limit=51')).status).toBe(422);
  });
});

describe('GET /projects/{id}/preview', () => {
  it('answers 200 to anyone once something of it is shared, and 404 before and after [R230]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    const jobId = await completedResearch(user, newIdea(), { project_id: id });
    expect((await call('GET', `/projects/${id}/preview`)).status).toBe(404);
    expect((await user.post(`/research/${jobId}/share`)).status).toBe(200);
    const shared = await call('GET', `/projects/${id}/preview`);
    expect(shared.status).toBe(200);
    expect(shared.body).toEqual({
      id,
      title: anyString(),
      one_liner: anyString(),
      state: 'ready',
      quality_score: anyNumber(),
      updated_at: timestamp(),
    });
    await user.delete(`/research/${jobId}/share`);
    expect((await call('GET', `/projects/${id}/preview`)).status).toBe(404);
  });

  it('answers 404 to an unknown project, 422 when the id is no UUID [R032 R037]', async () => {
    expect((await call('GET', `/projects/${randomUUID()}/preview`)).status).toBe(404);
    expect((await call('GET', '/projects/none/preview')).status).toBe(422);
  });
});
