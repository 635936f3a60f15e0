import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call, detail, newUser, timestamp, uuid, type User } from './black-box.ts';

const PREFERENCES = ['research_complete', 'build_complete', 'signal_alert', 'weekly_digest'];

const remove = (user: User, body: unknown) => call('DELETE', '/push-tokens', { token: user.token, body });
const enabledOf = async (user: User): Promise<Record<string, boolean>> => {
  const { body } = await user.get('/push-tokens/preferences');
  return Object.fromEntries((body['preferences'] as { id: string; enabled: boolean }[]).map(({ id, enabled }) => [id, enabled]));
};
const all = (enabled: boolean) => Object.fromEntries(PREFERENCES.map((id) => [id, enabled]));

describe('POST /push-tokens', () => {
  it('answers 200 to a device, with or without its environment, and again [R1191 R1192 R1193 R1194]', async () => {
    const user = await newUser();
    const device_token = randomUUID();
    for (const environment of ['production', 'development', 'sandbox', 'sandbox', undefined]) {
      const answer = await user.post('/push-tokens', { device_token, environment });
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    }
  });

  it('answers 400 without a device or to a wrong type, 422 to another environment [R1191 R1192]', async () => {
    const user = await newUser();
    expect(await user.post('/push-tokens', { environment: 'production' })).toMatchObject({ status: 400, body: detail(/device_token/) });
    expect((await user.post('/push-tokens', { device_token: 5 })).status).toBe(400);
    expect((await user.post('/push-tokens', { device_token: 'a', environment: 'staging' })).status).toBe(422);
    expect((await user.post('/push-tokens', { device_token: '' })).status).toBe(422);
  });

  it('answers 401 without a token', async () => {
    const answer = await call('POST', '/push-tokens', { body: { device_token: 'a' } });
    expect([answer.status, answer.body]).toEqual([401, detail('Missing Bearer token')]);
  });
});

describe('DELETE /push-tokens', () => {
  it('answers 200, whether the device was there or not [R1195]', async () => {
    const user = await newUser();
    const device_token = randomUUID();
    await user.post('/push-tokens', { device_token });
    for (const token of [device_token, device_token, randomUUID()]) {
      const answer = await remove(user, { device_token: token });
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    }
  });

  it('answers 400 without a device, 401 without a token [R1195]', async () => {
    const user = await newUser();
    expect((await remove(user, {})).status).toBe(400);
    expect((await call('DELETE', '/push-tokens', { body: { device_token: 'a' } })).status).toBe(401);
  });
});

describe('GET /push-tokens/preferences', () => {
  it('answers 200 with the four, all enabled [R1196 R1197 R1198]', async () => {
    const { status, body } = await (await newUser()).get('/push-tokens/preferences');
    expect(status).toBe(200);
    expect(body).toEqual({ preferences: PREFERENCES.map((id) => ({ id, label: expect.stringMatching(/\S/), enabled: true })) });
  });

  it('answers 401 without a token', async () => {
    expect((await call('GET', '/push-tokens/preferences')).status).toBe(401);
  });
});

describe('POST /push-tokens/preferences', () => {
  it('answers 200 with what holds from now on, for the caller alone [R1199 R1200]', async () => {
    const [user, other] = [await newUser(), await newUser()];
    for (const enabled of [false, true, false]) {
      const answer = await user.post('/push-tokens/preferences', { id: 'build_complete', enabled });
      expect([answer.status, answer.body]).toEqual([200, { success: true, id: 'build_complete', enabled }]);
      expect(await enabledOf(user)).toEqual({ ...all(true), build_complete: enabled });
    }
    expect(await enabledOf(other)).toEqual(all(true));
  });

  it('answers 400 when something is missing or of a wrong type, 422 to an unknown id [R1199]', async () => {
    const user = await newUser();
    expect((await user.post('/push-tokens/preferences', { id: 'build_complete' })).status).toBe(400);
    expect((await user.post('/push-tokens/preferences', { enabled: true })).status).toBe(400);
    expect((await user.post('/push-tokens/preferences', { id: 'build_complete', enabled: 'yes' })).status).toBe(400);
    expect((await user.post('/push-tokens/preferences', { id: 'another', enabled: true })).status).toBe(422);
  });

  it('answers 401 without a token', async () => {
    expect((await call('POST', '/push-tokens/preferences', { body: { id: 'build_complete', enabled: true } })).status).toBe(401);
  });
});

describe('DELETE /push-tokens/preferences/{id}', () => {
  it('answers 200 and enables it again [R1201 R1202]', async () => {
    const user = await newUser();
    for (const id of PREFERENCES) await user.post('/push-tokens/preferences', { id, enabled: false });
    expect(await enabledOf(user)).toEqual(all(false));
    for (const id of PREFERENCES) {
      const answer = await user.delete(`/push-tokens/preferences/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { success: true, id, reset: true }]);
    }
    expect(await enabledOf(user)).toEqual(all(true));
    expect((await user.delete('/push-tokens/preferences/build_complete')).status).toBe(200);
  });

  it('answers 404 to an unknown id, 401 without a token', async () => {
    expect((await (await newUser()).delete('/push-tokens/preferences/another')).status).toBe(404);
    expect((await call('DELETE', '/push-tokens/preferences/build_complete')).status).toBe(401);
  });
});

describe('what the service adds of its own', () => {
  it('is quiet hours, the key that browsers subscribe with, and the last pushes', async () => {
    const user = await newUser();
    const hours = { from: '22:00', to: '07:00', time_zone: 'Asia/Tokyo', afterwards: 'digest' };
    const put = await call('PUT', '/push-tokens/preferences/quiet-hours', { token: user.token, body: hours });
    expect([put.status, put.body]).toEqual([200, { quiet_hours: hours }]);
    expect((await user.get('/push-tokens/preferences/quiet-hours')).body).toEqual({ quiet_hours: hours });
    expect((await user.delete('/push-tokens/preferences/quiet-hours')).body).toEqual({ success: true });
    expect((await user.get('/push-tokens/web-push-key')).body).toEqual({ public_key: expect.stringMatching(/^B[\w-]{86}$/) });

    const slug = String((await user.get('/v1/notify/me')).body['slug']);
    await user.post('/push-tokens', { device_token: randomUUID() });
    await call('POST', `/v1/${slug}`, { raw: 'The backup is done.', headers: { 'content-type': 'text/plain' } });
    const sent = async () => (await user.get('/push-tokens/sent')).body['items'];
    await expect.poll(sent, { timeout: 20_000 }).toEqual([
      {
        id: uuid(),
        title: 'New message',
        body: 'The backup is done.',
        deeplink: null,
        via: expect.any(String),
        outcome: expect.any(String),
        reason: null,
        created_at: timestamp(),
      },
    ]);
  });
});
