import { describe, expect, it, vi } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { openSearchServer, type SearchServerOptions, type ServedHit } from '#testing/search-server.ts';
import type { SearchConfig } from '../../config/search.ts';
import { searchMetrics } from './search-metrics.ts';
import { openMetrics } from '../../observability/metrics.ts';
import { openSearch } from './open-search.ts';

const never = new AbortController().signal;

type Provider = 'searxng' | 'brave' | 'tavily';
const PROVIDERS: readonly Provider[] = ['searxng', 'brave', 'tavily'];
const NAMES = { searxng: 'SearXNG', brave: 'Brave Search', tavily: 'Tavily' };

const configOf = (provider: Provider, baseUrl: string): SearchConfig =>
  provider === 'searxng' ? { provider, baseUrl } : { provider, baseUrl, apiKey: 'key-1' };

function engineAt(provider: Provider, baseUrl: string) {
  const metrics = openMetrics();
  const pauses: number[] = [];
  const engine = openSearch(configOf(provider, baseUrl), metrics, async (milliseconds) => pauses.push(milliseconds));
  if (!engine) throw new Error('no engine');
  const outcomes = async (): Promise<unknown[]> =>
    (await searchMetrics(metrics).searches.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  return { search: (query: string, count = 10, signal: AbortSignal = never) => engine.search(query, { count, signal }), engine, outcomes, pauses };
}

/** An engine of each kind that answers what `body` holds. */
const answering = (body: unknown, rest: SearchServerOptions = {}) => {
  const page = { body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return openSearchServer({ ...rest, pages: { '/search': page, '/res/v1/web/search': page } });
};

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

const HITS: readonly ServedHit[] = [
  {
    url: 'https://one.test/a?b=c',
    title: 'One &amp; <b>only</b>',
    snippet: 'It&#x27;s the <strong>first</strong>&hellip; &lt;b&gt;',
    publishedAt: '2025-03-04T05:06:07',
  },
  { url: 'ftp://two.test/', title: 'No page', snippet: '' },
  { url: 'javascript:alert(1)', title: 'No page', snippet: '' },
  { url: 'not an address', title: 'No page', snippet: '' },
  { url: 'http://three.test', title: '', snippet: 'A  plain\n text with a < b and caf&eacute;', publishedAt: '3 days ago' },
];

describe('every engine', () => {
  it.each(PROVIDERS)('%s: gives hits as text, in order, at most as many as asked', async (provider) => {
    await using server = await openSearchServer({ hits: HITS });
    const { search, engine, outcomes } = engineAt(provider, server.baseUrl);
    expect(engine.provider).toBe(provider);
    expect(await search('split the rent')).toEqual([
      { url: 'https://one.test/a?b=c', title: 'One & only', snippet: "It's the first… <b>", publishedAt: '2025-03-04T05:06:07.000Z' },
      { url: 'http://three.test/', title: '', snippet: 'A plain text with a < b and café', publishedAt: null },
    ]);
    expect(await search('split the rent', 1)).toHaveLength(1);
    expect(await outcomes()).toEqual([['ok', 2]]);
  });

  it.each(PROVIDERS)('%s: takes hits without the optional fields, and leaves out broken ones', async (provider) => {
    const results = [
      { url: 'https://one.test/' },
      null,
      7,
      { title: 'no url' },
      { url: 5 },
      { url: 'https://two.test/', title: 3, content: {}, description: [] },
    ];
    await using server = await answering({ results, web: { results } });
    const bare = { title: '', snippet: '', publishedAt: null };
    expect(await engineAt(provider, server.baseUrl).search('x')).toEqual([
      { url: 'https://one.test/', ...bare },
      { url: 'https://two.test/', ...bare },
    ]);
  });

  it.each(PROVIDERS)('%s: is asked again once when busy, or when it failed', async (provider) => {
    await using server = await openSearchServer({ faults: ['limited'] });
    const first = engineAt(provider, server.baseUrl);
    expect(await first.search('x')).toHaveLength(5);
    expect(first.pauses).toEqual([0]);
    expect(server.requests).toHaveLength(2);
    await using failing = await openSearchServer({ faults: ['broken', 'broken'] });
    const second = engineAt(provider, failing.baseUrl);
    const error = await failure(second.search('x'));
    expect(error).toMatchObject({ kind: 'upstream', message: `${NAMES[provider]} answered with status 500.` });
    expect(second.pauses).toEqual([1000]);
    expect(failing.requests).toHaveLength(2);
    expect(await second.outcomes()).toEqual([['failed', 1]]);
  });

  it.each(PROVIDERS)('%s: fails with a sentence', async (provider) => {
    const name = NAMES[provider];
    await using server = await openSearchServer({ faults: ['garbage', 'endless', 'reset', 'redirect_private', 'gzip_bomb'] });
    const { search } = engineAt(provider, server.baseUrl);
    const sentences: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const error = await failure(search('x'));
      expect(error).toBeInstanceOf(AppError);
      sentences.push(error.message);
    }
    expect(sentences).toEqual([
      `${name} answered something that is not JSON.`,
      `The answer of ${name} is larger than 2 MB.`,
      `${name} could not be reached.`,
      `${name} answered with status 302: it redirects to http://10.0.0.1; SEARCH_BASE_URL must name its final address.`,
      `The answer of ${name} is larger than 2 MB.`,
    ]);
    await using odd = await answering({ results: 'none', web: 'none' });
    expect((await failure(engineAt(provider, odd.baseUrl).search('x'))).message).toBe(
      `${name} answered something that is no answer of its protocol.`,
    );
  });

  it.each(PROVIDERS)('%s: keeps to the time it is given', async (provider) => {
    await using server = await openSearchServer({ faults: ['hang', 'hang'] });
    const { search, outcomes } = engineAt(provider, server.baseUrl);
    const late = await failure(search('x', 5, AbortSignal.timeout(100)));
    expect(late).toMatchObject({ kind: 'upstream', message: `${NAMES[provider]} did not answer in the time that was given for it.` });
    const control = new AbortController();
    const searching = failure(search('x', 5, control.signal));
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    control.abort(new Error('no longer wanted'));
    expect((await searching).message).toBe('no longer wanted');
    expect(await outcomes()).toEqual([
      ['timeout', 1],
      ['cancelled', 1],
    ]);
  });

  it('is not asked for nothing', async () => {
    await using server = await openSearchServer();
    expect(await engineAt('brave', server.baseUrl).search('  ')).toEqual([]);
    expect(await engineAt('brave', server.baseUrl).search('x', 0)).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe('the protocols', () => {
  it('SearXNG', async () => {
    await using server = await openSearchServer();
    await engineAt('searxng', `${server.baseUrl}/`).search('rent & "rooms"');
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: '/search?q=rent+%26+%22rooms%22&format=json' });
  });

  it('SearXNG below a path', async () => {
    const pages = { '/searx/search': { body: JSON.stringify({ results: [{ url: 'https://one.test/' }] }) } };
    await using server = await openSearchServer({ pages });
    expect(await engineAt('searxng', `${server.baseUrl}/searx/`).search('x')).toHaveLength(1);
  });

  it('Brave', async () => {
    await using server = await openSearchServer();
    await engineAt('brave', server.baseUrl).search(`${'word '.repeat(60)}`, 50);
    expect(server.requests[0]).toMatchObject({ method: 'GET', headers: { 'x-subscription-token': 'key-1', accept: 'application/json' } });
    const url = new URL(server.requests[0]?.url ?? '', server.baseUrl);
    expect(url.pathname).toBe('/res/v1/web/search');
    expect(url.searchParams.get('q')?.split(' ')).toHaveLength(50);
    expect(url.searchParams.get('count')).toBe('20');
  });

  it('Brave finds nothing when its answer has no web part', async () => {
    await using server = await answering({ type: 'search', query: {} });
    expect(await engineAt('brave', server.baseUrl).search('x')).toEqual([]);
  });

  it('Tavily', async () => {
    await using server = await openSearchServer();
    await engineAt('tavily', server.baseUrl).search('rent', 7);
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/search', headers: { authorization: 'Bearer key-1' } });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ query: 'rent', max_results: 7 });
  });

  it('none', () => {
    expect(openSearch({ provider: 'none' }, openMetrics())).toBeUndefined();
  });
});

describe('what failures mean', () => {
  const withStatus = (status: number) => {
    const page = { status, body: '{}' };
    return openSearchServer({ pages: { '/search': page, '/res/v1/web/search': page } });
  };

  it('a SearXNG that does not permit JSON', async () => {
    await using server = await openSearchServer({ faults: ['forbidden'] });
    expect((await failure(engineAt('searxng', server.baseUrl).search('x'))).message).toBe(
      'SearXNG answered with status 403: it does not permit the JSON format; list "json" under search.formats in its settings.yml.',
    );
  });

  it('a SearXNG whose engines are all silent', async () => {
    await using server = await answering({
      results: [],
      unresponsive_engines: [
        ['google', 'CAPTCHA'],
        ['bing', 'timeout'],
      ],
    });
    expect((await failure(engineAt('searxng', server.baseUrl).search('x'))).message).toBe(
      'SearXNG found nothing because its engines did not answer: google and bing.',
    );
    await using content = await answering({ results: [], unresponsive_engines: [] });
    expect(await engineAt('searxng', content.baseUrl).search('x')).toEqual([]);
  });

  it.each([
    ['brave', 401, 'it does not accept SEARCH_API_KEY'],
    ['brave', 422, 'it does not accept SEARCH_API_KEY or the query'],
    ['tavily', 401, 'it does not accept SEARCH_API_KEY'],
    ['tavily', 432, 'the credits of its plan are used up'],
    ['tavily', 400, 'answered with status 400.'],
  ] as const)('%s with status %i', async (provider, status, why) => {
    await using server = await withStatus(status);
    const error = await failure(engineAt(provider, server.baseUrl).search('x'));
    expect(error.message).toContain(why);
    expect(server.requests).toHaveLength(1);
    expect(error.message).not.toContain('key-1');
  });

  it('a wait that is too long is not waited', async () => {
    const page = { status: 429, headers: { 'retry-after': '3600' }, body: '' };
    await using server = await openSearchServer({ pages: { '/search': page } });
    const { search, pauses } = engineAt('searxng', server.baseUrl);
    expect((await failure(search('x'))).message).toBe('SearXNG answered with status 429 and asks to be left alone for 3600 s.');
    expect(pauses).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  it('a wait until a date', async () => {
    const limited = { status: 429, headers: { 'retry-after': new Date(Date.now() + 10_000).toUTCString() }, body: '' };
    let asked = 0;
    await using server = await openSearchServer({ pages: { '/search': () => ((asked += 1) === 1 ? limited : { body: '{"results":[]}' }) } });
    const { search, pauses } = engineAt('searxng', server.baseUrl);
    expect(await search('x')).toEqual([]);
    expect(pauses[0]).toBeGreaterThan(7000);
    expect(pauses[0]).toBeLessThanOrEqual(10_000);
  });

  it('searches that meet a limit together go again one after the other', async () => {
    await using server = await openSearchServer({ faults: ['limited', 'limited', 'limited'] });
    const waiting: (() => void)[] = [];
    const engine = openSearch(configOf('brave', server.baseUrl), openMetrics(), () => new Promise<void>((resolve) => waiting.push(resolve)));
    const searches = ['a', 'b', 'c'].map((query) => engine?.search(query, { count: 5, signal: never }));
    for (const turn of [1, 2, 3]) {
      await vi.waitFor(() => expect(waiting).toHaveLength(turn));
      expect(server.requests.length).toBeLessThan(3 + turn);
      waiting[turn - 1]?.();
    }
    expect((await Promise.all(searches)).map((hits) => hits?.length)).toEqual([5, 5, 5]);
  });
});
