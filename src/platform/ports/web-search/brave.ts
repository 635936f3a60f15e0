import { z } from 'zod';
import { endpoint, type Protocol, type RawHit } from './protocol.ts';

const text = z.string().nullish().catch(null);
const Entry = z.object({ url: z.string(), title: text, description: text, page_age: z.unknown().optional(), age: z.unknown().optional() });
const Answer = z.object({ web: z.object({ results: z.array(z.unknown()).nullish() }).nullish() });

const MOST = 20;

/** Brave's web search API (https://api-dashboard.search.brave.com/app/documentation/web-search). */
export const brave = (baseUrl: string, apiKey: string): Protocol => ({
  provider: 'brave',
  name: 'Brave Search',
  request: (query, count) => {
    const url = endpoint(baseUrl, '/res/v1/web/search');
    url.searchParams.set('q', query);
    url.searchParams.set('count', String(Math.min(Math.max(count, 1), MOST)));
    return { url, method: 'GET', headers: { 'x-subscription-token': apiKey } };
  },
  read: (answer) =>
    (Answer.parse(answer).web?.results ?? []).flatMap((entry): RawHit[] => {
      const { data } = Entry.safeParse(entry);
      return data ? [{ url: data.url, title: data.title, snippet: data.description, publishedAt: data.page_age ?? data.age }] : [];
    }),
  explain: (status) => {
    if (status === 401 || status === 403) return 'it does not accept SEARCH_API_KEY';
    return status === 422 ? 'it does not accept SEARCH_API_KEY or the query' : undefined;
  },
});
