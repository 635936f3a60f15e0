import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { HOSTILE_PAGES } from '#testing/hostile-pages.ts';
import { longestTurn } from '#testing/longest-turn.ts';
import { openSearchServer, type SearchServerOptions, type ServedPage } from '#testing/search-server.ts';
import { ConfigError } from '../../config/config.ts';
import { openLog } from '../../observability/log.ts';
import { pageMetrics } from './page-metrics.ts';
import { openMetrics } from '../../observability/metrics.ts';
import { PageFailed, PageRefused } from './port.ts';
import type { ThreadOptions } from '../../threads/open-threads.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import type { Lookup } from '../guarded-fetch/guarded-connect.ts';
import { openPageReader } from './open-page-reader.ts';

const never = new AbortController().signal;
const log = openLog('silent');

type Setting = { allow?: readonly string[]; deny?: readonly string[]; lookup?: Lookup; threads?: Partial<ThreadOptions> };

function readerWith({ allow = ['127.0.0.1'], deny = [], lookup, ...rest }: Setting = {}) {
  const metrics = openMetrics();
  const reader = openPageReader({ fetch: openGuardedFetch({ allow, deny, lookup }), metrics, log, ...rest });
  const outcomes = async (): Promise<unknown[]> =>
    (await pageMetrics(metrics).fetches.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  return { read: (url: string, signal: AbortSignal = never) => reader.read(url, signal), outcomes };
}

/** A lookup that gives these addresses, one list per question, the last one again and again. */
function lookupOf(...answers: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const lookup: Lookup = async (host) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(host);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { lookup, asked };
}

const served = (pages: Record<string, ServedPage>, rest: SearchServerOptions = {}) => openSearchServer({ ...rest, pages });
const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );

