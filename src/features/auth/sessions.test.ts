import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/ids.ts';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { gatedEmbeddings, newGate, newIdea } from '#testing/factories.ts';
import { readNdjson } from '#testing/read-ndjson.ts';
import { deleteOldSessions } from './session-store.ts';
import { openSessions } from './sessions.ts';

let ahead = 0;
const gate = newGate();
const clock = { now: () => new Date(Date.now() + ahead) };
const app = await startTestApp({ overrides: { clock, embeddings: gatedEmbeddings(gate) } });
afterAll(() => app.dispose());
afterEach(() => {
  ahead = 0;
});

const MINUTE = 60_000;
const projects = async (user: TestUser) => {
  const { status, body } = await user.call('GET', '/projects');
  return { status, detail: (body as Record<string, unknown>)['detail'] };
};

async function completedResearch(user: TestUser): Promise<string> {
  const jobId = String((await user.call('POST', '/research', { idea: newIdea() })).body['job_id']);
  await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
  return jobId;
}

describe('a session', () => {
  it('lasts 30 minutes and then says that it expired [R044 R129 R145]', async () => {
    const user = await app.user();
    ahead = 29 * MINUTE;
    expect(await projects(user)).toMatchObject({ status: 200 });
    ahead = 30 * MINUTE + 1000;
    expect(await projects(user)).toEqual({ status: 401, detail: 'Token expired' });
  });

  it('is not renewed by ordinary requests [R129]', async () => {
    const user = await app.user();
    for (const minutes of [10, 20, 29]) {
      ahead = minutes * MINUTE;
      await projects(user);
    }
    ahead = 31 * MINUTE;
    expect(await projects(user)).toMatchObject({ status: 401 });
  });

  it('is renewed by each connection to a stream [R119 R131 R138]', async () => {
    const user = await app.user();
    const jobId = await completedResearch(user);
    for (const minutes of [20, 40, 60]) {
      ahead = minutes * MINUTE;
      await readNdjson(`${app.url}/research/${jobId}/events`, user.token);
    }
    ahead = 89 * MINUTE;
    expect(await projects(user)).toMatchObject({ status: 200 });
    ahead = 91 * MINUTE;
    expect(await projects(user)).toEqual({ status: 401, detail: 'Token expired' });
  });

  it('cannot be renewed once it expired [R138]', async () => {
    const user = await app.user();
    const jobId = await completedResearch(user);
    ahead = 31 * MINUTE;
    const answer = await user.call('GET', `/research/${jobId}/events`);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Token expired' });
  });

  it('is remembered for a day after its end, then unknown [R046]', async () => {
    const user = await app.user();
    ahead = 25 * 60 * MINUTE;
    expect(await projects(user)).toEqual({ status: 401, detail: 'Token expired' });
    await deleteOldSessions(app.ctx.db, new Date(clock.now().getTime() - 24 * 60 * MINUTE));
    expect(await projects(user)).toEqual({ status: 401, detail: expect.stringMatching(/^Invalid token: /) });
  });

  it('is stored as a hash only [R071]', async () => {
    const user = await app.user();
    const { rows } = await sql<Record<string, unknown>>`select * from sessions where token_hash = ${sha256(user.token)}`.execute(app.ctx.db);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(user.token);
  });
});

describe('a revoked session', () => {
  it('gets no answer to a request that was under way [R079 R140]', async () => {
    const user = await app.user();
    const release = gate.close();
    const waiting = user.call('POST', '/projects', { title: newIdea() });
    await expect.poll(() => gate.entered()).toBe(1);
    await user.call('DELETE', '/auth/session');
    release();
    const answer = await waiting;
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: expect.stringMatching(/^Invalid token: /) });
  });

  it('is refused by another process as soon as that is told, also when it had the session in memory [R079 R140]', async () => {
    const user = await app.user();
    const elsewhere = openSessions(app.ctx);
    await elsewhere.principalOf(user.token);
    await user.call('DELETE', '/auth/session');
    await expect.poll(() => elsewhere.principalOf(user.token).catch((error: Error) => error.message)).toMatch(/^Invalid token: /);
  });

  it('is refused although it was read just before and arrives just after', async () => {
    const reading = newGate();
    const slow = app.ctx.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await reading.pass();
        return result;
      },
    });
    const user = await app.user();
    const elsewhere = openSessions({ ...app.ctx, db: slow });
    const release = reading.close();
    const early = elsewhere.principalOf(user.token);
    await expect.poll(() => reading.entered()).toBe(1);
    const told = new Promise<void>((resolve) => elsewhere.onChange(sha256(user.token), resolve));
    await user.call('DELETE', '/auth/session');
    await told;
    release();
    await early.catch(() => {});
    await expect(elsewhere.principalOf(user.token)).rejects.toThrow(/^Invalid token: /);
  });
});

describe('a device id', () => {
  const signIn = (deviceId: string) => app.server.fastify.inject({ method: 'POST', url: '/auth/anonymous', payload: { device_id: deviceId } });

  it('is stored as a hash only', async () => {
    const device = randomUUID();
    await signIn(device);
    const { rows } = await sql<Record<string, unknown>>`select * from devices where device_id = ${sha256(device)}`.execute(app.ctx.db);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(device);
  });

  it('that was stored as it is still leads to its principal once it is hashed', async () => {
    const [device, principal] = [`gerät ${randomUUID()}`, randomUUID()];
    await sql`insert into devices (device_id, anon_uuid) values (${device}, ${principal})`.execute(app.ctx.db);
    const migration = readFileSync(new URL('../../../migrations/0012-device-hashes.sql', import.meta.url), 'utf8');
    await sql.raw(migration).execute(app.ctx.db);
    const { token } = (await signIn(device)).json<{ token: string }>();
    expect(await openSessions(app.ctx).principalOf(token)).toMatchObject({ userId: `anon:${principal}` });
  });
});

describe('an anonymous principal', () => {
  it('has an id of its own form, the same for each session of the device [R098 R141]', async () => {
    const device = randomUUID();
    const mint = async () =>
      (await app.server.fastify.inject({ method: 'POST', url: '/auth/anonymous', payload: { device_id: device } })).json<{ token: string }>().token;
    const sessions = openSessions(app.ctx);
    const [first, second] = [await sessions.principalOf(await mint()), await sessions.principalOf(await mint())];
    expect(first.userId).toMatch(/^anon:[0-9a-f-]{36}$/);
    expect(first).toMatchObject({ anonymous: true, name: null, email: null });
    expect(second.userId).toBe(first.userId);
  });
});
