import { sql } from 'kysely';
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

describe('the public face of a project', () => {
  it('has the score of what was shared of it, whatever its other research scored', async () => {
    const user = await app.user();
    const project = await newProject(user);
    const shared = await research(user, newIdea(), project);
    await user.call('POST', `/research/${shared}/share`);
    await sql`update research_jobs set score = 61 where id = ${shared}`.execute(app.ctx.db);
    await sql`update projects set quality_score = 34 where id = ${project}`.execute(app.ctx.db);
    const stranger = await app.user();
    expect((await stranger.call('GET', `/projects/${project}/preview`)).body).toMatchObject({ id: project, quality_score: 61 });
  });
});

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

describe('the short title of a project', () => {
  const IDEA = 'A shared grocery list that learns what a household runs out of';

  const listed = async (user: TestUser) =>
    (await user.call('GET', '/projects')).body['items'] as unknown as { project_id: string; short_title: string }[];
  const reportTitle = async (user: TestUser, project: string) =>
    ((await user.call('GET', `/projects/${project}/full`)).body as unknown as { research: { short_title: string } }).research.short_title;

  it('is the one of its report where the project was made of an idea, also when the report is a copy', async () => {
    for (const status of ['queued', 'completed']) {
      const user = await app.user();
      if (status === 'completed') await research(user, IDEA, await newProject(user));
      const started = (await user.call('POST', '/projects/research', { idea: `  ${IDEA}` })).body;
      const project = String(started['project_id']);
      await readNdjson(`${app.url}/research/${String(started['job_id'])}/events`, user.token);
      const title = await reportTitle(user, project);
      expect([started['status'], title]).toEqual([status, expect.stringMatching(/\w/)]);
      expect((await listed(user))[0]).toMatchObject({ project_id: project, short_title: title });
      expect((await user.call('GET', `/projects/${project}/home`)).body).toMatchObject({ project: { short_title: title } });
    }
  });

  it('stays the own one where the owner gave the project a name', async () => {
    const user = await app.user();
    const named = String((await user.call('POST', '/projects', { title: 'Larder Lane' })).body['id']);
    await research(user, IDEA, named);
    expect(await reportTitle(user, named)).not.toBe('Larder Lane');
    expect(await listed(user)).toMatchObject([{ project_id: named, short_title: 'Larder Lane' }]);

    const project = String((await user.call('POST', '/projects/research', { idea: IDEA })).body['project_id']);
    await user.call('PATCH', `/projects/${project}`, { title: 'Pantry Post' });
    await research(user, IDEA, project);
    expect(await listed(user)).toMatchObject([{ project_id: project, short_title: 'Pantry Post' }, { project_id: named }]);
  });

  it('is the one of a report that is moved into it', async () => {
    const user = await app.user();
    const [elsewhere, project] = [await newProject(user), String((await user.call('POST', '/projects', { title: IDEA })).body['id'])];
    const jobId = await research(user, IDEA, elsewhere);
    await user.call('PATCH', `/research/${jobId}`, { project_id: project });
    expect(await listed(user)).toMatchObject([{ project_id: project, short_title: await reportTitle(user, project) }, { project_id: elsewhere }]);
  });
});
