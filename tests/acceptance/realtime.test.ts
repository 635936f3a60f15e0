import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { socketTo } from '#testing/socket-client.ts';
import { anyList, call, detail, newProject, newUser, serviceUrl, timestamp, type Json, type User } from './black-box.ts';

const TOKEN = '/v1/sessions/toast-bootstrap';

async function frames(user: User, path: string) {
  const { body } = await user.post(TOKEN, {});
  const socket = await socketTo(`${serviceUrl}${path}?token=${String(body['token'])}`);
  return {
    say: (message: Json) => socket.send(JSON.stringify(message)),
    next: async () => JSON.parse(await socket.next()) as Json,
    close: () => socket.close(),
  };
}

const closeOf = async (path: string, query: string) => (await socketTo(`${serviceUrl}${path}${query}`)).closed;

describe('POST /v1/sessions/toast-bootstrap', () => {
  it('answers 200 with a token, where to use it, until when, and the topics that the caller may follow [R1105 R1106 R1109 R1110 R1111 R1112]', async () => {
    const user = await newUser();
    const own = ((await user.post(TOKEN, {})).body['default_topics'] as string[])[0] ?? '';
    expect(own).toMatch(/^user:/);
    const topics = ['news', 'user:somebody-else', `${own}:builds`];
    const { status, body } = await user.post(TOKEN, { identity_jwt: 'not.looked.at', default_topics: topics });
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      ws_url: expect.stringMatching(/^wss?:\/\/[^?]+\/api\/v1\/realtime$/),
      expires_at: timestamp(),
      default_topics: ['news', `${own}:builds`],
    });
    const minutes = (Date.parse(String(body['expires_at'])) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(13);
    expect(minutes).toBeLessThan(16);
  });

  it('answers 200 without a body, following the caller alone [R1113]', async () => {
    const { status, body } = await (await newUser()).post(TOKEN);
    expect(status).toBe(200);
    expect(body['default_topics']).toEqual([expect.stringMatching(/^user:/)]);
  });

  it('answers 400 to a wrong type, 422 to what is too long or empty', async () => {
    const user = await newUser();
    for (const body of [{ device_id: 5 }, { default_topics: 'news' }]) expect((await user.post(TOKEN, body)).status).toBe(400);
    for (const body of [{ device_id: '' }, { device_id: 'x'.repeat(201) }, { default_topics: [''] }])
      expect((await user.post(TOKEN, body)).status).toBe(422);
  });

  it('answers 401 without a token', async () => {
    const answer = await call('POST', TOKEN, { body: {} });
    expect([answer.status, answer.body]).toEqual([401, detail('Missing Bearer token')]);
  });

  it('answers 429 with Retry-After above 30 in a minute [R1158]', async () => {
    const user = await newUser();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await user.post(TOKEN, {})).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    expect(Number((await user.post(TOKEN, {})).headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('GET /api/v1/realtime', () => {
  it('answers 101 to a token, and greets, subscribes and answers pings [R1114 R1115 R1117 R1120 R1121 R1122 R1123 R1124 R1127]', async () => {
    const socket = await frames(await newUser(), '/api/v1/realtime');
    expect(await socket.next()).toEqual({ type: 'connection_ack', session_id: expect.any(String), topics: [expect.stringMatching(/^user:/)] });
    socket.say({ type: 'subscribe', topics: ['news', 'user:somebody-else'] });
    expect(await socket.next()).toMatchObject({ type: 'error', code: 'topic_not_allowed' });
    expect(await socket.next()).toEqual({ type: 'subscribed', topics: [expect.stringMatching(/^user:/), 'news'] });
    socket.say({ type: 'unsubscribe', topics: ['news'] });
    expect(await socket.next()).toEqual({ type: 'unsubscribed', topics: [expect.stringMatching(/^user:/)] });
    socket.say({ type: 'client_state', foreground_state: 'foreground', overlay_mounted: false });
    socket.say({ type: 'ping' });
    expect(await socket.next()).toEqual({ type: 'pong' });
    socket.close();
  });

  it('is told of what happened to the caller’s own [R1119 R1140]', async () => {
    const user = await newUser();
    const socket = await frames(user, '/api/v1/realtime');
    const { body } = await user.post('/research', { idea: `A habit tracking app with streaks, number ${randomUUID()}` });
    let frame = await socket.next();
    while ((frame['control'] as Json | undefined)?.['kind'] !== 'research.completed') frame = await socket.next();
    expect(frame).toEqual({
      type: 'control',
      control: {
        kind: 'research.completed',
        params: {
          research_id: body['job_id'],
          project_id: null,
          pipeline_stage: 'priorities_picked',
          picked_count: expect.any(Number),
        },
        ts: timestamp(),
      },
    });
    socket.close();
  });

  it('closes with 4002 without a token, with 4001 with one that does not hold [R1130 R1131]', async () => {
    expect(await closeOf('/api/v1/realtime', '')).toMatchObject({ code: 4002 });
    expect(await closeOf('/api/v1/realtime', '?token=unknown')).toMatchObject({ code: 4001 });
  });

  it('answers 426 to whoever asks without the upgrade', async () => {
    expect((await call('GET', '/api/v1/realtime?token=unknown')).status).toBe(426);
  });
});

describe('GET /ws', () => {
  it('answers 101 to the same token, and tells what comes on a channel, each event with its number [R231 R1156 R1157]', async () => {
    const user = await newUser();
    const socket = await frames(user, '/ws');
    const id = await newProject(user);
    socket.say({ type: 'subscribe', channel: 'project', id, after_seq: 0 });
    expect(await socket.next()).toEqual({ type: 'subscribed', channel: 'project', id, after_seq: 0 });
    const event = await socket.next();
    expect(event).toMatchObject({ type: 'event', channel: 'project', id, seq: 1, event: 'project.seeded', data: { competitors: anyList() } });
    socket.say({ type: 'unsubscribe', channel: 'project', id });
    expect(await socket.next()).toEqual({ type: 'unsubscribed', channel: 'project', id });
    socket.close();
  });

  it('says that what is another’s is not there', async () => {
    const [owner, stranger] = [await newUser(), await newUser()];
    const socket = await frames(stranger, '/ws');
    for (const id of [await newProject(owner), randomUUID()]) {
      socket.say({ type: 'subscribe', channel: 'project', id });
      expect(await socket.next()).toEqual({ type: 'error', code: 'not_found', message: 'project not found', channel: 'project', id });
    }
    socket.close();
  });

  it('closes with 4002 without a token, with 4001 with one that does not hold [R1130 R1131]', async () => {
    expect(await closeOf('/ws', '')).toMatchObject({ code: 4002 });
    expect(await closeOf('/ws', '?token=unknown')).toMatchObject({ code: 4001 });
  });
});
