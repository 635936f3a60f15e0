import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** One hit in no engine's words; `publishedAt` as the engine would write it. */
export type ServedHit = { url: string; title: string; snippet: string; publishedAt?: string };

/** What goes wrong with a request. */
type Fault =
  | 'limited'
  | 'broken'
  | 'forbidden'
  | 'hang'
  | 'garbage'
  | 'endless'
  | 'stall'
  | 'redirect_loop'
  | 'redirect_private'
  | 'gzip_bomb'
  | 'reset';

/** What one address answers. */
export type ServedPage = { status?: number; headers?: Record<string, string>; body?: string | Buffer; fault?: Fault };

type SeenRequest = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

export type SearchServerOptions = {
  /** The list that every engine gives, or one list per query; by default five hits that lead to the pages served here. */
  hits?: readonly ServedHit[] | ((query: string) => readonly ServedHit[]);
  /** Milliseconds before every answer. */
  latencyMs?: number;
  /** One per search, in order; searches after the last have none. */
  faults?: readonly Fault[];
  /** The text of robots.txt; none by default, which answers 404. */
  robots?: string;
  /** Answers for further paths; they go before everything else. */
  pages?: Readonly<Record<string, ServedPage | ((request: SeenRequest) => ServedPage)>>;
};

export type SearchServer = AsyncDisposable & {
  /** `http://127.0.0.1:<port>`, which serves as base URL of all three engines. */
  baseUrl: string;
  port: number;
  requests: readonly SeenRequest[];
  /** Connections accepted so far, and those open now. */
  connections: { accepted: number; open: number };
  /** The most requests that waited for their answer at a time. */
  mostAtOnce(): number;
  close(): Promise<void>;
};

const PRIVATE = 'http://10.0.0.1/secret';
const ENGINE_PATHS = { '/search': 'searxng or tavily', '/res/v1/web/search': 'brave' } as const;

/**
 * A small web on a free port of 127.0.0.1: the search protocols of SearXNG, Brave and Tavily, articles under `/page/<n>`,
 * `/fault/<name>` for each fault, and robots.txt.
 */
export async function openSearchServer(options: SearchServerOptions = {}): Promise<SearchServer> {
  const requests: SeenRequest[] = [];
  const connections = { accepted: 0, open: 0 };
  const busy = { now: 0, most: 0 };
  const faults = [...(options.faults ?? [])];
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    connections.accepted += 1;
    connections.open += 1;
    socket.on('close', () => (connections.open -= 1));
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const seen: SeenRequest = { method: request.method ?? 'GET', url: request.url ?? '/', headers: request.headers, body: await bodyOf(request) };
    requests.push(seen);
    busy.now += 1;
    busy.most = Math.max(busy.most, busy.now);
    if (options.latencyMs) await wait(options.latencyMs);
    busy.now -= 1;
    const path = new URL(seen.url, 'http://localhost').pathname;
    const own = options.pages?.[path];
    if (own) return send(response, typeof own === 'function' ? own(seen) : own);
    if (path in ENGINE_PATHS) {
      const fault = faults.shift();
      return send(response, fault ? { fault } : engineAnswer(seen, path, options.hits ?? pagesAsHits(baseUrl)));
    }
    return send(response, sitePage(path, options.robots));
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl, port, requests, connections, mostAtOnce: () => busy.most, close, [Symbol.asyncDispose]: close };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const pagesAsHits = (baseUrl: string): ServedHit[] =>
  [1, 2, 3, 4, 5].map((n) => ({ url: `${baseUrl}/page/${n}`, title: `Article ${n}`, snippet: `What article ${n} says in <strong>short</strong>.` }));

function sitePage(path: string, robots: string | undefined): ServedPage {
  if (path === '/robots.txt') return robots === undefined ? { status: 404 } : { body: robots, headers: { 'content-type': 'text/plain' } };
  const [, kind, name] = path.split('/');
  if (kind === 'page' && name && /^\d+$/.test(name)) return { body: article(Number(name)) };
  if (kind === 'fault' && name) return { fault: name as Fault };
  return { status: 404 };
}

function engineAnswer(request: SeenRequest, path: string, hits: NonNullable<SearchServerOptions['hits']>): ServedPage {
  const isTavily = path === '/search' && request.method === 'POST';
  const asked = isTavily ? (JSON.parse(request.body) as { query?: string }).query : new URL(request.url, 'http://localhost').searchParams.get('q');
  const list = typeof hits === 'function' ? hits(asked ?? '') : hits;
  if (isTavily) return isKeyed(request, 'authorization') ? tavilyAnswer(asked, list) : { status: 401 };
  if (path === '/search') return searxngAnswer(asked, list);
  return isKeyed(request, 'x-subscription-token') ? braveAnswer(asked, list) : { status: 422 };
}

