import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { frontPage } from './front-page.ts';

const app = await startTestApp({ env: { ROLES: 'api', BASE_URL: 'https://example.org/groundwork' } });
afterAll(() => app.dispose());

const get = (accept: string) => app.server.fastify.inject({ method: 'GET', url: '/', headers: { accept } });

describe('the bare address', () => {
  it('says what runs here and where to read on, as a page', async () => {
    const { statusCode, headers, payload } = await get('text/html,application/xhtml+xml,*/*;q=0.8');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(payload).toContain(`version ${app.ctx.config.version}`);
    expect([...payload.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['docs', 'openapi.json', 'status']);
    expect(payload).not.toMatch(/<(?:script|img|link)|src=|url\(/);
    for (const url of ['/docs', '/openapi.json', '/status']) expect((await app.server.fastify.inject({ method: 'GET', url })).statusCode).toBe(200);
  });

  it('and as JSON to whoever prefers that', async () => {
    const { headers, payload } = await get('application/json');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(payload)).toMatchObject({ name: 'Groundwork', openapi: 'https://example.org/groundwork/openapi.json' });
  });

  it('shows nothing as markup that is text', () => {
    const odd = '<b>"&\'';
    const html = frontPage({ name: odd, version: odd, description: odd, reference: odd, openapi: odd, status: odd, command_line: odd });
    expect(html).not.toContain('<b>');
  });
});
