import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/ids.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { isIdle, newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import type { Principal } from '#platform/principal.ts';
import { rebindDevice } from './rebind-device.ts';

const app = await startTestApp();
const { db } = app.ctx;
afterAll(() => app.dispose());

async function researched(user: TestUser, idea: string, project?: string): Promise<string> {
  const jobId = String((await user.call('POST', '/research', { idea, ...(project ? { project_id: project } : {}) })).body['job_id']);
  await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  return jobId;
}

const anonymousOf = async (deviceId: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select 'anon:' || anon_uuid as id from devices where device_id = ${sha256(deviceId)}`.execute(db);
  return rows[0]?.id ?? '';
};

/** Rows per table that belong to an owner, of every table that has owners. */
async function rowsOf(userId: string): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
     where column_name = 'user_id' and table_schema = current_schema()
       and table_name not in ('sessions', 'idempotency_keys', 'analytics_aliases', 'profiles')`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)} where user_id = ${userId}`.execute(db);
    if (rows[0]?.count) counts[name] = rows[0].count;
  }
  return counts;
}

describe('rebinding a device', () => {
  it('moves every row of every table, counts them and records who it was [R104 R105 R109 R110 R112]', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    const project = String((await visitor.call('POST', '/projects', { title: newIdea() })).body['id']);
    await researched(visitor, newIdea(), project);
    const anonId = await anonymousOf(visitor.deviceId);
    await expect.poll(() => isIdle(app.ctx), { timeout: 20_000 }).toBe(true);
    const before = await rowsOf(anonId);
    expect(before).toMatchObject({ projects: 1, research_jobs: 1, cards: expect.any(Number) });
    const answer = await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId });
    const total = Object.values(before).reduce((sum, count) => sum + count, 0);
    expect(answer.body).toEqual({ rebound: true, rows_updated: total, anon_uuid: anonId.replace('anon:', '') });
    expect(await rowsOf(anonId)).toEqual({});
    expect(await rowsOf(user.userId)).toEqual(before);
    const alias = async () => (await sql`select user_id from analytics_aliases where anon_id = ${anonId}`.execute(db)).rows;
    await expect.poll(alias, { timeout: 10_000 }).toEqual([{ user_id: user.userId }]);
  });

  it('keeps both when device and user have the same idea [R112]', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    const title = newIdea();
    const theirs = String((await visitor.call('POST', '/projects', { title })).body['id']);
    const own = String((await user.call('POST', '/projects', { title })).body['id']);
    expect((await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId })).status).toBe(200);
    for (const id of [theirs, own]) expect((await user.call('GET', `/projects/${id}`)).status).toBe(200);
    expect((await user.call('POST', '/projects', { title })).body['id']).toBe(own);
  });

  it('moves nothing at all when one part of it fails [R109]', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    await visitor.call('POST', '/projects', { title: newIdea() });
    const anonId = await anonymousOf(visitor.deviceId);
    const before = await rowsOf(anonId);
    const principal = { userId: user.userId, anonymous: false } as Principal;
    const failing = rebindDevice(app.ctx, principal, visitor.deviceId, [
      async (tx, from, to) => {
        await sql`update projects set user_id = ${to} where user_id = ${from}`.execute(tx);
        return 1;
      },
      async () => Promise.reject(new Error('no room')),
    ]);
    await expect(failing).rejects.toThrow('no room');
    expect(await rowsOf(anonId)).toEqual(before);
    expect(await rowsOf(user.userId)).toEqual({});
    expect((await sql`select 1 from jobs.job where name = 'analytics.alias' and data ->> 'anonId' = ${anonId}`.execute(db)).rows).toEqual([]);
    expect((await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId })).body).toMatchObject({ rebound: true });
  });

  it('adds up the credits of both [R089 R112]', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    for (const each of [visitor, user]) await each.call('GET', '/auth/bootstrap');
    const anonId = await anonymousOf(visitor.deviceId);
    await sql`update profiles set credits_used = case user_id when ${anonId} then 3 else 4 end where user_id in (${anonId}, ${user.userId})`.execute(
      db,
    );
    await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId });
    expect((await user.call('GET', '/auth/bootstrap')).body['profile']).toMatchObject({ credits_used: 7 });
  });

  it('carries credits over to a user who has no profile yet [R089 R112]', async () => {
    const [visitor, user] = [await app.anonymous(), await app.user()];
    await visitor.call('GET', '/auth/bootstrap');
    const anonId = await anonymousOf(visitor.deviceId);
    await sql`update profiles set credits_used = 3 where user_id = ${anonId}`.execute(db);
    await user.call('POST', '/auth/rebind', { device_id: visitor.deviceId });
    expect((await user.call('GET', '/auth/bootstrap')).body['profile']).toMatchObject({ credits_used: 3 });
  });
});
