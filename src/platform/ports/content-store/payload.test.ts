import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openPayloadServer } from '#testing/payload-server.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { payloadContent } from './payload.ts';
import { ContentFailed, type NewContentPage } from './port.ts';

const server = await openPayloadServer();
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(server, { faults: [], docs: [], isUp: true });
  server.requests.length = 0;
});
const fetch = openGuardedFetch({ allow: [], deny: [], allowPrivate: [server.service.baseUrl] });
const content = payloadContent(fetch, server.service);

const PAGE: NewContentPage = {
  slug: 'a-page',
  title: 'A page',
  description: 'About something',
  og_image_url: null,
  blocks: [
    { blockType: 'hero', title: 'Hello' },
    { blockType: 'of another kind', more: { deep: [1] } },
  ],
  published: true,
  sort_order: 3,
  research: { score: 70 },
  project_id: '0b0a1d2c-0000-4000-8000-000000000000',
};
const methods = () => server.requests.map(({ method }) => method);

describe('a page in a content system', () => {
  it('is made when there is none of its slug, found again with all that is in it, and put in the place of the one that is there', async () => {
    expect(await content.find('a-page')).toBe(null);
    expect(await content.put(PAGE)).toEqual({ id: '1', ...PAGE });
    expect(await content.find('a-page')).toEqual({ id: '1', ...PAGE });
    expect(await content.put({ ...PAGE, title: 'Another title' })).toEqual({ id: '1', ...PAGE, title: 'Another title' });
    expect(server.docs).toHaveLength(1);
    expect(methods()).toEqual(['GET', 'GET', 'POST', 'GET', 'GET', 'PATCH']);
    expect(server.requests[0]).toEqual({
      method: 'GET',
      url: '/api/clips?where%5Bslug%5D%5Bequals%5D=a-page&depth=1&limit=1',
      authorization: 'users API-Key the-api-key-of-the-content-system',
    });
  });

  it('is put in the place of the one that somebody else made at the same moment', async () => {
    server.faults.push(undefined, 'raced');
    expect(await content.put(PAGE)).toMatchObject({ title: 'A page' });
    expect(methods()).toEqual(['GET', 'POST', 'GET', 'PATCH']);
    expect(server.docs.map(({ title }) => title)).toEqual(['A page']);
  });

  it('is made once by many who put it at once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => content.put(PAGE)));
    expect(server.docs).toHaveLength(1);
  });

  it('is removed, also when it is not there or goes at the same moment', async () => {
    await content.put(PAGE);
    await content.remove('a-page');
    await content.remove('a-page');
    expect(server.docs).toEqual([]);
    await content.put(PAGE);
    server.faults.push(undefined, 404);
    await content.remove('a-page');
  });

  it('may lack what editors left empty', async () => {
    server.docs.push({ id: 7, slug: 'bare', title: null, blocks: null, published: true });
    expect(await content.find('bare')).toEqual({
      id: '7',
      slug: 'bare',
      title: '',
      description: '',
      og_image_url: null,
      blocks: [],
      published: true,
      sort_order: 0,
      research: null,
      project_id: null,
    });
  });

  it.each([
    [{ published: true }, true],
    [{ published: false }, false],
    [{}, false],
    [{ published: null, _status: 'published' }, true],
    [{ published: true, _status: 'draft' }, false],
    [{ _status: 'draft' }, false],
    [{ published: false, _status: 'published' }, false],
  ])('is published or not: %j', async (state, expected) => {
    server.docs.push({ id: 1, slug: 's', ...state });
    expect((await content.find('s'))?.published).toBe(expected);
  });

  it('is not the one whose slug differs by case, however the system compares', async () => {
    await content.put(PAGE);
    expect(await content.find('A-PAGE')).toBe(null);
  });

  it.each([500, 503, 403, 404, 302, 'garbage', 'another shape', 'lost'] as const)('fails when the system answers with %s', async (fault) => {
    server.faults.push(fault);
    const failed = await content.find('a-page').catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ContentFailed);
    expect(String(failed)).not.toContain(server.service.apiKey);
    server.faults.push(fault);
    await expect(content.put(PAGE)).rejects.toBeInstanceOf(ContentFailed);
  });

  it('fails when the page is refused for another reason than its slug, and with a wrong key', async () => {
    server.faults.push(undefined, 400);
    await expect(content.put(PAGE)).rejects.toThrow('status 400');
    await expect(payloadContent(fetch, { ...server.service, apiKey: 'wrong' }).find('a-page')).rejects.toThrow('status 403');
  });
});
