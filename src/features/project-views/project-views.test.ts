import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';

const app = await startTestApp();
afterAll(() => app.dispose());

async function research(user: TestUser, idea: string, project: string): Promise<string> {
  const jobId = String((await user.call('POST', '/research', { idea, project_id: project })).body['job_id']);
  await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  return jobId;
}

const newProject = async (user: TestUser) => String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);

describe('a project with several researches', () => {
  it('numbers the completed ones in time, and what failed as the next [R179]', async () => {
    const user = await app.user();
    const project = await newProject(user);
    const first = await research(user, newIdea(), project);
    const failed = await research(user, '  ', project);
    const second = await research(user, newIdea(), project);
    const home = (await user.call('GET', `/projects/${project}/home`)).body as unknown as {
      research: { id: string; version: number; status: string }[];
    };
    expect(home.research.map(({ id, version, status }) => [id, version, status])).toEqual([
      [second, 2, 'completed'],
      [failed, 3, 'failed'],
      [first, 1, 'completed'],
    ]);
  });

  it('shows the latest completed one in full, not one that failed since [R172]', async () => {
    const user = await app.user();
    const project = await newProject(user);
    const completed = await research(user, newIdea(), project);
    await research(user, '  ', project);
    expect((await user.call('GET', `/projects/${project}/full`)).body).toMatchObject({ research: { job_id: completed }, research_in_progress: null });
    expect((await user.call('GET', `/projects/${project}`)).body).toMatchObject({ research_count: 2, state: 'ready' });
  });

  it('names at most three top competitors and says in its digest what is known [R178 R179]', async () => {
    const user = await app.user();
    const project = await newProject(user);
    const before = (await user.call('GET', `/projects/${project}/home`)).body as Record<string, unknown>;
    await research(user, newIdea(), project);
    const after = (await user.call('GET', `/projects/${project}/home`)).body as unknown as {
      digest: string;
      research: { top_competitors: string[] }[];
    };
    expect(after.research[0]?.top_competitors.length).toBeGreaterThan(0);
    expect(after.research[0]?.top_competitors.length).toBeLessThanOrEqual(3);
    expect(after.digest).toContain(after.research[0]?.top_competitors[0]);
    expect(after.digest).not.toBe(before['digest']);
  });

  it('moves its research along when one goes to another project [R283]', async () => {
    const user = await app.user();
    const [from, to] = [await newProject(user), await newProject(user)];
    const jobId = await research(user, newIdea(), from);
    await user.call('PATCH', `/research/${jobId}`, { project_id: to });
    expect((await user.call('GET', `/projects/${from}`)).body).toMatchObject({ research_count: 0, recent_research: [] });
    expect((await user.call('GET', `/projects/${to}`)).body).toMatchObject({ research_count: 1, state: 'ready', recent_research: [{ id: jobId }] });
  });

  it('keeps at most ten recent ones on its detail, the newest first [R168]', async () => {
    const user = await app.user();
    const project = await newProject(user);
    const idea = newIdea();
    const ids = [await research(user, idea, project)];
    // Identical ideas are cloned at once; ten starts are all that a minute allows.
    for (let count = 0; count < 9; count += 1) ids.push(String((await user.call('POST', '/research', { idea, project_id: project })).body['job_id']));
    const first = String((await user.call('POST', '/projects/research', { idea })).body['job_id']);
    await user.call('PATCH', `/research/${first}`, { project_id: project });
    const { body } = await user.call('GET', `/projects/${project}`);
    expect(body).toMatchObject({ research_count: 11 });
    const recent = (body as unknown as { recent_research: { id: string }[] }).recent_research.map(({ id }) => id);
    expect(recent).toEqual([first, ...ids.toReversed()].slice(0, 10));
  });
});
