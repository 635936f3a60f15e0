import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea, warmQueues } from '#testing/factories.ts';
import { replayRequests } from './retry-queue.ts';

// Without a worker: the test itself replays.
const app = await startTestApp({ env: { ROLES: 'api' } });
await warmQueues(app.ctx);
afterAll(() => app.dispose());

async function useUp(user: TestUser): Promise<void> {
  for (let count = 0; count < 10; count += 1) expect((await user.call('POST', '/research', { idea: newIdea() })).status).toBe(202);
}

async function capture(user: TestUser, ideas: readonly string[], more: Record<string, unknown> = {}): Promise<void> {
  for (const idea of ideas) expect((await user.call('POST', '/research', { idea, ...more })).status).toBe(429);
}

/** Lets the user's windows end now. */
const endWindow = (userId: string) =>
  sql`update rate_windows set started_at = started_at - interval '61 seconds' where key like ${`%${userId}`}`.execute(app.ctx.db);

const queuedOf = async (user: TestUser) =>
  (await user.call('GET', '/research/queued')).body as unknown as { count: number; items: { idea: string }[] };

async function ideasOf(userId: string): Promise<string[]> {
  const { rows } = await sql<{ idea: string }>`select idea from research_jobs where user_id = ${userId} order by created_at, id`.execute(app.ctx.db);
  return rows.map(({ idea }) => idea);
}

async function plannedReplays(userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs.job
     where name = 'research.replay-queued' and state = 'created' and data ->> 'userId' = ${userId}`.execute(app.ctx.db);
  return rows[0]?.count ?? 0;
}

describe('requests above the limit', () => {
  it('are kept in their order, at most five, and started after the window [R272 R273 R274 R326]', async () => {
    const user = await app.user();
    await useUp(user);
    const ideas = [newIdea(), newIdea(), newIdea(), newIdea(), newIdea(), newIdea()];
    await capture(user, ideas);
    expect((await queuedOf(user)).items.map(({ idea }) => idea)).toEqual(ideas.slice(0, 5));
    await replayRequests(app.ctx, user.userId);
    expect((await queuedOf(user)).count).toBe(5);
    await endWindow(user.userId);
    await replayRequests(app.ctx, user.userId);
    expect((await queuedOf(user)).count).toBe(0);
    expect((await ideasOf(user.userId)).slice(10)).toEqual(ideas.slice(0, 5));
  });

  it('are started with the stored project and mode, and stay started when replayed twice [R272 R274]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    await useUp(user);
    const idea = newIdea();
    await capture(user, [idea], { project_id: project, mode: 'feature' });
    await endWindow(user.userId);
    await Promise.all([replayRequests(app.ctx, user.userId), replayRequests(app.ctx, user.userId)]);
    const { rows } = await sql`select project_id, mode from research_jobs where user_id = ${user.userId} and idea = ${idea}`.execute(app.ctx.db);
    expect(rows).toEqual([{ project_id: project, mode: 'feature' }]);
  });

  it('are dropped when they cannot be started any more, without holding up the others [R274]', async () => {
    const user = await app.user();
    const project = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    await useUp(user);
    const [lost, kept] = [newIdea(), newIdea()];
    await capture(user, [lost], { project_id: project });
    await capture(user, [kept]);
    await user.call('DELETE', `/projects/${project}`);
    await endWindow(user.userId);
    await replayRequests(app.ctx, user.userId);
    expect((await queuedOf(user)).count).toBe(0);
    const ideas = await ideasOf(user.userId);
    expect(ideas).toContain(kept);
    expect(ideas).not.toContain(lost);
  });

  it('are gone after 24 hours and make room then [R281 R327 R330]', async () => {
    const user = await app.user();
    await useUp(user);
    await capture(user, [newIdea(), newIdea(), newIdea(), newIdea(), newIdea()]);
    await sql`update research_retry_queue set queued_at = now() - interval '24 hours 1 second' where user_id = ${user.userId}`.execute(app.ctx.db);
    expect(await queuedOf(user)).toEqual({ count: 0, items: [] });
    const fresh = newIdea();
    await capture(user, [fresh]);
    expect((await queuedOf(user)).items.map(({ idea }) => idea)).toEqual([fresh]);
    await endWindow(user.userId);
    await replayRequests(app.ctx, user.userId);
    expect((await ideasOf(user.userId)).slice(10)).toEqual([fresh]);
  });

  it('are at most five however many come at once [R273 R326]', async () => {
    const user = await app.user();
    await useUp(user);
    const answers = await Promise.all(Array.from({ length: 12 }, () => user.call('POST', '/research', { idea: newIdea() })));
    expect(answers.every(({ status }) => status === 429)).toBe(true);
    expect((await queuedOf(user)).count).toBe(5);
  });

  it('are not kept when the body is wrong or the bearer is an identity JWT [R272]', async () => {
    const user = await app.user();
    await useUp(user);
    await user.call('POST', '/research', { idea: '' });
    const headers = { authorization: `Bearer ${await app.identityToken(user.userId)}` };
    expect((await user.call('POST', '/research', { idea: newIdea() }, headers)).status).toBe(429);
    expect((await queuedOf(user)).count).toBe(0);
  });

  it('plan one replay, not one each [R274]', async () => {
    const user = await app.user();
    await useUp(user);
    await capture(user, [newIdea(), newIdea(), newIdea()]);
    expect(await plannedReplays(user.userId)).toBe(1);
  });

  it('cost the limit one hit each, however many replays run at once [R274 R325]', async () => {
    const user = await app.user();
    await useUp(user);
    await capture(user, [newIdea(), newIdea(), newIdea(), newIdea(), newIdea()]);
    await endWindow(user.userId);
    await Promise.all([1, 2, 3, 4, 5].map(() => replayRequests(app.ctx, user.userId)));
    expect((await queuedOf(user)).count).toBe(0);
  });
});
