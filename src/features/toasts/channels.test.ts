import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { newIdea } from '#testing/factories.ts';
import { FakeSocket } from '#testing/fake-socket.ts';
import { connectAs, type Frame, type FrameClient } from '#testing/toast-socket.ts';
import { onBehalfOf } from '#platform/principal.ts';
import { appendChannelEvent, CHANNELS } from './channels.ts';
import { talkChannels } from './talk-channels.ts';

const app = await startTestApp();
/** Another node on the same database. */
const other = await startTestApp({ env: { ROLES: 'api' }, overrides: { database: app.ctx.database } });
afterAll(async () => {
  await other.stop(0);
  await app.dispose();
});

const newProject = async (user: TestUser, title = 'zzqx vorb glimmet') => String((await user.call('POST', '/projects', { title })).body['id']);
const open = (user: TestUser, url = app.url) => connectAs(user, url, { path: '/ws' });
const append = (projectId: string, n: number) =>
  app.ctx.db.transaction().execute((tx) => appendChannelEvent(app.ctx, tx, 'project', projectId, { event: 'roast.received', data: { n } }));
const numbersIn = (frames: readonly Frame[]) => frames.map(({ seq }) => seq);

async function take(socket: FrameClient, count: number): Promise<Frame[]> {
  const frames: Frame[] = [];
  while (frames.length < count) frames.push(await socket.next());
  return frames;
}

