import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { pageRoute } from './page.ts';

let text = 'one';
const pages = [true as const, undefined].map((tagged) =>
  pageRoute({
    path: `/page/${tagged ? 'tagged' : 'plain'}`,
    summary: 'A page',
    responses: { 200: z.object({ text: z.string() }) },
    show: async () => ({ json: { text }, html: () => `<p>${text}</p>`, ...(tagged ? { tagged } : {}) }),
  }),
);
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes: pages }] } });
afterAll(() => app.dispose());

const JSON_TYPE = { accept: 'application/json' };
const get = (path: string, headers: Record<string, string> = {}) => app.server.fastify.inject({ url: path, headers });

describe('a page that is tagged', () => {
  it('has a tag of its own in each form, and another one when it changes', async () => {
    const tags = [];
    for (const said of ['one', 'two']) {
      text = said;
      for (const headers of [{}, JSON_TYPE]) tags.push((await get('/page/tagged', headers)).headers.etag);
    }
    expect(tags.every((tag) => /^"[\w-]{22}"$/.test(String(tag)))).toBe(true);
    expect(new Set(tags).size).toBe(4);
  });

  it('answers 304 without a body to who has it, and with it to all others', async () => {
    const { headers } = await get('/page/tagged');
    const again = await get('/page/tagged', { 'if-none-match': `"other", W/${String(headers.etag)}` });
    expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', headers.etag]);
    expect((await get('/page/tagged', { ...JSON_TYPE, 'if-none-match': String(headers.etag) })).statusCode).toBe(200);
  });
});

describe('any other page', () => {
  it('has none', async () => {
    const answer = await get('/page/plain', { 'if-none-match': '*' });
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, undefined]);
  });
});
