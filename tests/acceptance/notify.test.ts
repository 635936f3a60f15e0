import { describe, expect, it } from 'vitest';
import { anyString, call, detail, newUser, serviceUrl, type User } from './black-box.ts';

const push = (slug: string, raw: string, type = 'text/plain') => call('POST', `/v1/${slug}`, { raw, headers: { 'content-type': type } });
const slugOf = async (user: User): Promise<string> => String((await user.get('/v1/notify/me')).body['slug']);

describe('GET /v1/notify/me', () => {
  it('answers 200 with a slug and its URL, which nothing may keep [R1203]', async () => {
    const { status, body, headers } = await (await newUser()).get('/v1/notify/me');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toEqual({ slug: expect.stringMatching(/^[\w-]{32,}$/), url: anyString() });
    expect(new URL(String(body['url'])).pathname).toBe(`/v1/${String(body['slug'])}`);
  });

  it('gives another slug with each call and voids the earlier one at once [R1204 R1205]', async () => {
    const user = await newUser();
    const [first, second] = [await slugOf(user), await slugOf(user)];
    expect(first).not.toBe(second);
    expect((await push(first, 'hello')).status).toBe(404);
    expect((await push(second, 'hello')).status).toBe(200);
  });

  it('answers 401 without a token', async () => {
    const answer = await call('GET', '/v1/notify/me');
    expect([answer.status, answer.body]).toEqual([401, detail('Missing Bearer token')]);
  });
});

describe('POST /v1/{slug}', () => {
  it('answers 200 to a text without any other credential [R1206 R1207 R1208 R1209]', async () => {
    const slug = await slugOf(await newUser());
    for (const text of ['The backup is done.', 'ä'.repeat(512)]) {
      const answer = await push(slug, text, 'text/plain; charset=utf-8');
      expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    }
  });

  it('shows the text among the toasts of its owner [R1206]', async () => {
    const user = await newUser();
    await push(await slugOf(user), 'The backup is done.');
    expect((await user.get('/v1/toasts')).body['items']).toMatchObject([{ body: 'The backup is done.' }]);
  });

  it('answers 400 to another content type and to an empty body [R1207]', async () => {
    const slug = await slugOf(await newUser());
    expect((await push(slug, '{}', 'application/json')).status).toBe(400);
    expect((await push(slug, '')).status).toBe(400);
  });

  it('answers 404 to an unknown slug', async () => {
    expect((await push('no-such-slug', 'hello')).status).toBe(404);
    expect((await push('cards', 'hello')).status).toBe(404);
  });

  it('answers 413 above 1,024 bytes [R1208]', async () => {
    const slug = await slugOf(await newUser());
    expect((await push(slug, 'x'.repeat(1025))).status).toBe(413);
    expect((await push(slug, 'x'.repeat(1024))).status).toBe(200);
  });

  it('answers 429 with Retry-After to the fourth within a minute [R1210]', async () => {
    const user = await newUser();
    const slug = await slugOf(user);
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await push(slug, `hello ${n}`)).status);
    expect(statuses).toEqual([200, 200, 200]);
    const fourth = await push(slug, 'hello');
    expect(fourth.status).toBe(429);
    expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await push(await slugOf(user), 'hello')).status).toBe(200);
  });

  it('leaves the routes beside it alone', async () => {
    const user = await newUser();
    expect((await user.post('/v1/ideas', {})).status).toBe(400);
    expect((await fetch(`${serviceUrl}/v1/cards`)).status).toBe(401);
  });
});