describe('a channel', () => {
  it('is replayed after a number and then live, on any node [R1156 R1157]', async () => {
    const user = await app.user();
    const id = await newProject(user);
    for (let n = 1; n <= 3; n += 1) await append(id, n);
    const socket = await open(user, other.url);
    socket.say({ type: 'subscribe', channel: 'project', id, after_seq: 1 });
    expect(await socket.next()).toEqual({ type: 'subscribed', channel: 'project', id, after_seq: 1 });
    expect(await socket.next()).toEqual({ type: 'event', channel: 'project', id, seq: 2, event: 'roast.received', data: { n: 2 } });
    expect(await socket.next()).toMatchObject({ seq: 3, data: { n: 3 } });
    await append(id, 4);
    expect(await socket.next()).toMatchObject({ seq: 4, data: { n: 4 } });
    socket.close();
  });

  it('loses and doubles nothing for whoever is cut off and comes back, while writers race', async () => {
    const user = await app.user();
    const id = await newProject(user);
    const written = Promise.all(
      [0, 1, 2].map(async (writer) => {
        for (let n = 0; n < 40; n += 1) await append(id, writer * 100 + n);
      }),
    );
    const seen: Frame[] = [];
    for (let cut = 0; seen.length < 120; cut += 1) {
      const socket = await open(user, cut % 2 === 0 ? app.url : other.url);
      socket.say({ type: 'subscribe', channel: 'project', id, after_seq: seen.length });
      await socket.next();
      seen.push(...(await take(socket, Math.min(7 + cut, 120 - seen.length))));
      socket.close();
    }
    await written;
    expect(numbersIn(seen)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
    const stored = await app.ctx.streams.read(CHANNELS.project.keyOf(id), 0, 1000);
    expect(seen.map(({ data }) => data)).toEqual(stored.map(({ data }) => JSON.parse(data) as unknown));
  });

  it('carries more than fits at once to a client that reads slowly', async () => {
    const user = await app.user();
    const id = await newProject(user);
    const events = Array.from({ length: 1300 }, (_, n) => ({ event: 'roast.received', data: { n, text: 'x'.repeat(1000) } }));
    await app.ctx.streams.append(app.ctx.db, CHANNELS.project.keyOf(id), events);
    const socket = await open(user);
    socket.say({ type: 'subscribe', channel: 'project', id });
    await socket.next();
    expect(numbersIn(await take(socket, 1300))).toEqual(events.map((_, n) => n + 1));
    socket.close();
  });

  it('is one of many that a slow client watches at once, and none of them sends ahead of it', async () => {
    const user = await app.user();
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => newProject(user, `zzqx vorb ${n}`)));
    const event = { event: 'roast.received', data: { text: 'x'.repeat(30_000) } };
    for (const id of ids) await app.ctx.streams.append(app.ctx.db, CHANNELS.project.keyOf(id), [event]);
    const socket = new FakeSocket();
    socket.isSlow = true;
    const read = new Set<string>();
    const streams = {
      ...app.ctx.streams,
      read: async (...asked: Parameters<typeof app.ctx.streams.read>) => {
        const page = await app.ctx.streams.read(...asked);
        read.add(asked[0]);
        return page;
      },
    };
    const caller = { ...onBehalfOf(user.userId), topics: [] };
    const hear = talkChannels({ ...app.ctx, streams }, { caller, socket, signal: socket.signal });
    for (const id of ids) await hear(JSON.stringify({ type: 'subscribe', channel: 'project', id }));
    await expect.poll(() => read.size, { timeout: 20_000 }).toBe(20);
    await new Promise(setImmediate);
    expect(socket.closed).toBeNull();
    socket.isSlow = false;
    socket.bufferedAmount = 0;
    const eventsOf = () => socket.messages.filter((message) => (message as Frame).type === 'event').map((message) => (message as Frame)['id']);
    await expect.poll(() => eventsOf().toSorted(), { timeout: 20_000 }).toEqual(ids.toSorted());
    socket.leave();
  });

  it('starts again when it is subscribed to again, and stops when it is left', async () => {
    const user = await app.user();
    const id = await newProject(user);
    await append(id, 1);
    const socket = await open(user);
    for (let round = 0; round < 2; round += 1) {
      socket.say({ type: 'subscribe', channel: 'project', id });
      expect((await take(socket, 2)).map(({ type }) => type)).toEqual(['subscribed', 'event']);
    }
    await append(id, 2);
    expect(await socket.next()).toMatchObject({ seq: 2 });
    expect(await socket.soFar()).toEqual([]);
    socket.say({ type: 'unsubscribe', channel: 'project', id });
    expect(await socket.next()).toEqual({ type: 'unsubscribed', channel: 'project', id });
    await append(id, 3);
    expect(await socket.soFar()).toEqual([]);
    socket.close();
  });

  it('is left when what it tells of is deleted', async () => {
    const user = await app.user();
    const id = await newProject(user);
    const socket = await open(user);
    socket.say({ type: 'subscribe', channel: 'project', id });
    await socket.next();
    await user.call('DELETE', `/projects/${id}`);
    expect(await socket.next()).toEqual({ type: 'unsubscribed', channel: 'project', id });
    socket.close();
  });

  it('is its owner’s: what is missing and what is another’s look the same', async () => {
    const [owner, stranger] = [await app.user(), await app.user()];
    const id = await newProject(owner);
    const socket = await open(stranger);
    for (const channel of ['project', 'brief', 'build'])
      for (const each of [id, randomUUID()]) {
        socket.say({ type: 'subscribe', channel, id: each });
        expect(await socket.next()).toEqual({ type: 'error', code: 'not_found', message: `${channel} not found`, channel, id: each });
      }
    await append(id, 1);
    expect(await socket.soFar()).toEqual([]);
    socket.close();
  });

  it('is asked for as it should be, or the client is told', async () => {
    const socket = await open(await app.user());
    const id = randomUUID();
    const codes: unknown[] = [];
    for (const message of [
      'x',
      { type: 'listen' },
      { type: 'subscribe', channel: 'user', id },
      { type: 'subscribe', channel: 'project', id: 'x' },
      { type: 'subscribe', channel: 'project', id, after_seq: -1 },
      { type: 'subscribe', channel: 'project', id, after_seq: '1' },
    ]) {
      socket.say(message);
      codes.push((await socket.next())['code']);
    }
    expect(codes).toEqual(['invalid_message', 'unknown_type', ...Array<string>(4).fill('invalid_message')]);
    socket.close();
  });

  it('is one of fifty at most that a socket watches', async () => {
    const user = await app.user();
    const ids = await Promise.all(
      Array.from({ length: 51 }, async (_, n) => String((await user.call('POST', '/projects', { title: `zzqx ${n} vorb` })).body['id'])),
    );
    const socket = await open(user);
    for (const id of ids) socket.say({ type: 'subscribe', channel: 'project', id });
    const answers = (await socket.soFar()).filter(({ type }) => type !== 'event');
    expect(answers.filter(({ type }) => type === 'subscribed')).toHaveLength(50);
    expect(answers.at(-1)).toMatchObject({ type: 'error', code: 'too_many_channels', id: ids[50] });
    socket.close();
  });
});

