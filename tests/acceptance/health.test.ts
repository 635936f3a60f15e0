import { describe, expect, it } from 'vitest';
import { anyNumber, anyString, call, detail, newUser, timestamp } from './black-box.ts';

const deployment = { version: anyString(), git_sha: anyString(), deployed_at_utc: timestamp() };

describe('GET /health', () => {
  it('answers 200 without a token, with status, database and deployment [R001 R004 R009 R023 R053 R054 R055 R056 R057 R058 R070 R120 R144]', async () => {
    const answer = await call('GET', '/health');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body).toEqual({ status: 'ok', database: 'ok', deployment });
  });
});

describe('GET /version', () => {
  it('answers 200 without a token, with exactly its four fields [R059 R060 R062 R070]', async () => {
    const answer = await call('GET', '/version');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...deployment, hostname: anyString() });
  });
});

describe('GET /status', () => {
  it('answers 200 with a page by default [R063 R064 R070]', async () => {
    const answer = await call('GET', '/status');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expect(answer.text).toMatch(/^<!doctype html>/i);
    expect(answer.text).toContain('/research/{job_id}/events');
  });

  it('answers 200 with a page to a browser, which lists many types [R064]', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const answer = await call('GET', '/status', { headers: { accept } });
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  });

  it('answers 200 with JSON when asked for it, listing every route [R065 R066 R067 R068 R069]', async () => {
    const answer = await call('GET', '/status', { headers: { accept: 'application/json' } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ api_status: anyString(), database: 'ok', route_count: anyNumber(), routes: expect.any(Array) });
    const routes = answer.body['routes'] as Record<string, string>[];
    expect(answer.body['route_count']).toBe(routes.length);
    for (const route of routes) expect(Object.keys(route).sort()).toEqual(['auth', 'client', 'method', 'path']);
    expect(routes).toContainEqual(expect.objectContaining({ method: 'POST', path: '/research', auth: 'required' }));
    expect(routes).toContainEqual(expect.objectContaining({ method: 'GET', path: '/research/{job_id}/events', auth: 'stream' }));
  });

  it('lists routes that all answer: none of them is an unknown path [R001 R068]', async () => {
    const { body } = await call('GET', '/status', { headers: { accept: 'application/json' } });
    const routes = (body['routes'] as { method: string; path: string; auth: string }[]).filter(({ auth }) => auth !== 'public');
    expect(routes.length).toBeGreaterThan(10);
    // A socket is no request, the slug of a personal push URL is unknown, and a publish secret may not be set.
    const refusals: Record<string, number[]> = { ws: [426], slug: [404], publish: [401, 503] };
    for (const { method, path, auth } of routes) {
      const answer = await call(method, path.replaceAll(/\{\w+\}/g, 'b0a1d2c3-0000-4000-8000-000000000000'));
      expect(refusals[auth] ?? [401], `${method} ${path}`).toContain(answer.status);
      if (answer.status === 404) expect(answer.body['detail'], `${method} ${path}`).not.toBe('Not found');
    }
  });
});

describe('any route', () => {
  it('answers 404 with a detail and a request id where there is no route [R006 R007 R019 R032]', async () => {
    const answer = await call('GET', '/no/such/place');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual(detail(/./));
  });

  it('answers 404 to a method that a path does not have [R019 R032]', async () => {
    expect((await call('PUT', '/health')).status).toBe(404);
  });

  it('answers 400 with a detail and a request id to an address that cannot be decoded [R006 R019 R028]', async () => {
    const answer = await call('GET', '/projects/%zz');
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual(detail(/./));
  });

  it('makes a fresh request id each time and ignores the one that came in [R006 R007]', async () => {
    const sent = '0123456789abcdef';
    const ids = new Set<string | null>();
    for (let time = 0; time < 3; time += 1) {
      ids.add((await call('GET', '/version', { headers: { 'x-request-id': sent } })).headers.get('x-request-id'));
    }
    expect(ids.size).toBe(3);
    expect(ids.has(sent)).toBe(false);
  });

  it('answers 413 to a body above the cap [R019 R036]', async () => {
    const { token } = await newUser();
    const answer = await call('POST', '/projects', { token, raw: JSON.stringify({ title: 'x'.repeat(3 * 1024 * 1024) }) });
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual(detail(/./));
  });

  it('answers 400 to a body that is not JSON [R019 R028]', async () => {
    const { token } = await newUser();
    expect((await call('POST', '/projects', { token, raw: '{"title":' })).status).toBe(400);
    expect((await call('POST', '/projects', { token, raw: '["title"]' })).status).toBe(400);
    expect((await call('POST', '/projects', { token, raw: '"title"' })).status).toBe(400);
    expect(
      (await call('POST', '/projects', { token, raw: 'title=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } })).status,
    ).toBe(400);
    expect((await call('POST', '/projects', { token })).status).toBe(400);
  });

  it('answers 422, never 500, to a text that cannot be stored [R037]', async () => {
    const { token } = await newUser();
    expect((await call('POST', '/projects', { token, body: { title: 'nul \u0000 inside' } })).status).toBe(422);
  });
});
