import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { settleReaction } from '#platform/domain-events/domain-event-store.ts';
import { defineEvent, reactTo } from '#platform/domain-events/domain-events.ts';
import { z } from 'zod';

const SECRET = 'only the operator'.replaceAll(' ', '-');
const Sown = defineEvent('seed.sown', z.object({ row: z.int() }));

const grown: number[] = [];
const app = await startTestApp({
  env: { ADMIN_SECRET: SECRET },
  overrides: { work: () => ({ reactions: [reactTo(Sown, 'grow', async ({ row }) => void grown.push(row))] }) },
});
const unconfigured = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => Promise.all([app.dispose(), unconfigured.dispose()]));
const { db } = app.ctx;
beforeEach(async () => {
  await sql`delete from domain_events`.execute(db);
});

const ask = async (
  method: 'GET' | 'POST',
  url: string,
  { body, token = SECRET, of = app }: { body?: object; token?: string; of?: typeof app } = {},
) => {
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const answer = await of.server.fastify.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};

/** A reaction that is written down as given up; it has run to no success before. */
async function newGivenUp(row: number, reaction = 'seed.sown/grow'): Promise<string> {
  const id = randomUUID();
  const payload = JSON.stringify({ row });
  await sql`
    insert into domain_events (id, name, version, payload, actor) values (${id}, 'seed.sown', 1, ${payload}, '{"kind":"system","userId":null}')`.execute(
    db,
  );
  await settleReaction(db, id, reaction, 'gave_up', 'the ground is frozen');
  return id;
}

describe('what the operator may do', () => {
  it.each([
    ['GET', '/admin/reactions', undefined],
    ['POST', '/admin/reactions/run', { event_id: randomUUID(), reaction: 'seed.sown/grow' }],
    ['POST', '/admin/reactions/run-all', undefined],
    ['GET', '/admin/outbox', undefined],
    ['POST', '/admin/secrets/rotate', {}],
  ] as const)('nobody else may: %s %s', async (method, url, body) => {
    const given = body ? { body } : {};
    const refused = (detail: string, status: number) => ({ status, body: { detail } });
    expect(await ask(method, url, { ...given, token: '' })).toEqual(refused('missing_bearer', 401));
    expect(await ask(method, url, { ...given, token: `${SECRET}r` })).toEqual(refused('invalid_admin_secret', 403));
    expect(await ask(method, url, { ...given, token: (await app.user()).token })).toEqual(refused('invalid_admin_secret', 403));
    expect(await ask(method, url, { ...given, of: unconfigured })).toEqual(refused('admin_unconfigured', 503));
  });
});

describe('reactions that gave up', () => {
  it('are listed with their event, when and why', async () => {
    await newGivenUp(1);
    await sql`update reaction_outcomes set ended_at = ended_at - interval '1 minute'`.execute(db);
    const id = await newGivenUp(2);
    const { status, body } = await ask('GET', '/admin/reactions?limit=1');
    expect(status).toBe(200);
    expect(body).toEqual({
      total: 2,
      items: [{ event_id: id, event: 'seed.sown', reaction: 'seed.sown/grow', gave_up_at: expect.any(String), error: 'the ground is frozen' }],
    });
  });

  it('run again one by one', async () => {
    const id = await newGivenUp(3);
    const again = () => ask('POST', '/admin/reactions/run', { body: { event_id: id, reaction: 'seed.sown/grow' } });
    expect(await again()).toEqual({ status: 202, body: { queued: 1 } });
    await expect.poll(() => grown, { timeout: 10_000 }).toContain(3);
    expect((await again()).status).toBe(404);
    expect((await ask('GET', '/admin/reactions')).body).toEqual({ total: 0, items: [] });
  });

  it('run again all at once, but for those that this version does not know', async () => {
    for (const row of [4, 5]) await newGivenUp(row);
    const unknown = await newGivenUp(6, 'seed.sown/of another version');
    expect(await ask('POST', '/admin/reactions/run-all')).toEqual({ status: 202, body: { queued: 2 } });
    await expect.poll(() => grown.filter((row) => row > 3).sort(), { timeout: 10_000 }).toEqual([4, 5]);
    expect(await ask('POST', '/admin/reactions/run-all')).toEqual({ status: 202, body: { queued: 0 } });
    expect((await ask('GET', '/admin/reactions')).body).toMatchObject({ total: 1, items: [{ event_id: unknown }] });
    const one = await ask('POST', '/admin/reactions/run', { body: { event_id: unknown, reaction: 'seed.sown/of another version' } });
    expect(one.status).toBe(404);
  });

  it('are named by an event and a reaction', async () => {
    expect((await ask('POST', '/admin/reactions/run', { body: { event_id: 'x', reaction: 'seed.sown/grow' } })).status).toBe(422);
    expect((await ask('POST', '/admin/reactions/run', { body: { event_id: randomUUID() } })).status).toBe(400);
  });
});
