import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { openIdentity } from './identity.ts';

const ISSUER = 'https://id.example.org';
const apps: TestApp[] = [];
let provider: Server;
let keyUrl: string;
let privateKey: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  privateKey = pair.privateKey;
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] });
  provider = createServer((_request, response) => void response.setHeader('content-type', 'application/json').end(keys));
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  keyUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.dispose();
});
afterAll(() => void provider.close());

async function appWith(env: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ env: { ROLES: 'api', ...env } });
  apps.push(app);
  return app;
}

const sign = (claims: Record<string, unknown>, key = privateKey, alg = 'RS256') =>
  new SignJWT({ iss: ISSUER, azp: 'web', exp: Math.floor(Date.now() / 1000) + 60, ...claims })
    .setProtectedHeader({ alg, kid: 'k1' })
    .setSubject('u1')
    .sign(key);

async function session(app: TestApp, token: string) {
  const answer = await app.server.fastify.inject({ method: 'POST', url: '/auth/session', headers: { authorization: `Bearer ${token}` } });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers };
}

describe('a configured identity provider', () => {
  it('is believed for tokens of its keys, issuer and parties, and for no others [R047 R075 R126 R127]', async () => {
    const app = await appWith({ IDENTITY_JWKS_URL: keyUrl, IDENTITY_ISSUER: ISSUER, IDENTITY_AUTHORIZED_PARTIES: 'web,phone' });
    expect(await session(app, await sign({}))).toMatchObject({ status: 200, body: { expires_in: 1800 } });
    expect(await session(app, await sign({ azp: 'phone' }))).toMatchObject({ status: 200 });
    expect(await session(app, await sign({ azp: 'tv' }))).toMatchObject({ status: 401, body: { detail: 'Invalid authorized party' } });
    expect(await session(app, await sign({ azp: undefined }))).toMatchObject({ status: 401, body: { detail: 'Invalid authorized party' } });
    const invalid = { status: 401, body: { detail: expect.stringMatching(/^Invalid token: /) } };
    expect(await session(app, await sign({ iss: 'https://elsewhere.example.org' }))).toMatchObject(invalid);
    expect(await session(app, await sign({}, (await generateKeyPair('RS256')).privateKey))).toMatchObject(invalid);
    expect(await session(app, await app.identityToken('u1'))).toMatchObject(invalid);
    expect(await session(app, await sign({ exp: Math.floor(Date.now() / 1000) - 60 }))).toMatchObject({
      status: 401,
      body: { detail: 'Token expired' },
    });
  });

  it('is believed for any party and issuer where none is named; no keys of our own are shown [R047]', async () => {
    const app = await appWith({ IDENTITY_JWKS_URL: keyUrl });
    expect(await session(app, await sign({ azp: 'anyone', iss: 'anybody' }))).toMatchObject({ status: 200 });
    expect((await app.server.fastify.inject({ method: 'GET', url: '/.well-known/jwks.json' })).statusCode).toBe(404);
  });

  it('that does not answer makes it 503 with Retry-After; session tokens go on [R042 R048 R049]', async () => {
    const app = await appWith({ IDENTITY_JWKS_URL: 'http://127.0.0.1:9/jwks' });
    const answer = await session(app, await sign({}));
    expect(answer).toMatchObject({ status: 503, body: { detail: 'JWKS not loaded' } });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const visitor = await app.anonymous();
    expect((await visitor.call('GET', '/projects')).status).toBe(200);
  });
});

describe('the embedded provider', () => {
  it('makes its key once and keeps it', async () => {
    const app = await appWith({});
    const token = await app.identityToken('u1');
    const identity = await openIdentity({ kind: 'embedded', issuer: '' }, `${app.ctx.config.dataDir}/identity-key.json`);
    expect(await identity.verify(token)).toMatchObject({ userId: 'u1', anonymous: false, credential: { kind: 'identity' } });
    const other = await openIdentity({ kind: 'embedded', issuer: '' }, null);
    await expect(other.verify(token)).rejects.toThrow(/^Invalid token: /);
  });
});
