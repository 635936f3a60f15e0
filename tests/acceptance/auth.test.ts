import { randomUUID } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  anyNumber,
  anyString,
  call,
  canSignIn,
  completedResearch,
  detail,
  forgedToken,
  identityToken,
  newAnonymous,
  newIdea,
  newProject,
  newUser,
  userWith,
  uuid,
} from './black-box.ts';

const sessionToken = { token: anyString(), expires_in: 1800 };
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
const newDevice = () => `device-${randomUUID()}`;

describe.skipIf(!canSignIn)('POST /auth/session', () => {
  it('answers 200 with an opaque token of 1800 seconds to an identity JWT and an empty body [R071 R072 R073 R074 R075 R125 R126 R128 R129 R145]', async () => {
    const answer = await call('POST', '/auth/session', { token: await identityToken('user-session') });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(sessionToken);
    expect(answer.body['token']).not.toContain('.');
    expect((await userWith(String(answer.body['token'])).get('/projects')).status).toBe(200);
  });

  it('answers 200 as well when the empty body is announced as JSON [R074 R075]', async () => {
    const answer = await call('POST', '/auth/session', { token: await identityToken('user-session'), raw: '' });
    expect(answer.status).toBe(200);
  });

  it('gives a fresh token each time [R071]', async () => {
    const token = await identityToken('user-session');
    const [first, second] = await Promise.all([call('POST', '/auth/session', { token }), call('POST', '/auth/session', { token })]);
    expect(first.body['token']).not.toBe(second.body['token']);
  });

  it('answers 401 to a session token: it cannot mint another [R046 R076 R130]', async () => {
    const { token } = await newUser();
    const answer = await call('POST', '/auth/session', { token });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(detail(/^Invalid token: /));
  });

  it('answers 401 to an anonymous session token [R076 R130]', async () => {
    const { token } = await newAnonymous();
    expect((await call('POST', '/auth/session', { token })).status).toBe(401);
  });

  it('answers 401 without a bearer [R029 R043]', async () => {
    const answer = await call('POST', '/auth/session');
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Missing Bearer token' });
  });

  it('answers 401 to an expired JWT [R029 R044 R045]', async () => {
    const answer = await call('POST', '/auth/session', { token: await forgedToken({ exp: Math.floor(Date.now() / 1000) - 60 }) });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Token expired' });
  });

  it('answers 401 to a JWT for another party [R047]', async () => {
    const answer = await call('POST', '/auth/session', { token: await forgedToken({ azp: 'someone-else' }) });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Invalid authorized party' });
  });

  it('answers 401 to a JWT that another key signed [R046 R126]', async () => {
    const { privateKey } = await generateKeyPair('RS256');
    const token = await new SignJWT({ sub: 'u', azp: 'groundwork', exp: inAnHour() }).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    const answer = await call('POST', '/auth/session', { token });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(detail(/^Invalid token: /));
  });

  it('answers 401 to a JWT that is not signed with RS256 [R046 R127]', async () => {
    const secret = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
    const symmetric = await new SignJWT({ sub: 'u', azp: 'groundwork', exp: inAnHour() }).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    const { privateKey } = await generateKeyPair('ES256');
    const elliptic = await new SignJWT({ sub: 'u', azp: 'groundwork', exp: inAnHour() }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
    const plain = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${plain({ alg: 'none' })}.${plain({ sub: 'u', azp: 'groundwork', exp: inAnHour() })}.`;
    for (const token of [symmetric, elliptic, unsigned]) {
      const answer = await call('POST', '/auth/session', { token });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(detail(/^Invalid token: /));
    }
  });

  it('answers 401 to a JWT without a subject, without an end, or that claims to be anonymous [R046 R141]', async () => {
    for (const claims of [{ sub: undefined }, { exp: undefined }, { sub: `anon:${randomUUID()}` }]) {
      const answer = await call('POST', '/auth/session', { token: await forgedToken(claims) });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(detail(/^Invalid token: /));
    }
  });
});

describe('DELETE /auth/session', () => {
  it('answers 200 [R077 R078]', async () => {
    const answer = await (await newUser()).delete('/auth/session');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
  });

  it('makes the token invalid at once [R046 R079]', async () => {
    const user = await newUser();
    expect((await user.get('/projects')).status).toBe(200);
    await user.delete('/auth/session');
    const after = await user.get('/projects');
    expect(after.status).toBe(401);
    expect(after.body).toEqual(detail(/^Invalid token: /));
    expect((await user.delete('/auth/session')).status).toBe(401);
  });

  it('leaves the other sessions of the same principal alone [R079]', async () => {
    const device = newDevice();
    const [first, second] = [await newAnonymous(device), await newAnonymous(device)];
    await first.delete('/auth/session');
    expect((await second.get('/projects')).status).toBe(200);
  });

  it('answers 401 without a bearer [R043]', async () => {
    const answer = await call('DELETE', '/auth/session');
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Missing Bearer token' });
  });

  it.skipIf(!canSignIn)('answers 401 to an identity JWT: there is nothing to revoke [R046 R077]', async () => {
    const answer = await call('DELETE', '/auth/session', { token: await identityToken('user-jwt') });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(detail(/^Invalid token: /));
  });
});

describe('GET /auth/bootstrap', () => {
  it('answers 200 with profile, subscription and secrets from the first call on [R080 R081 R084 R085 R086 R087 R088 R089 R090 R091 R092 R093]', async () => {
    const user = await newUser();
    const first = await user.get('/auth/bootstrap');
    expect(first.status).toBe(200);
    const credits = { credits_used: anyNumber(), credits_total: anyNumber() };
    expect(first.body).toEqual({
      profile: { name: anyString(), email: anyString(), plan: 'free', ...credits, project_count: 0 },
      subscription: { plan: anyString(), ...credits },
      secrets: { has_codehost_pat: false, has_llm_a_key: false, has_llm_b_key: false },
    });
    const { profile, subscription } = first.body as Record<'profile' | 'subscription', Record<string, unknown>>;
    expect(subscription['credits_used']).toBe(profile['credits_used']);
    expect(subscription['credits_total']).toBe(profile['credits_total']);
    await newProject(user);
    expect((await user.get('/auth/bootstrap')).body['profile']).toEqual({ ...profile, project_count: 1 });
  });

  it.skipIf(!canSignIn)(
    'shows the name and address of the identity, with a session token and with the JWT itself [R082 R083 R118 R123]',
    async () => {
      const who = { name: 'Ada Test', email: 'ada@example.org' };
      const user = await newUser(who);
      expect((await user.get('/auth/bootstrap')).body['profile']).toMatchObject(who);
      const jwt = await identityToken(`user-${randomUUID()}`, who);
      expect((await call('GET', '/auth/bootstrap', { token: jwt })).body['profile']).toMatchObject(who);
    },
  );

  it('answers 200 to an anonymous session [R012 R080]', async () => {
    expect((await (await newAnonymous()).get('/auth/bootstrap')).status).toBe(200);
  });

  it('answers 401 without a bearer, to another scheme and to an unknown token [R012 R029 R043 R046 R123 R124]', async () => {
    expect((await call('GET', '/auth/bootstrap')).body).toEqual({ detail: 'Missing Bearer token' });
    expect((await call('GET', '/auth/bootstrap', { headers: { authorization: 'Basic dXNlcjpwYXNz' } })).body).toEqual({
      detail: 'Missing Bearer token',
    });
    const unknown = await call('GET', '/auth/bootstrap', { token: 'no-such-token' });
    expect(unknown.status).toBe(401);
    expect(unknown.body).toEqual(detail(/^Invalid token: /));
    expect((await call('GET', '/auth/bootstrap', { token: 'a.b.c' })).body).toEqual(detail(/^Invalid token: /));
  });
});

describe('POST /auth/anonymous', () => {
  it('answers 200 without a token, with a session that opens what is required [R071 R072 R094 R095 R097 R120 R128 R144]', async () => {
    const answer = await call('POST', '/auth/anonymous', { body: { device_id: newDevice() } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(sessionToken);
    expect((await userWith(String(answer.body['token'])).get('/projects')).status).toBe(200);
  });

  it('gives the same principal for the same device, another for another [R098 R141 R142]', async () => {
    const device = newDevice();
    const id = await newProject(await newAnonymous(device));
    expect((await (await newAnonymous(device)).get(`/projects/${id}`)).status).toBe(200);
    expect((await (await newAnonymous()).get(`/projects/${id}`)).status).toBe(404);
  });

  it('gives the same principal to first visits at the same time [R098]', async () => {
    const device = newDevice();
    const users = await Promise.all([newAnonymous(device), newAnonymous(device), newAnonymous(device)]);
    const owners = await Promise.all(users.map(async (user) => (await user.post('/projects', { title: newIdea() })).body['user_id']));
    expect(new Set(owners).size).toBe(1);
  });

  it('answers 422 when device_id is missing, empty or longer than 200 characters [R037 R096 R099 R100]', async () => {
    for (const body of [{}, { device_id: '' }, { device_id: 'd'.repeat(201) }]) {
      expect((await call('POST', '/auth/anonymous', { body })).status).toBe(422);
    }
    expect((await call('POST', '/auth/anonymous')).status).toBe(422);
    expect((await call('POST', '/auth/anonymous', { body: { device_id: 'd'.repeat(163) + randomUUID() + 'd' } })).status).toBe(200);
  });

  it('answers 400 to a body that is not JSON [R028]', async () => {
    expect((await call('POST', '/auth/anonymous', { raw: '{' })).status).toBe(400);
  });
});

describe.skipIf(!canSignIn)('POST /auth/rebind', () => {
  it('answers 200 and moves what the device made, once [R101 R103 R104 R105 R112]', async () => {
    const device = newDevice();
    const anonymous = await newAnonymous(device);
    const project = await newProject(anonymous);
    const research = await completedResearch(anonymous, newIdea(), { project_id: project });
    const user = await newUser();
    const answer = await user.post('/auth/rebind', { device_id: device });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ rebound: true, rows_updated: anyNumber(), anon_uuid: uuid() });
    expect(answer.body['rows_updated']).toBeGreaterThanOrEqual(2);
    expect((await user.get(`/projects/${project}`)).body).toMatchObject({ id: project, user_id: user.userId, research_count: 1 });
    expect((await user.get(`/research/${research}/status`)).status).toBe(200);
    expect((await anonymous.get(`/projects/${project}`)).status).toBe(404);
    expect((await anonymous.get(`/research/${research}/status`)).status).toBe(404);
  });

  it('accepts the identity JWT itself [R102]', async () => {
    const device = newDevice();
    await newProject(await newAnonymous(device));
    const jwt = await identityToken(`user-${randomUUID()}`);
    expect((await call('POST', '/auth/rebind', { token: jwt, body: { device_id: device } })).body).toMatchObject({ rebound: true });
  });

  it('is a no-op for a device without an anonymous principal, and for one of the same user [R106 R107 R108]', async () => {
    const user = await newUser();
    const unchanged = { rebound: false, rows_updated: 0, anon_uuid: null };
    expect((await user.post('/auth/rebind', { device_id: newDevice() })).body).toEqual(unchanged);
    const device = newDevice();
    await newProject(await newAnonymous(device));
    expect((await user.post('/auth/rebind', { device_id: device })).body).toMatchObject({ rebound: true });
    const later = await newProject(await newAnonymous(device));
    const again = await user.post('/auth/rebind', { device_id: device });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(unchanged);
    expect((await user.get(`/projects/${later}`)).status).toBe(404);
  });

  it('answers 401 to an anonymous session [R111 R114 R143]', async () => {
    const answer = await (await newAnonymous()).post('/auth/rebind', { device_id: newDevice() });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'Rebind requires an authenticated user token; got anonymous session' });
  });

  it('answers 401 without a bearer [R043 R111]', async () => {
    expect((await call('POST', '/auth/rebind', { body: { device_id: 'd' } })).body).toEqual({ detail: 'Missing Bearer token' });
  });

  it('answers 409 when the device went to another user, also after it made new things [R111 R113 R115]', async () => {
    const device = newDevice();
    await newProject(await newAnonymous(device));
    await (await newUser()).post('/auth/rebind', { device_id: device });
    await newProject(await newAnonymous(device));
    const answer = await (await newUser()).post('/auth/rebind', { device_id: device });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ detail: `device ${device} already rebound to a different user` });
  });

  it('lets only one of two users at the same time have a device [R109 R113]', async () => {
    const device = newDevice();
    await newProject(await newAnonymous(device));
    const users = await Promise.all([newUser(), newUser()]);
    const answers = await Promise.all(users.map((user) => user.post('/auth/rebind', { device_id: device })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('answers 422 when device_id is missing or empty, and when it is too long [R111 R116 R117]', async () => {
    const user = await newUser();
    for (const body of [{}, { device_id: '' }]) {
      const answer = await user.post('/auth/rebind', body);
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual({ detail: 'device_id required' });
    }
    expect((await user.post('/auth/rebind')).status).toBe(422);
    expect((await user.post('/auth/rebind', { device_id: 'd'.repeat(201) })).status).toBe(422);
  });
});
