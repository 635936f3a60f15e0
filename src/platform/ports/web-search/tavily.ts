import { z } from 'zod';
import { endpoint, type Protocol, type RawHit } from './protocol.ts';

const text = z.string().nullish().catch(null);
const Entry = z.object({ url: z.string(), title: text, content: text, published_date: z.unknown().optional() });
const Answer = z.object({ results: z.array(z.unknown()) });

const MOST = 20;

/** Tavily's search API (https://docs.tavily.com/documentation/api-reference/endpoint/search). */
export const tavily = (baseUrl: string, apiKey: string): Protocol => ({
  provider: 'tavily',
  name: 'Tavily',
  request: (query, count) => ({
    url: endpoint(baseUrl, '/search'),
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, max_results: Math.min(Math.max(count, 1), MOST), search_depth: 'basic' }),
  }),
  read: (answer) =>
    Answer.parse(answer).results.flatMap((entry): RawHit[] => {
      const { data } = Entry.safeParse(entry);
      return data ? [{ url: data.url, title: data.title, snippet: data.content, publishedAt: data.published_date }] : [];
    }),
  explain: (status) => {
    if (status === 401 || status === 403) return 'it does not accept SEARCH_API_KEY';
    return status === 432 || status === 433 ? 'the credits of its plan are used up' : undefined;
  },
});
