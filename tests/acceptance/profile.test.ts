import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  adminSecret,
  anyNumber,
  anyString,
  call,
  canSignIn,
  detail,
  newAnonymous,
  newUser,
  timestamp,
  uuid,
  type Json,
  type User,
} from './black-box.ts';

const profileShape = {
  user_id: anyString(),
  name: anyString(),
  email: anyString(),
  plan: anyString(),
  credits_used: anyNumber(),
  credits_total: anyNumber(),
  phone: null,
  agent_config: { autonomy_level: 'suggest', auto_actions: [] },
  created_at: timestamp(),
  updated_at: timestamp(),
};
const secretsOf = async (user: User) => (await user.get('/auth/bootstrap')).body['secrets'];
const newNumber = (): string => `+1415${randomInt(1e6, 1e7)}`;
const missingBearer = { status: 401, body: { detail: 'Missing Bearer token' } };

/** The code that waits for a number, as the operator reads it; empty where the service sends its messages out. */
async function codeFor(phone: string): Promise<string> {
  const { body } = await call('GET', '/admin/outbox?limit=200', { token: adminSecret });
  const messages = body['items'] as { to: string; body: string }[];
  return messages.find(({ to }) => to === phone)?.body.slice(0, 6) ?? '';
}

describe('GET /profile', () => {
  it('answers 200 with the profile, made at the first call [R012 R856]', async () => {
    const user = await newUser(canSignIn ? { name: 'Ada Lovelace', email: 'ada@example.org' } : {});
    const answer = await user.get('/profile');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(canSignIn ? { ...profileShape, user_id: user.userId, name: 'Ada Lovelace', email: 'ada@example.org' } : profileShape);
    expect((await user.get('/profile')).body).toEqual(answer.body);
  });

  it('answers 200 to an anonymous session [R856]', async () => {
    const answer = await (await newAnonymous()).get('/profile');
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: profileShape });
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('GET', '/profile')).toMatchObject(missingBearer);
  });
});

describe('PATCH /profile', () => {
  it('answers 200 with the profile that has the new name [R857]', async () => {
    const user = await newUser();
    const answer = await user.patch('/profile', { name: 'Grace' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...profileShape, name: 'Grace' });
    expect((await user.get('/profile')).body['name']).toBe('Grace');
  });

  it('stores keys that no answer shows, and removes them with null [R091 R092 R093 R857]', async () => {
    const user = await newUser();
    const secrets = { codehost_pat: `ghp_${randomUUID()}`, llm_a_key: `sk-a-${randomUUID()}`, llm_b_key: `sk-b-${randomUUID()}` };
    const answers = [await user.patch('/profile', secrets), await user.get('/profile'), await user.get('/auth/bootstrap')];
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
    }
    expect(await secretsOf(user)).toEqual({ has_codehost_pat: true, has_llm_a_key: true, has_llm_b_key: true });
    expect((await user.patch('/profile', { llm_a_key: null, codehost_pat: null })).status).toBe(200);
    expect(await secretsOf(user)).toEqual({ has_codehost_pat: false, has_llm_a_key: false, has_llm_b_key: true });
  });

  it('answers 400 without a field and to a wrong type [R857]', async () => {
    const user = await newUser();
    for (const body of [{}, { name: 1 }, { llm_a_key: ['sk'] }, []])
      expect((await user.patch('/profile', body)).status, JSON.stringify(body)).toBe(400);
  });

  it('answers 422 to a name or key that is too long, and to a key that is none, without repeating it [R857]', async () => {
    const user = await newUser();
    for (const body of [{ name: 'x'.repeat(201) }, { llm_a_key: 'x'.repeat(1001) }, { llm_b_key: '' }, { codehost_pat: 'two words' }]) {
      const answer = await user.patch('/profile', body);
      expect(answer.status, JSON.stringify(body)).toBe(422);
      expect(answer.text).not.toContain('two words');
    }
    expect(await secretsOf(user)).toEqual({ has_codehost_pat: false, has_llm_a_key: false, has_llm_b_key: false });
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('PATCH', '/profile', { body: { name: 'Grace' } })).toMatchObject(missingBearer);
  });
});

