import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { everyone } from '../guards/everyone.ts';
import { textRoute } from './text.ts';

const table = textRoute({
  path: '/tables/{name}',
  summary: 'A table',
  guard: everyone,
  params: z.object({ name: z.string().max(5) }),
  produces: ['text/csv', 'text/markdown'],
  async handle({ params: { name } }) {
    if (name === 'ü') return { text: `| ${name} |`, contentType: 'text/markdown', headers: { 'cache-control': 'no-store' } };
    return { text: 'a,b\n', contentType: 'text/csv', fileName: `${name}.csv` };
  },
});
const mine = textRoute({
  path: '/mine',
  summary: 'For who is signed in',
  produces: ['text/plain'],
  handle: async ({ principal }) => ({ text: principal.userId, contentType: 'text/plain' }),
});
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes: [table, mine] }] } });
afterAll(() => app.dispose());

it('a text is sent with its type in UTF-8, as a file where it has a name; errors stay JSON', async () => {
  const shown = await fetch(`${app.url}/tables/${encodeURIComponent('ü')}`);
  expect([shown.headers.get('content-type'), shown.headers.get('cache-control'), await shown.text()]).toEqual([
    'text/markdown; charset=utf-8',
    'no-store',
    '| ü |',
  ]);
  const kept = await fetch(`${app.url}/tables/x`);
  expect([kept.headers.get('content-type'), kept.headers.get('content-disposition')]).toEqual([
    'text/csv; charset=utf-8',
    expect.stringContaining('attachment; filename="x.csv"'),
  ]);
  const refused = await fetch(`${app.url}/tables/too-long`);
  expect([refused.status, await refused.json()]).toEqual([422, { detail: expect.stringMatching(/^name: /) }]);
  expect((await fetch(`${app.url}/mine`)).status).toBe(401);
  const user = await app.user();
  expect((await user.call('GET', '/mine')).text).toBe(user.userId);
});
