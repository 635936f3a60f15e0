import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { socketTo } from '#testing/socket-client.ts';
import { waveForm } from '#testing/wave-form.ts';
import { trialSocket } from './trial-socket.ts';
import { trialStream } from './trial-stream.ts';
import { trialUpload } from './trial-upload.ts';
import { trialWebhook } from './trial-webhook.ts';

const SECRET = 'a secret that both sides know';

async function* words(text: string): AsyncGenerator<string> {
  for (const word of text.split(' ')) yield word;
}

const routes = [trialSocket(new Map([['token-1', 'user-1']])), trialWebhook(SECRET), trialUpload, trialStream(words)];
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'trial', routes }] } });
afterAll(() => app.dispose());

describe('a feature that declares one route of each shape', () => {
  it('has them in the registry that GET /status prints', async () => {
    const answer = await app.server.fastify.inject({ method: 'GET', url: '/status', headers: { accept: 'application/json' } });
    const trial = answer.json<{ routes: { path: string; auth: string; method: string }[] }>().routes.filter(({ path }) => path.startsWith('/trial'));
    expect(trial.map(({ method, path, auth }) => `${method} ${path} ${auth}`)).toEqual([
      'GET /trial/socket ws',
      'POST /trial/webhook webhook',
      'POST /trial/recordings/{slug} public',
      'POST /trial/chat stream',
    ]);
  });

  it('talks over a socket', async () => {
    const socket = await socketTo(`${app.url}/trial/socket?token=token-1`);
    socket.send('hello');
    expect(JSON.parse(await socket.next())).toEqual({ type: 'connection_ack', user_id: 'user-1' });
    expect(JSON.parse(await socket.next())).toEqual({ type: 'heard', message: 'hello' });
    socket.close();
  });

  it('takes a signed report, byte for byte', async () => {
    const body = '{ "event": { "id": "e1",  "type": "TEST" } }';
    const send = (signed: string) => {
      const headers = { 'content-type': 'application/json', 'x-trial-signature': createHmac('sha256', SECRET).update(signed).digest('hex') };
      return fetch(`${app.url}/trial/webhook`, { method: 'POST', headers, body });
    };
    expect(await (await send(body)).json()).toEqual({ ok: true, id: 'e1', bytes: body.length });
    expect((await send(body.replaceAll(' ', ''))).status).toBe(401);
  });

  it('takes a recording of somebody who may be signed in', async () => {
    const user = await app.user();
    const send = (headers: Record<string, string>) =>
      fetch(`${app.url}/trial/recordings/a-clip`, { method: 'POST', headers, body: waveForm(1000, { note: 'short' }) });
    expect(await (await send({})).json()).toEqual({ user_id: null, type: 'audio/wav', size: 1000, note: 'short' });
    expect(await (await send({ authorization: `Bearer ${user.token}` })).json()).toMatchObject({ user_id: user.userId });
    expect((await send({ authorization: 'Bearer no-token-of-ours' })).status).toBe(401);
  });

  it('answers a text word by word', async () => {
    const user = await app.user();
    const answer = await user.call('POST', '/trial/chat', { text: 'one two' });
    expect(answer.headers['content-type']).toBe('application/x-ndjson');
    const lines = answer.text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { v: 1, event: 'stream_start', data: { request_id: answer.headers['x-request-id'] } },
      { v: 1, event: 'message_delta', data: { text: 'one' } },
      { v: 1, event: 'message_delta', data: { text: 'two' } },
      { v: 1, event: 'done', data: {} },
    ]);
    expect(await user.call('POST', '/trial/chat', { text: 'x', session_id: 'b0a1d2c3-0000-4000-8000-000000000000' })).toMatchObject({ status: 404 });
  });
});
