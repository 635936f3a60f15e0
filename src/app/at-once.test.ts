import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';

const app = await startTestApp();
/** Where no research ends, so that the second of two identical ones always finds the first. */
const waiting = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => Promise.all([app.dispose(), waiting.dispose()]));

let user: TestUser;
const made = { project: '', research: '', brief: '', graph: '' };

/** The same request four times at once: the statuses in order, and how many different values `key` has in the answers. */
async function atOnce(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  { body, key, caller = user }: { body?: unknown; key?: string; caller?: TestUser } = {},
) {
  const answers = await Promise.all([1, 2, 3, 4].map(() => caller.call(method, path, body)));
  return {
    statuses: answers.map(({ status }) => status).sort((left, right) => left - right),
    distinct: key ? new Set(answers.map((answer) => answer.body[key])).size : 0,
  };
}

beforeAll(async () => {
  user = await app.user();
  const idea = newIdea();
  const started = (await user.call('POST', '/projects/research', { idea })).body;
  made.project = String(started['project_id']);
  made.research = String(started['job_id']);
  await user.call('GET', `/research/${made.research}/events`);
  made.brief = String((await user.call('POST', '/briefs', { project_id: made.project })).body['brief_id']);
  await user.call('GET', `/briefs/${made.brief}/events`);
  const features = [{ id: 'lists', label: 'Shared lists', source: 'manual' }];
  made.graph = String((await user.call('POST', '/build-graphs', { idea, features })).body['graph_id']);
  await user.call('GET', `/build-graphs/${made.graph}/events`);
});

describe('the same request several times at once', () => {
  it('makes one of what one request after the other makes one of', async () => {
    const one = (status: number) => ({ statuses: [status, status, status, status], distinct: 1 });
    expect(await atOnce('POST', '/projects', { body: { title: newIdea() }, key: 'id' })).toEqual(one(201));
    expect(await atOnce('POST', `/research/${made.research}/share`, { key: 'share_token' })).toEqual(one(200));
    const link = { research_id: made.research, link_type: 'context' };
    expect(await atOnce('POST', `/build-graphs/${made.graph}/sources`, { body: link, key: 'id' })).toEqual(one(201));
  });

  it('makes one each of what one request after the other makes one each of', async () => {
    const each = (status: number) => ({ statuses: [status, status, status, status], distinct: 4 });
    expect(await atOnce('POST', '/briefs', { body: { project_id: made.project }, key: 'brief_id' })).toEqual(each(201));
    expect(await atOnce('POST', `/briefs/${made.brief}/build`, { key: 'graph_id' })).toEqual(each(201));
  });

  it('is refused where the second of two is refused [R034]', async () => {
    const caller = await waiting.user();
    const refused = (path: string) => atOnce('POST', path, { body: { idea: newIdea() }, caller });
    expect(await refused('/research')).toMatchObject({ statuses: [202, 409, 409, 409] });
    expect(await refused('/projects/research')).toMatchObject({ statuses: [202, 409, 409, 409] });
    expect(await refused('/v1/ideas')).toMatchObject({ statuses: [201, 409, 409, 409] });
    expect(await atOnce('DELETE', `/build-graphs/${made.graph}`)).toMatchObject({ statuses: [200, 404, 404, 404] });
  });

  it('never waits in a circle: what ends a research and what deletes its project lock the research first', async () => {
    const caller = await waiting.user();
    const { project_id: projectId, job_id: jobId } = (await caller.call('POST', '/projects/research', { idea: newIdea() })).body;
    const { db, database } = waiting.ctx;
    const deleting = await db.transaction().execute(async (tx) => {
      await sql`select from research_jobs where id = ${jobId} for update`.execute(tx);
      const deletion = caller.call('DELETE', `/projects/${String(projectId)}`);
      const isWaiting = async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(tx);
        return rows.length > 0;
      };
      // The embedded database has one connection: the deletion has not begun.
      if (database.kind === 'postgres') await expect.poll(isWaiting).toBe(true);
      await sql`select from projects where id = ${projectId} for update nowait`.execute(tx);
      return [deletion];
    });
    expect(await Promise.all(deleting)).toMatchObject([{ status: 200 }]);
    expect((await caller.call('GET', `/research/${String(jobId)}/status`)).status).toBe(404);
  });

  it('gives a device to one of the users who take it over', async () => {
    const anonymous = await app.anonymous();
    await anonymous.call('POST', '/projects', { title: newIdea() });
    const takers = [user, user, await app.user(), await app.user()];
    const answers = await Promise.all(takers.map((taker) => taker.call('POST', '/auth/rebind', { device_id: anonymous.deviceId })));
    expect(answers.filter(({ body }) => body['rebound'] === true).map(({ body }) => body['rows_updated'])).toEqual([1]);
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
  });
});
