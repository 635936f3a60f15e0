import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  anyList,
  anyNumber,
  anyString,
  completedResearch,
  detail,
  newIdea,
  newProject,
  newUser,
  projectShape,
  timestamp,
  uuid,
} from './black-box.ts';

describe('GET /projects/{id}', () => {
  it('answers 200 with counts, recent research and graphs [R167 R168 R169 R186 R218]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    expect((await user.get(`/projects/${id}`)).body).toEqual({
      ...projectShape,
      id,
      research_count: 0,
      graph_count: 0,
      recent_research: [],
      build_graphs: [],
    });
    const idea = newIdea();
    const jobId = await completedResearch(user, idea, { project_id: id });
    const { status, body } = await user.get(`/projects/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ state: 'ready', research_count: 1 });
    expect(body['recent_research']).toEqual([
      {
        id: jobId,
        idea,
        status: 'completed',
        category: anyString(),
        score: expect.stringMatching(/^\d{1,3}$/),
        created_at: timestamp(),
        updated_at: timestamp(),
      },
    ]);
  });

  it('answers 404 when it is missing or another user’s, 422 when the id is no UUID [R010 R032 R037 R219 R220]', async () => {
    const id = await newProject(await newUser());
    const other = await newUser();
    expect((await other.get(`/projects/${id}`)).status).toBe(404);
    expect((await other.get(`/projects/${id}`)).body).toEqual((await other.get(`/projects/${randomUUID()}`)).body);
    expect((await other.get('/projects/not-a-uuid')).status).toBe(422);
  });
});

describe('GET /projects/{id}/full', () => {
  it('answers 200 with the latest completed research, or nulls [R171 R172 R173 R174 R221]', async () => {
    const user = await newUser();
    const title = newIdea();
    const id = await newProject(user, title);
    expect((await user.get(`/projects/${id}/full`)).body).toEqual({
      id,
      title,
      research: null,
      research_in_progress: null,
      build_graph: null,
      similar: [],
    });
    await completedResearch(user, newIdea(), { project_id: id });
    const latest = await completedResearch(user, newIdea(1), { project_id: id });
    const { status, body } = await user.get(`/projects/${id}/full`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, research: { job_id: latest }, research_in_progress: null });
  });

  it('names similar projects of the same account, most similar first [R175 R176]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const id = await newProject(user, 'Dog walking marketplace for busy city owners');
    await newProject(user, 'Dog walking marketplace for busy city families');
    await newProject(user, 'Spreadsheet add-on for lunar tide tables');
    await newProject(other, 'Dog walking marketplace for busy city people');
    const { similar } = (await user.get(`/projects/${id}/full`)).body as { similar: { id: string; similarity: number }[] };
    expect(similar.length).toBeGreaterThanOrEqual(1);
    expect(similar[0]).toEqual({
      id: uuid(),
      idea: 'Dog walking marketplace for busy city families',
      category: anyString(),
      similarity: anyNumber(),
    });
    for (const { similarity } of similar) expect(similarity >= 0 && similarity <= 1).toBe(true);
    expect(similar.map((entry) => entry.similarity)).toEqual(similar.map((entry) => entry.similarity).sort((left, right) => right - left));
    expect(similar.map((entry) => entry.id)).not.toContain(id);
    expect(JSON.stringify(similar)).not.toContain('city people');
  });

  it('answers 404 for another user’s [R010 R032]', async () => {
    expect((await (await newUser()).get(`/projects/${await newProject(await newUser())}/full`)).status).toBe(404);
  });
});

describe('GET /projects/{id}/home', () => {
  it('answers 200 with all parts and the cursor of the channel [R177 R178 R179 R184 R222 R223]', async () => {
    const user = await newUser();
    const id = await newProject(user, newIdea(), 'For a home page.');
    const jobId = await completedResearch(user, newIdea(), { project_id: id });
    const { status, body } = await user.get(`/projects/${id}/home`);
    expect(status).toBe(200);
    expect(body).toEqual({
      project: {
        id,
        short_title: anyString(),
        description: 'For a home page.',
        status: 'ready',
        quality: anyNumber(),
        created_at: timestamp(),
        updated_at: timestamp(),
      },
      digest: anyString(),
      research: [
        {
          id: jobId,
          status: 'completed',
          version: 1,
          completed_at: timestamp(),
          quality: { overall_score: anyNumber() },
          top_competitors: anyList(),
        },
      ],
      build_graphs: [],
      briefs: [],
      clips: [],
      agents: [],
      ws: { last_event_seq: anyNumber() },
    });
  });

  it('answers 404 for another user’s [R010 R032]', async () => {
    expect((await (await newUser()).get(`/projects/${await newProject(await newUser())}/home`)).status).toBe(404);
  });
});

describe('GET /projects/{project_id}/build-graph', () => {
  it('answers 404 while the project has none, and for another user’s [R010 R032]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    const none = await user.get(`/projects/${id}/build-graph`);
    expect(none.status).toBe(404);
    expect(none.body).toEqual(detail(/graph/i));
    expect((await (await newUser()).get(`/projects/${id}/build-graph`)).status).toBe(404);
  });
});

describe('GET /projects/{id}/research', () => {
  it('answers 200 with the envelope, newest first [R225]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    const ids = [await completedResearch(user, newIdea(), { project_id: id }), await completedResearch(user, newIdea(), { project_id: id })];
    const { status, body } = await user.get(`/projects/${id}/research?limit=1`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ items: [{ id: ids[1], status: 'completed' }], limit: 1, offset: 0, has_more: true });
    expect((await user.get(`/projects/${id}/research?limit=1&offset=1`)).body).toMatchObject({ items: [{ id: ids[0] }], has_more: false });
  });

  it('answers 404 for another user’s, 422 out of range [R010 R037]', async () => {
    const user = await newUser();
    const id = await newProject(user);
    expect((await (await newUser()).get(`/projects/${id}/research`)).status).toBe(404);
    expect((await user.get(`/projects/${id}/research?limit=101`)).status).toBe(422);
  });
});