describe('POST /profile/phone', () => {
  it('answers 202 and says where the code went [R858]', async () => {
    const phone = newNumber();
    const answer = await (await newUser()).post('/profile/phone', { phone });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 202, body: { sent: true, to: phone } });
  });

  it('answers 400 without a number, 422 to one that is not E.164 [R858]', async () => {
    const user = await newUser();
    for (const body of [{}, { phone: 14155550123 }, { phone: null }]) expect((await user.post('/profile/phone', body)).status).toBe(400);
    for (const phone of ['', '4155550123', '+0155550123', '+1 415 555 0123', '+1415555012345678', '+1415', '+1415555O123', '+14155550123\n']) {
      expect((await user.post('/profile/phone', { phone })).status, phone).toBe(422);
    }
  });

  it('answers 429 to a second code within 30 seconds, with Retry-After [R038 R858]', async () => {
    const user = await newUser();
    await user.post('/profile/phone', { phone: newNumber() });
    const answer = await user.post('/profile/phone', { phone: newNumber() });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('POST', '/profile/phone', { body: { phone: newNumber() } })).toMatchObject(missingBearer);
  });
});

describe('POST /profile/phone/verify', () => {
  it.skipIf(!adminSecret)('answers 200 to the code, once, and links the number [R858]', async () => {
    const [user, phone] = [await newUser(), newNumber()];
    await user.post('/profile/phone', { phone });
    const code = await codeFor(phone);
    const answer = await user.post('/profile/phone/verify', { phone, code });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { linked: true, phone } });
    expect((await user.get('/profile')).body['phone']).toBe(phone);
    expect((await user.post('/profile/phone/verify', { phone, code })).status).toBe(400);
  });

  it('answers 400 to a wrong code, and where there is none [R858]', async () => {
    const [user, phone] = [await newUser(), newNumber()];
    const wrong = detail('Wrong or expired code');
    expect((await user.post('/profile/phone/verify', { phone, code: '000000' })).body).toEqual(wrong);
    await user.post('/profile/phone', { phone });
    const answer = await user.post('/profile/phone/verify', { phone, code: 'abcdef' });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: wrong });
    expect((await user.get('/profile')).body['phone']).toBeNull();
  });

  it('answers 400 without number or code, 422 to a number that is not E.164 [R858]', async () => {
    const user = await newUser();
    for (const body of [{}, { phone: newNumber() }, { code: '123456' }, { phone: newNumber(), code: 123456 }] as Json[]) {
      expect((await user.post('/profile/phone/verify', body)).status, JSON.stringify(body)).toBe(400);
    }
    expect((await user.post('/profile/phone/verify', { phone: '0415', code: '123456' })).status).toBe(422);
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('POST', '/profile/phone/verify', { body: { phone: newNumber(), code: '123456' } })).toMatchObject(missingBearer);
  });
});

describe('DELETE /profile/phone', () => {
  it.skipIf(!adminSecret)('answers 200 and unlinks the number [R858]', async () => {
    const [user, phone] = [await newUser(), newNumber()];
    await user.post('/profile/phone', { phone });
    await user.post('/profile/phone/verify', { phone, code: await codeFor(phone) });
    const answer = await user.delete('/profile/phone');
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { success: true } });
    expect((await user.get('/profile')).body['phone']).toBeNull();
  });

  it('answers 200 where none is linked [R858]', async () => {
    expect((await (await newUser()).delete('/profile/phone')).body).toEqual({ success: true });
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('DELETE', '/profile/phone')).toMatchObject(missingBearer);
  });
});

describe('POST /profile/mcp-tokens', () => {
  it('answers 201 with a token that is shown this once [R859 R1254]', async () => {
    const user = await newUser();
    const answer = await user.post('/profile/mcp-tokens', { name: 'My editor' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ id: uuid(), name: 'My editor', token: expect.stringMatching(/^mcp_[\w-]{48}$/), created_at: timestamp() });
    expect((await user.get('/profile/mcp-tokens')).text).not.toContain(String(answer.body['token']).slice(4));
  });

  it('answers 201 without a name, or without a body [R859]', async () => {
    const user = await newUser();
    for (const body of [{}, undefined]) expect((await user.post('/profile/mcp-tokens', body)).body).toMatchObject({ name: '', token: anyString() });
  });

  it('answers 400 to a name that is no text, 422 to one of more than 100 characters [R859]', async () => {
    const user = await newUser();
    expect((await user.post('/profile/mcp-tokens', { name: 1 })).status).toBe(400);
    expect((await user.post('/profile/mcp-tokens', { name: 'x'.repeat(101) })).status).toBe(422);
    expect((await user.post('/profile/mcp-tokens', { name: 'x'.repeat(100) })).status).toBe(201);
  });

  it('answers 409 to a fifty-first token that would hold [R859]', async () => {
    const user = await newUser();
    for (let n = 0; n < 50; n += 1) expect((await user.post('/profile/mcp-tokens')).status).toBe(201);
    const answer = await user.post('/profile/mcp-tokens');
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 409, body: detail(/^There are 50 active tokens/) });
  });

  it('answers 401 without a bearer, and to an MCP token: it is none of a session [R012 R043 R859]', async () => {
    expect(await call('POST', '/profile/mcp-tokens')).toMatchObject(missingBearer);
    const { body } = await (await newUser()).post('/profile/mcp-tokens');
    expect((await call('POST', '/profile/mcp-tokens', { token: String(body['token']) })).status).toBe(401);
  });
});

