import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#testing/app.ts';
import { loadConfig } from '#platform/config/config.ts';
import { openIdentity } from './identity.ts';

const ISSUER = 'https://id.example.org';
const apps: TestApp[] = [];
let provider: Server;
let keyUrl: string;
let privateKey: CryptoKey;
let keySet: string;
/** What the provider sends. */
let answer: string;

beforeAll(async () => {
  const pair = await generateKeyPair('RS256');
  privateKey = pair.privateKey;
  answer = keySet = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }] });
  provider = createServer((_request, response) => void response.setHeader('content-type', 'application/json').end(answer));
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  keyUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;
});
afterEach(async () => {
  answer = keySet;
  for (const app of apps.splice(0)) await app.dispose();
});
afterAll(() => void provider.close());

async function appWith(env: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp({ env: { ROLES: 'api', ...env } });
  apps.push(app);
  return app;
}

const sign = (claims: Record<string, unknown>, key = privateKey, alg = 'RS256') =>
  new SignJWT({ sub: 'u1', iss: ISSUER, azp: 'web', exp: Math.floor(Date.now() / 1000) + 60, ...claims })
    .setProtectedHeader({ alg, kid: 'k1' })
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

  it('is believed for any party of its issuer, or any issuer of its parties, where only one is named; no keys of our own are shown [R047]', async () => {
    const byIssuer = await appWith({ IDENTITY_JWKS_URL: keyUrl, IDENTITY_ISSUER: ISSUER });
    expect(await session(byIssuer, await sign({ azp: 'anyone' }))).toMatchObject({ status: 200 });
    expect(await session(byIssuer, await sign({ iss: 'anybody' }))).toMatchObject({ status: 401 });
    const byParty = await appWith({ IDENTITY_JWKS_URL: keyUrl, IDENTITY_AUTHORIZED_PARTIES: 'web' });
    expect(await session(byParty, await sign({ iss: 'anybody' }))).toMatchObject({ status: 200 });
    expect((await byParty.server.fastify.inject({ method: 'GET', url: '/.well-known/jwks.json' })).statusCode).toBe(404);
  });

  it('without issuer and parties would be believed for tokens to other services: the start stops', () => {
    const env = { IDENTITY_JWKS_URL: keyUrl };
    expect(() => loadConfig(env)).toThrow(/^IDENTITY_JWKS_URL needs IDENTITY_ISSUER or IDENTITY_AUTHORIZED_PARTIES/);
    expect(() => loadConfig({ ...env, IDENTITY_AUDIENCE: 'groundwork' })).toThrow(/^IDENTITY_JWKS_URL needs IDENTITY_ISSUER/);
    expect(() => loadConfig({ IDENTITY_AUDIENCE: 'groundwork' })).toThrow(/set without IDENTITY_JWKS_URL/);
  });

  it('is believed for tokens to the audience that is named, and for no others', async () => {
    const app = await appWith({ IDENTITY_JWKS_URL: keyUrl, IDENTITY_ISSUER: ISSUER, IDENTITY_AUDIENCE: 'groundwork' });
    expect(await session(app, await sign({ aud: 'groundwork' }))).toMatchObject({ status: 200 });
    expect(await session(app, await sign({ aud: ['elsewhere', 'groundwork'] }))).toMatchObject({ status: 200 });
    const invalid = { status: 401, body: { detail: expect.stringMatching(/^Invalid token: /) } };
    for (const aud of [undefined, 'elsewhere', ['elsewhere'], []]) expect(await session(app, await sign({ aud }))).toMatchObject(invalid);
  });

  it('is not believed for a subject that is longer than a user id is', async () => {
    const app = await appWith({ IDENTITY_JWKS_URL: keyUrl, IDENTITY_ISSUER: ISSUER });
    const invalid = { status: 401, body: { detail: 'Invalid token: its subject is too long' } };
    expect(await session(app, await sign({ sub: 'u'.repeat(255) }))).toMatchObject({ status: 200 });
    expect(await session(app, await sign({ sub: Array.from({ length: 150 }, () => randomUUID()).join('') }))).toMatchObject(invalid);
  });

  it.each([
    ['more than any key set has', () => JSON.stringify({ ...JSON.parse(keySet), more: 'x'.repeat(2_000_000) })],
    ['what is no key set', () => '[]'],
  ])('that sends %s makes it 503', async (_what, body) => {
    answer = body();
    const app = await appWith({ IDENTITY_JWKS_URL: keyUrl, IDENTITY_ISSUER: ISSUER });
    expect(await session(app, await sign({}))).toMatchObject({ status: 503, body: { detail: 'JWKS not loaded' } });
  });

  it('that does not answer makes it 503 with Retry-After; session tokens go on [R042 R048 R049]', async () => {
    const app = await appWith({ IDENTITY_JWKS_URL: 'http://127.0.0.1:9/jwks', IDENTITY_ISSUER: ISSUER });
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

  it('has one key for several processes that start on an empty folder at once, readable by its owner alone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'groundwork-key-'));
    const file = join(folder, 'identity-key.json');
    const opened = await Promise.all([1, 2, 3, 4].map(() => openIdentity({ kind: 'embedded', issuer: '' }, file)));
    expect(new Set(opened.map(({ publicKeys }) => publicKeys?.keys[0]?.kid)).size).toBe(1);
    expect(readdirSync(folder)).toEqual(['identity-key.json']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(folder, { recursive: true });
  });
});