describe('a page', () => {
  it('is read with its title, text, date and final address', async () => {
    await using server = await openSearchServer();
    const { read, outcomes } = readerWith();
    const page = await read(`${server.baseUrl}/page/3#part`);
    expect(page).toMatchObject({
      url: `${server.baseUrl}/page/3`,
      title: expect.stringContaining('Article 3'),
      publishedAt: '2025-04-15T08:00:00.000Z',
    });
    expect(page.text).toContain('Paragraph 6 of article 3');
    expect(page.text).not.toContain('Imprint');
    expect(page.text).not.toContain('track()');
    expect(server.requests.map(({ url }) => url)).toEqual(['/robots.txt', '/page/3']);
    expect(server.requests[1]?.headers).toMatchObject({ 'user-agent': 'GroundworkBot/1.0', host: `127.0.0.1:${server.port}` });
    expect(await outcomes()).toEqual([['read', 1]]);
    await vi.waitFor(() => expect(server.connections.open).toBe(0));
  });

  it('of a named host is asked for under that name', async () => {
    await using server = await openSearchServer();
    const { lookup } = lookupOf(['127.0.0.1']);
    const page = await readerWith({ allow: ['site.test'], lookup }).read(`http://site.test:${server.port}/page/1`);
    expect(page.url).toBe(`http://site.test:${server.port}/page/1`);
    expect(new Set(server.requests.map(({ headers }) => headers.host))).toEqual(new Set([`site.test:${server.port}`]));
  });

  it('in plain text is given as it is', async () => {
    await using server = await served({ '/notes.txt': { body: 'First line\r\n<b>second</b>\n' } });
    expect(await readerWith().read(`${server.baseUrl}/notes.txt`)).toMatchObject({ title: '', text: 'First line\n<b>second</b>', publishedAt: null });
  });

  it('is decoded by the charset its header names', async () => {
    const body = Buffer.from([...Buffer.from('<p>'), 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]);
    await using server = await served({ '/ru': { headers: { 'content-type': 'text/html; charset=windows-1251' }, body } });
    expect((await readerWith().read(`${server.baseUrl}/ru`)).text).toBe('Привет');
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('is unpacked: %s', async (encoding, pack) => {
    const headers = { 'content-type': 'text/html', 'content-encoding': encoding };
    await using server = await served({ '/packed': { headers, body: pack(Buffer.from('<p>Packed words</p>')) } });
    expect((await readerWith().read(`${server.baseUrl}/packed`)).text).toBe('Packed words');
  });
});

describe('only the public web', () => {
  it('refuses what is not, before a connection exists', async () => {
    await using server = await openSearchServer();
    const { read, outcomes } = readerWith({ allow: [] });
    for (const url of [
      `http://127.0.0.1:${server.port}/page/1`,
      `http://2130706433:${server.port}/`,
      `http://[::ffff:127.0.0.1]:${server.port}/`,
      'nonsense',
    ]) {
      await expect(read(url)).rejects.toThrow(PageRefused);
    }
    expect(server.connections.accepted).toBe(0);
    expect(await outcomes()).toEqual([['refused_address', 4]]);
  });

  it.each([[['10.0.0.1']], [['93.184.216.34', '127.0.0.1']], [['::1']], [['::ffff:127.0.0.1']], [['64:ff9b::7f00:1']]])(
    'refuses a name that resolves to %s',
    async (addresses) => {
      const { lookup, asked } = lookupOf(addresses);
      const error = await failure(readerWith({ allow: [], lookup }).read('http://site.test/'));
      expect(error).toBeInstanceOf(PageRefused);
      expect(error.message).toBe('site.test leads to an address that is not public.');
      expect(asked).toEqual(['site.test']);
    },
  );

  it('looks a name up once per connection, and that answer decides and is connected to', async () => {
    await using server = await openSearchServer({ robots: 'User-agent: *\nAllow: /' });
    const { lookup, asked } = lookupOf(['127.0.0.1'], ['127.0.0.2']);
    const url = `http://rebinding.test:${server.port}/page/1`;
    await expect(readerWith({ allow: ['127.0.0.1'], lookup }).read(url)).rejects.toThrow('not public');
    expect(server.requests.map((request) => request.url)).toEqual(['/robots.txt']);
    expect(asked).toHaveLength(2);

    const steady = lookupOf(['127.0.0.1'], ['127.0.0.1'], ['127.0.0.2']);
    const before = server.connections.accepted;
    await readerWith({ allow: ['127.0.0.1'], lookup: steady.lookup }).read(url);
    expect(steady.asked).toHaveLength(server.connections.accepted - before);
  });

  it('refuses a redirect to a private address, and follows none that denied or odd addresses hide', async () => {
    await using server = await served({
      '/to-metadata': { status: 301, headers: { location: 'http://169.254.169.254/latest/' } },
      '/to-decimal': { status: 307, headers: { location: 'http://167772161/' } },
      '/to-file': { status: 302, headers: { location: 'file:///etc/passwd' } },
      '/to-login': { status: 302, headers: { location: 'http://a:b@127.0.0.1/' } },
      '/to-denied': { status: 302, headers: { location: 'http://x.denied.test/' } },
      '/to-port': { status: 303, headers: { location: 'https://93.184.216.34:22/' } },
    });
    const { read } = readerWith({ deny: ['*.denied.test'] });
    await expect(read(`${server.baseUrl}/fault/redirect_private`)).rejects.toThrow('10.0.0.1 leads to an address that is not public');
    await expect(read(`${server.baseUrl}/to-metadata`)).rejects.toThrow('not public');
    await expect(read(`${server.baseUrl}/to-decimal`)).rejects.toThrow('10.0.0.1 leads to an address that is not public');
    await expect(read(`${server.baseUrl}/to-file`)).rejects.toThrow('Only http and https');
    await expect(read(`${server.baseUrl}/to-login`)).rejects.toThrow('user name or password');
    await expect(read(`${server.baseUrl}/to-denied`)).rejects.toThrow('denied by FETCH_DENY');
    await expect(read(`${server.baseUrl}/to-port`)).rejects.toThrow('Port 22');
  });

  it('lets deny win over allow', async () => {
    await using server = await openSearchServer();
    await expect(readerWith({ deny: ['127.0.0.0/8'] }).read(`${server.baseUrl}/page/1`)).rejects.toThrow('denied by FETCH_DENY');
    expect(server.connections.accepted).toBe(0);
  });

  it('does not start with a rule it cannot read', () => {
    expect(() => readerWith({ deny: ['10.0.0.0/99'] })).toThrow(ConfigError);
  });
});

describe('redirects', () => {
  it('are followed, five at most, relative ones too', async () => {
    const pages = Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((n) => [`/hop/${n}`, { status: 302, headers: { location: n === 1 ? '../page/7' : `${n - 1}` } }] as const),
    );
    await using server = await served(pages);
    const { read } = readerWith();
    expect((await read(`${server.baseUrl}/hop/5`)).url).toBe(`${server.baseUrl}/page/7`);
    await expect(read(`${server.baseUrl}/hop/6`)).rejects.toThrow('redirects more than 5 times');
    await expect(read(`${server.baseUrl}/fault/redirect_loop`)).rejects.toThrow(PageFailed);
  });

  it('answer to the robots.txt of every address on the way', async () => {
    await using other = await openSearchServer({ robots: 'User-agent: *\nDisallow: /page' });
    await using server = await served({ '/away': { status: 302, headers: { location: `${other.baseUrl}/page/1` } } });
    await expect(readerWith().read(`${server.baseUrl}/away`)).rejects.toThrow('forbids this page');
    expect(other.requests.map(({ url }) => url)).toEqual(['/robots.txt']);
  });

  it('to nowhere fail', async () => {
    await using server = await served({ '/odd': { status: 302, headers: { location: 'http://' } } });
    await expect(readerWith().read(`${server.baseUrl}/odd`)).rejects.toThrow('something that is no address');
  });
});

describe('robots.txt', () => {
  it('is kept to and asked for once', async () => {
    await using server = await openSearchServer({ robots: 'User-agent: groundworkbot\nDisallow: /page/2' });
    const { read, outcomes } = readerWith();
    await read(`${server.baseUrl}/page/1`);
    await expect(read(`${server.baseUrl}/page/2`)).rejects.toThrow(PageRefused);
    expect(server.requests.map(({ url }) => url)).toEqual(['/robots.txt', '/page/1']);
    expect(await outcomes()).toEqual([
      ['read', 1],
      ['refused_robots', 1],
    ]);
  });

  it('is followed through redirects, but not to a private address', async () => {
    await using server = await served({
      '/robots.txt': { status: 301, headers: { location: '/rules' } },
      '/rules': { body: 'User-agent: *\nDisallow: /page' },
    });
    await expect(readerWith().read(`${server.baseUrl}/page/1`)).rejects.toThrow('forbids this page');
    await using hostile = await served({ '/robots.txt': { fault: 'redirect_private' } });
    await expect(readerWith().read(`${hostile.baseUrl}/page/1`)).rejects.toThrow('not public');
  });

  it('that fails keeps the pages unread', async () => {
    await using server = await served({ '/robots.txt': { fault: 'broken' } });
    await expect(readerWith().read(`${server.baseUrl}/page/1`)).rejects.toThrow('cannot be had (It answered with status 500)');
    await using silent = await served({ '/robots.txt': { fault: 'reset' } });
    await expect(readerWith().read(`${silent.baseUrl}/page/1`)).rejects.toThrow('the connection broke off');
  });

  it('that never ends is read up to its limit', async () => {
    const body = `User-agent: *\nDisallow: /page/2\n${'# filling\n'.repeat(60_000)}Disallow: /page/1\n`;
    await using server = await served({ '/robots.txt': { body } });
    const { read } = readerWith();
    await read(`${server.baseUrl}/page/1`);
    await expect(read(`${server.baseUrl}/page/2`)).rejects.toThrow('forbids');
    await using endless = await served({ '/robots.txt': { fault: 'endless' } });
    expect((await readerWith().read(`${endless.baseUrl}/page/1`)).title).toContain('Article 1');
  });
});

const BIG = Buffer.alloc(20_000_000, 'a');
const packed = (encoding: string, body: Buffer): ServedPage => ({ headers: { 'content-type': 'text/html', 'content-encoding': encoding }, body });
const BAD_PAGES: Record<string, ServedPage> = {
  '/pdf': { headers: { 'content-type': 'application/pdf' }, body: '%PDF-1.7' },
  '/untyped': { headers: { 'content-type': '' }, body: 'x' },
  '/announced': { headers: { 'content-length': '3000000' }, body: BIG.subarray(0, 3_000_000) },
  '/damaged': packed('gzip', Buffer.from('this is not gzip at all')),
  '/cut': packed('gzip', gzipSync(Buffer.from('<p>words '.repeat(5000))).subarray(0, 60)),
  '/packed-oddly': packed('rot13', Buffer.from('x')),
  '/packed-twice': packed('gzip, gzip', gzipSync(gzipSync(Buffer.from('<p>x')))),
  '/brotli-bomb': packed('br', brotliCompressSync(BIG)),
  '/zstd-bomb': packed('zstd', zstdCompressSync(BIG)),
  '/deflate-bomb': packed('deflate', deflateSync(BIG)),
  '/empty': { headers: { 'content-type': 'text/html' }, body: '' },
  '/blank': { headers: { 'content-type': 'text/html' }, body: '<div id="root"></div><script>render()</script>' },
};

describe('a page that cannot be had', () => {
  it.each([
    ['/fault/broken', 'answered with status 500'],
    ['/fault/forbidden', 'answered with status 403'],
    ['/fault/limited', 'answered with status 429'],
    ['/nowhere', 'answered with status 404'],
    ['/fault/endless', 'larger than 2000 kB'],
    ['/fault/gzip_bomb', 'larger than 2000 kB'],
    ['/fault/reset', 'the connection broke off'],
    ['/fault/garbage', 'of type application/json'],
    ['/pdf', 'is a PDF file'],
    ['/untyped', 'of no stated type'],
    ['/announced', 'larger than 2000 kB'],
    ['/damaged', 'is damaged'],
    ['/cut', 'is damaged'],
    ['/packed-oddly', 'packed in a way that is not known: "rot13"'],
    ['/packed-twice', 'packed in a way that is not known'],
    ['/brotli-bomb', 'larger than 2000 kB'],
    ['/zstd-bomb', 'larger than 2000 kB'],
    ['/deflate-bomb', 'larger than 2000 kB'],
    ['/empty', 'no readable text'],
    ['/blank', 'no readable text'],
  ])('%s: %s', async (path, why) => {
    await using server = await served(BAD_PAGES);
    const error = await failure(readerWith().read(`${server.baseUrl}${path}`));
    expect(error).toBeInstanceOf(PageFailed);
    expect(error.message).toContain(why);
    await vi.waitFor(() => expect(server.connections.open).toBe(0));
  });

  it('because nobody listens, or nobody knows the name', async () => {
    const server = await openSearchServer();
    await server.close();
    await expect(readerWith().read(server.baseUrl)).rejects.toThrow('the connection was refused');
    const unknown: Lookup = () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    await expect(readerWith({ lookup: unknown }).read('http://nobody.test/')).rejects.toThrow('the name is not known');
  });

  it.each(['hang', 'stall'])('because it takes too long: %s', async (fault) => {
    await using server = await openSearchServer();
    const { read, outcomes } = readerWith();
    await read(`${server.baseUrl}/page/1`);
    const error = await failure(read(`${server.baseUrl}/fault/${fault}`, AbortSignal.timeout(150)));
    expect(error).toBeInstanceOf(PageFailed);
    expect(error.message).toContain('time that was given');
    expect(await outcomes()).toContainEqual(['timeout', 1]);
    await vi.waitFor(() => expect(server.connections.open).toBe(0));
  });

  it('because the caller calls it off', async () => {
    await using server = await openSearchServer();
    const { read, outcomes } = readerWith();
    const control = new AbortController();
    const reading = failure(read(`${server.baseUrl}/fault/stall`, control.signal));
    await vi.waitFor(() => expect(server.requests).toHaveLength(2));
    control.abort();
    expect((await reading).message).toContain('called off');
    expect((await failure(read(`${server.baseUrl}/page/1`, control.signal))).message).toContain('called off');
    expect(await outcomes()).toEqual([['cancelled', 2]]);
  });
});

describe('many pages at a time', () => {
  it('share two connections per host', async () => {
    await using server = await openSearchServer({ latencyMs: 10 });
    const { read } = readerWith();
    const pages = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => read(`${server.baseUrl}/page/${n}`)));
    expect(pages.map(({ title }) => title.includes('Article'))).toEqual(Array.from({ length: 8 }, () => true));
    expect(server.mostAtOnce()).toBe(2);
    expect(server.requests).toHaveLength(9);
  });
});