const isKeyed = (request: SeenRequest, header: string): boolean => request.headers[header] !== undefined;

const json = (value: unknown): ServedPage => ({ body: JSON.stringify(value), headers: { 'content-type': 'application/json' } });

const searxngAnswer = (query: unknown, hits: readonly ServedHit[]): ServedPage =>
  json({
    query,
    number_of_results: 0,
    results: hits.map(({ url, title, snippet, publishedAt }, place) => ({
      url,
      title,
      content: snippet,
      publishedDate: publishedAt ?? null,
      engine: 'example',
      engines: ['example'],
      category: 'general',
      score: 1 / (place + 1),
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  });

const braveAnswer = (query: unknown, hits: readonly ServedHit[]): ServedPage =>
  json({
    type: 'search',
    query: { original: query },
    web: {
      type: 'search',
      results: hits.map(({ url, title, snippet, publishedAt }) => ({
        title,
        url,
        description: snippet,
        ...(publishedAt ? { page_age: publishedAt } : {}),
        language: 'en',
        family_friendly: true,
      })),
    },
  });

const tavilyAnswer = (query: unknown, hits: readonly ServedHit[]): ServedPage =>
  json({
    query,
    answer: null,
    images: [],
    results: hits.map(({ url, title, snippet, publishedAt }, place) => ({
      title,
      url,
      content: snippet,
      score: 1 / (place + 1),
      raw_content: null,
      ...(publishedAt ? { published_date: publishedAt } : {}),
    })),
    response_time: 0.1,
  });

function send(response: ServerResponse, { status = 200, headers = {}, body = '', fault }: ServedPage): void {
  if (fault) return misbehave(response, fault);
  const type = typeof body === 'string' && body.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

function misbehave(response: ServerResponse, fault: Fault): void {
  const html = { 'content-type': 'text/html; charset=utf-8' };
  switch (fault) {
    case 'limited':
      response.writeHead(429, { 'retry-after': '0' }).end('slow down');
      return;
    case 'broken':
      response.writeHead(500, html).end('<h1>Internal Server Error</h1>');
      return;
    case 'forbidden':
      response.writeHead(403, html).end('<h1>Forbidden</h1>');
      return;
    case 'hang':
      return;
    case 'garbage':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"results": [<!--');
      return;
    case 'endless':
      response.writeHead(200, html);
      pour(response, Buffer.alloc(65_536, 'word '));
      return;
    case 'stall':
      response.writeHead(200, html).write('<p>The beginning of a page');
      return;
    case 'redirect_loop':
      response.writeHead(302, { location: '/fault/redirect_loop' }).end();
      return;
    case 'redirect_private':
      response.writeHead(302, { location: PRIVATE }).end();
      return;
    case 'gzip_bomb':
      response.writeHead(200, { ...html, 'content-encoding': 'gzip' }).end(bomb());
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
  }
}

/** Writes as fast as the other side takes it, until that goes away. */
function pour(response: ServerResponse, chunk: Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

/** 50 MB of spaces in 50 kB. */
const bomb = (): Buffer => gzipSync(Buffer.alloc(50_000_000, ' '), { level: 9 });

/** A short article among what surrounds articles: navigation, advertisement, related links, footer. */
function article(n: number): string {
  const paragraph = (k: number): string =>
    `<p>Paragraph ${k} of article ${n} describes how teams of size ${n * 3 + k} choose their tools, what they pay, and which complaints they repeat, ` +
    `so that a reader, or a program, finds at least one whole thought in it.</p>`;
  return (
    `<!doctype html><html lang="en"><head><title>Article ${n} - Example Site</title>` +
    `<meta property="article:published_time" content="2025-0${(n % 9) + 1}-15T08:00:00Z"></head><body>` +
    '<header><nav><a href="/">Home</a> <a href="/about">About us</a></nav></header>' +
    `<main><article><h1>Article ${n}</h1>${[1, 2, 3, 4, 5, 6].map(paragraph).join('\n')}</article>` +
    '<aside>Buy our newsletter</aside></main><footer>Imprint and cookies</footer><script>track()</script></body></html>'
  );
}
