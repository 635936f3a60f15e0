import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { AppError, type ErrorKind } from '../../lib/errors.ts';
import { startTestApp } from '#testing/app.ts';
import { sendRaw } from '#testing/raw-http.ts';
import { answerTo } from './error-answers.ts';
import { prefersJson } from './shapes/page.ts';

let broken = false;
const clock = {
  now: () => {
    if (broken) throw new Error('the clock stands still');
    return new Date();
  },
};
const app = await startTestApp({ env: { ROLES: 'api', BODY_LIMIT_BYTES: String(1024 * 1024) }, overrides: { clock } });
afterAll(() => app.dispose());
afterEach(() => {
  broken = false;
});

describe('an error that nobody foresaw', () => {
  it('is answered 500 with the request id of the header and without its own words [R006 R019 R020 R040]', async () => {
    broken = true;
    const answer = await app.server.fastify.inject({ method: 'POST', url: '/auth/anonymous', payload: { device_id: 'd' } });
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{16}$/);
    expect(answer.json()).toEqual({ detail: 'Internal error', request_id: answer.headers['x-request-id'] });
  });
});

describe('what is thrown', () => {
  it.each<[ErrorKind, number]>([
    ['malformed', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['too_large', 413],
    ['invalid', 422],
    ['rate_limited', 429],
    ['upstream', 502],
    ['unavailable', 503],
  ])('as %s is answered %i with its detail [R019 R028 R029 R030 R032 R035 R036 R037 R038 R041 R042]', (kind, status) => {
    expect(answerTo(new AppError(kind, 'why'), 'id')).toEqual({ status, body: { detail: 'why' }, headers: {} });
  });

  it('keeps a detail that is an object, and adds the request id to a 500 [R020 R021 R022]', () => {
    const detail = { code: 'BRIDGE_INVARIANT_VIOLATED', message: 'no project' };
    expect(answerTo(new AppError('internal', detail), 'id')).toEqual({ status: 500, body: { detail, request_id: 'id' }, headers: {} });
  });

  it('names the seconds to wait where that is known [R039 R049]', () => {
    expect(answerTo(new AppError('unavailable', 'later', { retryAfter: 5 }), 'id').headers).toEqual({ 'retry-after': '5' });
  });

  it('is a 503 when the database is away [R042]', () => {
    for (const code of ['ECONNREFUSED', '57P01', '08006']) {
      expect(answerTo(Object.assign(new Error('gone'), { code }), 'id')).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    }
  });
});

describe('a request whose statement was given up for another one', () => {
  it.each(['40P01', '40001'])('is a 503 that asks to try again in a second (%s)', (code) => {
    expect(answerTo(Object.assign(new Error('deadlock detected'), { code }), 'id')).toEqual({
      status: 503,
      body: { detail: 'Others were changing the same; try again' },
      headers: { 'retry-after': '1' },
    });
  });
});

describe('the server', () => {
  it('answers a body above its cap with 413, before it looks at the token [R036]', async () => {
    const payload = { title: 'x'.repeat(1024 * 1024) };
    expect((await app.server.fastify.inject({ method: 'POST', url: '/projects', payload })).statusCode).toBe(413);
  });

  it('refuses JSON that is nested too deep before anything else is done with it', async () => {
    const ask = (payload: string) =>
      app.server.fastify.inject({ method: 'POST', url: '/auth/anonymous', headers: { 'content-type': 'application/json' }, payload });
    for (const depth of [65, 7000, 100_000]) {
      const answer = await ask(`{"device_id":"d","more":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({ detail: 'JSON nested deeper than 64 levels is not accepted' });
    }
    expect((await ask(`{"device_id":"d","more":${'['.repeat(63)}${']'.repeat(63)}}`)).statusCode).toBe(200);
  });

  it('sends the description and the reference from one copy, and not again to whoever has it', async () => {
    for (const url of ['/openapi.json', '/docs', '/docs/', '/docs/static/swagger-ui-bundle.js', '/docs/static/reference.js']) {
      const first = await app.server.fastify.inject({ method: 'GET', url });
      const etag = String(first.headers['etag']);
      expect(etag, url).toMatch(/^"[\w-]{22}"$/);
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const again = await app.server.fastify.inject({ method: 'GET', url, headers: { 'if-none-match': tag } });
        expect([again.statusCode, again.payload, again.headers['etag']], url).toEqual([304, '', etag]);
      }
      expect((await app.server.fastify.inject({ method: 'GET', url, headers: { 'if-none-match': '"x"' } })).statusCode).toBe(200);
    }
  });

  it('calls the host that the description came from, whatever its name', async () => {
    const { servers } = (await app.server.fastify.inject({ method: 'GET', url: '/openapi.json' })).json<{ servers: { url: string }[] }>();
    expect(servers).toEqual([{ url: '/' }]);
  });

  it('answers bytes that are no HTTP with a request id as well [R006]', async () => {
    const answer = await sendRaw(app.url, 'NOT HTTP\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/x-request-id: [0-9a-f]{16}\r\n/i);
    expect(answer).toContain('"detail"');
  });

  it('serves the same with a slash at the end', async () => {
    expect((await app.server.fastify.inject({ method: 'GET', url: '/version/' })).statusCode).toBe(200);
  });

  it('sends what keeps browsers from guessing', async () => {
    const { headers } = await app.server.fastify.inject({ method: 'GET', url: '/version' });
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
  });

  it('has its machine room open: metrics, description, reference and keys', async () => {
    for (const [path, type] of [
      ['/metrics', 'text/plain'],
      ['/openapi.json', 'application/json'],
      ['/docs', 'text/html'],
      ['/docs/', 'text/html'],
      ['/docs/static/swagger-ui.css', 'text/css'],
      ['/docs/static/reference.js', 'text/javascript'],
      ['/.well-known/jwks.json', 'application/json'],
    ]) {
      const answer = await app.server.fastify.inject({ method: 'GET', url: path ?? '' });
      expect(answer.statusCode, path).toBe(200);
      expect(String(answer.headers['content-type']), path).toContain(type);
      expect(answer.headers['x-request-id'], path).toMatch(/^[0-9a-f]{16}$/);
    }
  });

  it('shows the public half of its key alone', async () => {
    const { keys } = (await app.server.fastify.inject({ method: 'GET', url: '/.well-known/jwks.json' })).json<{ keys: Record<string, string>[] }>();
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

describe('what a client prefers', () => {
  it.each([
    [undefined, false],
    ['*/*', false],
    ['text/html', false],
    ['application/json', true],
    ['application/json, text/html', true],
    ['text/html, application/json', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
  ])('with Accept %j is JSON: %s [R064 R065]', (accept, expected) => {
    expect(prefersJson(accept)).toBe(expected);
  });
});
