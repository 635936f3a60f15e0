import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { readsEveryVersion } from '#testing/stored-documents.ts';
import { builtInContent } from './built-in.ts';
import type { NewContentPage } from './port.ts';
import { storedPage } from './stored-page.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());
const content = builtInContent(app.ctx);

const page = (slug: string, title = 'A page'): NewContentPage => ({
  slug,
  title,
  description: '',
  og_image_url: null,
  blocks: [{ blockType: 'hero', title: '"quoted" \\ and 🎈' }],
  published: false,
  sort_order: 0,
  research: null,
  project_id: null,
});

describe('a stored page', () => {
  readsEveryVersion(storedPage, new URL('stored/', import.meta.url), 'page');
});

describe('a page in our own database', () => {
  it('is made, found, put in the place of the one that is there, and removed, more than once', async () => {
    expect(await content.find('one')).toBe(null);
    const made = await content.put(page('one'));
    expect(await content.find('one')).toEqual(made);
    const again = await content.put(page('one', 'Another title'));
    expect(again).toEqual({ ...made, title: 'Another title' });
    expect(await content.find('one')).toEqual(again);
    await content.remove('one');
    await content.remove('one');
    expect(await content.find('one')).toBe(null);
  });

  it('has one id, however many put it at once', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => content.put(page('two'))));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });
});