describe('a page that is made to keep its reader busy', () => {
  it.each(['nested blocks of a hundred', 'signs', 'references that never end'])('%s does not keep the service from answering', async (name) => {
    await using server = await served({ '/hostile': { body: (HOSTILE_PAGES.get(name) ?? '').slice(0, 1_999_999) } });
    const { read } = readerWith();
    await read(`${server.baseUrl}/page/1`);
    expect(await longestTurn(() => read(`${server.baseUrl}/hostile`))).toBeLessThan(80);
    expect(await read(`${server.baseUrl}/page/2`)).toMatchObject({ title: expect.stringContaining('Article 2') });
  });

  it.each([
    ['takes too long', 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => { for (;;) {} });', 'longer than 1000 ms'],
    [
      'breaks over it',
      'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => parentPort.postMessage({ failed: "too odd" }));',
      'too odd',
    ],
  ])('counts as one that could not be read when its thread %s', async (_how, code, why) => {
    await using server = await openSearchServer();
    const threads = { script: new URL(`data:text/javascript,${encodeURIComponent(code)}`), limitMs: 1000 };
    const { read, outcomes } = readerWith({ threads });
    const error = await failure(read(`${server.baseUrl}/page/1`));
    expect(error).toBeInstanceOf(PageFailed);
    expect(error.message).toContain(why);
    expect(await outcomes()).toEqual([['failed_parsing', 1]]);
  });
});