describe('what the product tells on channels', () => {
  it('is what is known of a new project’s market [R201 R231 R232 R233 R234 R235]', async () => {
    const user = await app.user();
    const id = String((await user.call('POST', '/projects', { title: newIdea() })).body['id']);
    const socket = await open(user);
    socket.say({ type: 'subscribe', channel: 'project', id });
    await socket.next();
    const { event, data } = await socket.next();
    expect(event).toBe('project.seeded');
    expect(data).toMatchObject({
      kind: expect.any(String),
      summary: expect.any(String),
      competitors: expect.arrayContaining([
        { name: expect.any(String), domain: expect.anything(), description: expect.any(String), frequency: expect.any(Number) },
      ]),
      features: expect.arrayContaining([
        { name: expect.any(String), category: expect.any(String), description: expect.any(String), frequency: expect.any(Number) },
      ]),
      based_on_n_prior_projects: expect.any(Number),
    });
    socket.close();
  });

  it('is each event of a build graph but done, which a channel does not end with [R558]', async () => {
    const user = await app.user();
    const features = [{ id: 'lists', label: 'Shared lists', source: 'manual' }];
    const graphId = String((await user.call('POST', '/build-graphs', { idea: newIdea(), features })).body['graph_id']);
    await user.call('GET', `/build-graphs/${graphId}/events`);
    const key = CHANNELS.build.keyOf(graphId);
    const before = await app.ctx.streams.read(key, 0, 1000);
    expect(before.at(-1)?.event).toBe('done');
    const socket = await open(user);
    socket.say({ type: 'subscribe', channel: 'build', id: graphId });
    await socket.next();
    const replayed = await take(socket, before.length - 1);
    expect(replayed.map(({ event }) => event)).toEqual(before.slice(0, -1).map(({ event }) => event));
    expect(await socket.soFar()).toEqual([]);
    // Opened again, the stream has another event under the number of its `done`.
    await app.ctx.db.transaction().execute(async (tx) => {
      await app.ctx.streams.reopen(tx, key, { event: 'expand_start', data: {} });
      await app.ctx.streams.append(tx, key, [{ event: 'expand_done', data: {} }]);
    });
    const later = await take(socket, 2);
    expect(later.map(({ event, seq }) => [event, seq])).toEqual([
      ['expand_start', before.length],
      ['expand_done', before.length + 1],
    ]);
    socket.close();
  });

  it('is each new revision of a brief [R666]', async () => {
    const user = await app.user();
    const { project_id: projectId, job_id: jobId } = (await user.call('POST', '/projects/research', { idea: newIdea() })).body;
    await user.call('GET', `/research/${String(jobId)}/events`);
    const id = String((await user.call('POST', '/briefs', { project_id: projectId })).body['brief_id']);
    await user.call('GET', `/briefs/${id}/events`);
    const socket = await open(user);
    socket.say({ type: 'subscribe', channel: 'brief', id });
    await socket.next();
    expect((await user.call('POST', `/briefs/${id}/sections/positioning/regenerate`, {})).status).toBeLessThan(300);
    expect(await socket.next()).toMatchObject({ type: 'event', channel: 'brief', id, seq: 1, event: 'revision_updated', data: { brief_id: id } });
    socket.close();
  });
});
