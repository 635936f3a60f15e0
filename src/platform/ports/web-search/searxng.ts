import { z } from 'zod';
import { upstream } from '#lib/errors.ts';
import { listOf } from '#lib/text.ts';
import { endpoint, type Protocol, type RawHit } from './protocol.ts';

const text = z.string().nullish().catch(null);
const Entry = z.object({ url: z.string(), title: text, content: text, publishedDate: z.unknown().optional() });
const Answer = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.tuple([z.string()], z.unknown())).catch([]),
});

/** SearXNG's search API (https://docs.searxng.org/dev/search_api.html). */
export const searxng = (baseUrl: string): Protocol => ({
  provider: 'searxng',
  name: 'SearXNG',
  request: (query) => {
    const url = endpoint(baseUrl, '/search');
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    return { url, method: 'GET', headers: {} };
  },
  read: (answer) => {
    const { results, unresponsive_engines: silent } = Answer.parse(answer);
    if (results.length === 0 && silent.length > 0) {
      throw upstream(`SearXNG found nothing because its engines did not answer: ${listOf(silent.slice(0, 5).map(([name]) => name))}.`);
    }
    return results.flatMap((entry): RawHit[] => {
      const { data } = Entry.safeParse(entry);
      return data ? [{ url: data.url, title: data.title, snippet: data.content, publishedAt: data.publishedDate }] : [];
    });
  },
  explain: (status) => (status === 403 ? 'it does not permit the JSON format; list "json" under search.formats in its settings.yml' : undefined),
});
