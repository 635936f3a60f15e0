import { afterAll, describe, expect, it } from 'vitest';
import { noteProject } from '#features/projects';
import { startTestApp, type Called, type TestUser } from '#testing/app.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { researching } from './run-research.ts';

const app = await startTestApp();
const waiting = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => Promise.all([app.dispose(), waiting.dispose()]));

const TEXT = 'asdf asdf';
const REFUSED = { status: 'failed', error: { code: 'EMPTY_INPUT', message: expect.any(String), retryable: false } };

const projectsOf = async (user: TestUser) =>
  (await user.call('GET', '/projects')).body['items'] as unknown as { project_id: string; state: string }[];

const start = async (user: TestUser, more: Record<string, unknown> = {}) => {
  const { status, body } = await user.call('POST', '/projects/research', { idea: TEXT, ...more });
  expect(status).toBe(202);
  return { projectId: String(body['project_id']), jobId: String(body['job_id']) };
};

const end = (user: TestUser, jobId: string) => readNdjson(`${app.url}/research/${jobId}/events`, user.token);

/** Works a research that waits, as a worker would that was told of the project made for it. */
async function work(jobId: string, projectId: string, between: () => Promise<unknown>): Promise<void> {
  const made = await waiting.ctx.db.transaction().execute((tx) => noteProject(tx, projectId));
  await between();
  await researching.work(waiting.ctx, { jobId, made }, new AbortController().signal);
}

describe('a text that is refused', () => {
  it('leaves no project behind that was made for its research; the refusal can be read [R256 R312]', async () => {
    const user = await app.user();
    const { projectId, jobId } = await start(user, { description: 'Words that say no more.' });
    expect((await end(user, jobId)).map(({ event }) => event)).toEqual(['stream_start', 'stage', 'stage', 'error', 'done']);
    expect(await projectsOf(user)).toEqual([]);
    expect((await user.call('GET', `/projects/${projectId}`)).status).toBe(404);
    expect((await user.call('GET', `/research/${jobId}/status`)).body).toMatchObject(REFUSED);
    expect(await end(user, jobId)).toHaveLength(5);
  });

  it('may be sent again', async () => {
    const user = await app.user();
    const first = await start(user);
    await end(user, first.jobId);
    const second = await start(user);
    await end(user, second.jobId);
    expect(second.projectId).not.toBe(first.projectId);
    expect(await projectsOf(user)).toEqual([]);
  });

  it('leaves a project that was there before [R188]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: TEXT })).body['id']);
    const { projectId, jobId } = await start(user);
    expect(projectId).toBe(project);
    await end(user, jobId);
    expect(await projectsOf(user)).toMatchObject([{ project_id: project, state: 'draft' }]);
  });

  it('leaves the project of a card', async () => {
    const user = await app.user();
    const card = (await user.call('POST', '/ideas', { idea: TEXT })).body;
    await end(user, String(card['research_job_id']));
    expect(await projectsOf(user)).toMatchObject([{ project_id: card['project_id'], state: 'draft' }]);
  });

  it.each<[string, (user: TestUser, projectId: string) => Promise<Called>]>([
    ['was renamed', (user, id) => user.call('PATCH', `/projects/${id}`, { title: 'A name' })],
    ['was asked for again', (user) => user.call('POST', '/projects', { title: TEXT })],
    ['got another research', (user, id) => user.call('POST', '/research', { idea: 'A shared grocery list', project_id: id })],
    ['got a card', (user) => user.call('POST', '/ideas', { idea: TEXT })],
    [
      'is being built',
      (user, id) => user.call('POST', '/build-graphs', { idea: TEXT, features: [{ id: 'a', label: 'A', source: 'manual' }], project_id: id }),
    ],
  ])('leaves a project that %s meanwhile', async (_what, touch) => {
    const user = await waiting.user();
    const { projectId, jobId } = await start(user);
    await work(jobId, projectId, async () => expect((await touch(user, projectId)).status).toBeLessThan(300));
    expect((await user.call('GET', `/research/${jobId}/status`)).body).toMatchObject(REFUSED);
    expect((await projectsOf(user)).map((project) => project.project_id)).toEqual([projectId]);
  });

  it('takes a project with it that nobody touched', async () => {
    const user = await waiting.user();
    const { projectId, jobId } = await start(user);
    await work(jobId, projectId, async () => {});
    expect(await projectsOf(user)).toEqual([]);
  });
});