describe('GET /profile/mcp-tokens', () => {
  it('answers 200 with the caller’s own tokens, newest first [R859]', async () => {
    const user = await newUser();
    expect((await user.get('/profile/mcp-tokens')).body).toEqual({ tokens: [] });
    const first = (await user.post('/profile/mcp-tokens', { name: 'first' })).body;
    const second = (await user.post('/profile/mcp-tokens', { name: 'second' })).body;
    const listed = ({ id, name, created_at }: Json) => ({ id, name, created_at, last_used_at: null, active: true });
    expect((await user.get('/profile/mcp-tokens')).body).toEqual({ tokens: [listed(second), listed(first)] });
    expect((await (await newUser()).get('/profile/mcp-tokens')).body).toEqual({ tokens: [] });
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('GET', '/profile/mcp-tokens')).toMatchObject(missingBearer);
  });
});

describe('DELETE /profile/mcp-tokens/{id}', () => {
  it('answers 200 and shows the token as not active from then on [R859]', async () => {
    const user = await newUser();
    const { id } = (await user.post('/profile/mcp-tokens', { name: 'editor' })).body;
    const answer = await user.delete(`/profile/mcp-tokens/${String(id)}`);
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { revoked: true } });
    expect((await user.get('/profile/mcp-tokens')).body).toMatchObject({ tokens: [{ id, active: false }] });
  });

  it('answers 404 for another user’s and for none, 422 when the id is no UUID [R010 R859]', async () => {
    const user = await newUser();
    const { id } = (await user.post('/profile/mcp-tokens')).body;
    const stranger = await newUser();
    for (const path of [`/profile/mcp-tokens/${String(id)}`, `/profile/mcp-tokens/${randomUUID()}`]) {
      const answer = await stranger.delete(path);
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 404, body: { detail: 'MCP token not found' } });
    }
    expect((await user.delete('/profile/mcp-tokens/none')).status).toBe(422);
    expect((await user.get('/profile/mcp-tokens')).body).toMatchObject({ tokens: [{ active: true }] });
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('DELETE', `/profile/mcp-tokens/${randomUUID()}`)).toMatchObject(missingBearer);
  });
});

describe('PATCH /profile/agent-config', () => {
  const ACTIONS = [
    'chat.post',
    'docs.export',
    'tracker_a.create_issues',
    'tracker_b.create_issues',
    'mail.send',
    'push.push',
    'push.push_silent',
    'codehost.create_pr',
  ];

  it('answers 200 with the whole configuration, of which only what is given changes [R849 R850 R851 R852 R854]', async () => {
    const user = await newUser();
    for (const autonomy_level of ['confirm', 'auto', 'suggest']) {
      const answer = await user.patch('/profile/agent-config', { autonomy_level });
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { autonomy_level, auto_actions: [] } });
    }
    const all = await user.patch('/profile/agent-config', { auto_actions: ACTIONS });
    expect(all.body).toEqual({ autonomy_level: 'suggest', auto_actions: ACTIONS });
    expect((await user.patch('/profile/agent-config', { autonomy_level: 'confirm' })).body).toEqual({
      autonomy_level: 'confirm',
      auto_actions: ACTIONS,
    });
    expect((await user.get('/profile')).body['agent_config']).toEqual({ autonomy_level: 'confirm', auto_actions: ACTIONS });
  });

  it('answers 422 to an unknown level or action and changes nothing [R850 R852 R855]', async () => {
    const user = await newUser();
    for (const body of [{ autonomy_level: 'never' }, { autonomy_level: '' }, { auto_actions: ['chat.post', 'mail.read'] }]) {
      expect((await user.patch('/profile/agent-config', body)).status, JSON.stringify(body)).toBe(422);
    }
    expect((await user.get('/profile')).body['agent_config']).toEqual({ autonomy_level: 'suggest', auto_actions: [] });
  });

  it('answers 400 to a wrong type [R849 R851]', async () => {
    const user = await newUser();
    for (const body of [{ autonomy_level: 1 }, { auto_actions: 'chat.post' }, []]) {
      expect((await user.patch('/profile/agent-config', body)).status, JSON.stringify(body)).toBe(400);
    }
  });

  it('answers 401 without a bearer [R012 R043]', async () => {
    expect(await call('PATCH', '/profile/agent-config', { body: {} })).toMatchObject(missingBearer);
  });
});
