import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { RetryLater } from '#platform/jobs/retry-later.ts';
import { AnalyticsFailed, type Alias } from '#platform/ports/analytics/port.ts';
import { startTestApp } from '#testing/app.ts';
import { deliverAlias, requeueAliases } from './deliver-alias.ts';

const told: Alias[] = [];
let failure: Error | undefined;
const analytics = {
  alias: async (alias: Alias) => {
    told.push(alias);
    if (failure) throw failure;
  },
};
const app = await startTestApp({ overrides: { analytics } });
const idle = await startTestApp({ env: { ROLES: 'api' }, overrides: { analytics } });
afterAll(() => Promise.all([app.dispose(), idle.dispose()]));
beforeEach(() => {
  told.length = 0;
  failure = undefined;
});
const { signal } = new AbortController();

const rowOf = async (anonId: string, { ctx } = idle) =>
  (
    await sql<{ user_id: string; delivered: boolean }>`
    select user_id, delivered_at is not null as delivered from analytics_aliases where anon_id = ${anonId}`.execute(ctx.db)
  ).rows[0];
const queued = async (anonId: string) =>
  (await sql`select 1 from jobs.job where name = 'analytics.alias' and data ->> 'anonId' = ${anonId}`.execute(idle.ctx.db)).rows.length;

async function rebound(of = idle) {
  const [visitor, user] = [await of.anonymous(), await of.user()];
  const { body } = await of.server.fastify
    .inject({ method: 'POST', url: '/auth/rebind', headers: { authorization: `Bearer ${user.token}` }, payload: { device_id: visitor.deviceId } })
    .then((answer) => ({ body: answer.json<{ anon_uuid: string }>() }));
  return { anonId: `anon:${body.anon_uuid}`, userId: user.userId };
}

describe('the alias of a rebind', () => {
  it('is told to whoever counts users, and marked as told [R110]', async () => {
    const alias = await rebound(app);
    await expect.poll(() => rowOf(alias.anonId, app), { timeout: 20_000 }).toEqual({ user_id: alias.userId, delivered: true });
    expect(told).toEqual([{ ...alias, id: expect.any(String), at: expect.any(Date) }]);
  });

  it('is written with the rebind, before anybody is told [R110]', async () => {
    const { anonId, userId } = await rebound();
    expect(told).toEqual([]);
    expect(await rowOf(anonId)).toEqual({ user_id: userId, delivered: false });
    expect(await queued(anonId)).toBe(1);
  });

  it('is told again under the same id until it is taken, and not afterwards [R110]', async () => {
    const alias = await rebound();
    failure = new AnalyticsFailed('no');
    for (let n = 0; n < 2; n += 1) await expect(deliverAlias(idle.ctx, alias, signal)).rejects.toThrow('no');
    expect(await rowOf(alias.anonId)).toMatchObject({ delivered: false });
    failure = undefined;
    await deliverAlias(idle.ctx, alias, signal);
    await deliverAlias(idle.ctx, alias, signal);
    expect(told).toHaveLength(3);
    expect(new Set(told.map(({ id, at }) => `${id} ${at.toISOString()}`)).size).toBe(1);
    expect(await rowOf(alias.anonId)).toMatchObject({ delivered: true });
  });

  it('comes back when the other side says', async () => {
    const alias = await rebound();
    const retryAt = new Date(Date.now() + 60_000);
    failure = new AnalyticsFailed('slow down', { retryAt });
    const thrown = await deliverAlias(idle.ctx, alias, signal).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(RetryLater);
    expect((thrown as RetryLater).at).toEqual(retryAt);
  });

  it('is written and told as well when an earlier version queued it', async () => {
    const alias = { anonId: `anon:${randomUUID()}`, userId: 'user-1' };
    await deliverAlias(idle.ctx, alias, signal);
    expect(told).toMatchObject([alias]);
    expect(await rowOf(alias.anonId)).toEqual({ user_id: 'user-1', delivered: true });
  });

  it('is queued again a day after its job gave up, for a month', async () => {
    const [fresh, left, old, done] = [await rebound(), await rebound(), await rebound(), await rebound()];
    await deliverAlias(idle.ctx, done, signal);
    const since = (interval: string, { anonId }: { anonId: string }) =>
      sql`update analytics_aliases set queued_at = now() - ${interval}::interval, aliased_at = now() - ${interval}::interval where anon_id = ${anonId}`.execute(
        idle.ctx.db,
      );
    for (const each of [left, done]) await since('25 hours', each);
    await since('31 days', old);
    expect(await requeueAliases(idle.ctx)).toBe(1);
    expect(await requeueAliases(idle.ctx)).toBe(0);
    expect(await Promise.all([fresh, left, old].map(({ anonId }) => queued(anonId)))).toEqual([1, 2, 1]);
  });
});
