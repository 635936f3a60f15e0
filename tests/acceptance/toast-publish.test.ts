import { randomUUID } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { call, detail, newUser } from './black-box.ts';

const secret = inject('publishSecret');
const publish = (body: unknown, token: string | undefined = secret) => call('POST', '/v1/toasts/publish', { token, body });
const toast = { title: 'Hello' };

describe.runIf(secret)('POST /v1/toasts/publish', () => {
  it('answers 202 with how it went: nobody is connected and there is no device [R1181]', async () => {
    const userId = `user-${randomUUID()}`;
    const answer = await publish({ user_id: userId, topic: `user:${userId}`, toast });
    expect([answer.status, answer.body]).toEqual([202, { delivered: false, transport: 'none', session_count: 0 }]);
  });

  it('becomes a push to whoever is away, unless fallback_apns is false [R1132 R1180 R1181]', async () => {
    const user = await newUser();
    await user.post('/push-tokens', { device_token: randomUUID() });
    const order = { user_id: user.userId, topic: `user:${user.userId}`, toast };
    expect((await publish({ ...order, fallback_apns: false })).body).toEqual({ delivered: false, transport: 'none', session_count: 0 });
    expect((await publish(order)).body).toEqual({ delivered: true, transport: 'push', session_count: 0 });
    expect((await user.get('/v1/toasts')).body['items']).toHaveLength(2);
  });

  it('is told once under one dedupe key [R1179]', async () => {
    const user = await newUser();
    const order = { user_id: user.userId, topic: 'news', toast, dedupe_key: 'one', collapse_key: 'scores', ttl_ms: 60_000 };
    for (const _ of [1, 2]) expect((await publish(order)).status).toBe(202);
    expect((await user.get('/v1/toasts')).body['items']).toHaveLength(1);
  });

  it('answers 400 without what it needs, 422 to what is out of range [R1160 R1176 R1177 R1178]', async () => {
    const whole = { user_id: 'somebody', topic: 'news', toast };
    for (const name of ['user_id', 'topic', 'toast']) expect((await publish({ ...whole, [name]: undefined })).status, name).toBe(400);
    expect((await publish({ ...whole, toast: {} })).status).toBe(400);
    expect((await publish({ ...whole, fallback_apns: 'yes' })).status).toBe(400);
    expect((await publish({ ...whole, ttl_ms: -1 })).status).toBe(422);
  });

  it('answers 401 with a wrong secret, a user’s token, or none [R1182 R1183]', async () => {
    const whole = { user_id: 'somebody', topic: 'news', toast };
    for (const token of ['wrong', (await newUser()).token]) {
      const answer = await publish(whole, token);
      expect([answer.status, answer.body]).toEqual([401, detail('invalid_publish_key')]);
    }
    expect((await call('POST', '/v1/toasts/publish', { body: whole })).status).toBe(401);
  });
});
