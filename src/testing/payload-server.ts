import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ContentService } from '#platform/config/content.ts';

type Doc = { id: number; slug: string; [field: string]: unknown };

/**
 * What becomes of the next request: answered with a status, with something else than JSON, with JSON of another shape, not at
 * all, or, where it makes a page, as if somebody else had just made that page.
 */
type ContentFault = number | 'garbage' | 'another shape' | 'lost' | 'raced';

export type PayloadServer = AsyncDisposable & {
  service: ContentService;
  docs: Doc[];
  /** Every request: method and address. */
  requests: { method: string; url: string; authorization: string }[];
  /** One per request, in order; requests after the last have none. */
  faults: (ContentFault | undefined)[];
  /** Whether it answers at all; 503 while it is not. */
  isUp: boolean;
};

const API_KEY = 'the-api-key-of-the-content-system';

/** A small content system on a free port of 127.0.0.1: one collection with a unique slug, in Payload's REST shapes. */
export async function openPayloadServer(): Promise<PayloadServer> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    state.requests.push({ method, url, authorization: headers.authorization ?? '' });
    void text(request).then((body) =>
      answer(method, new URL(url, 'http://localhost'), { authorization: headers.authorization ?? '', body }, response),
    );
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const state: PayloadServer = {
    service: { baseUrl: `http://127.0.0.1:${port}`, apiKey: API_KEY, collection: 'clips', usersCollection: 'users' },
    docs: [],
    requests: [],
    faults: [],
    isUp: true,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  let lastId = 0;

  const answer = (method: string, url: URL, { authorization, body }: { authorization: string; body: string }, response: ServerResponse): void => {
    if (!state.isUp) return send(response, 503, { errors: [{ message: 'Down' }] });
    if (authorization !== `users API-Key ${API_KEY}`)
      return send(response, 403, { errors: [{ message: 'You are not allowed to perform this action.' }] });
    const fault = state.faults.shift();
    if (typeof fault === 'number') return send(response, fault, { errors: [{ message: 'Something went wrong.' }] });
    if (fault === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    if (fault === 'another shape') return send(response, 200, { docs: [{ id: 1, slug: 7 }], doc: null });
    if (fault === 'lost') return void response.socket?.resetAndDestroy();
    const [, id] = /^\/api\/clips(?:\/(\d+))?$/.exec(url.pathname) ?? [];
    if (method === 'GET' && !id) return list(url.searchParams, response);
    if (method === 'POST' && !id) return create(JSON.parse(body) as Omit<Doc, 'id'>, fault === 'raced', response);
    const doc = state.docs.find((each) => String(each.id) === id);
    if (!doc) return send(response, 404, { errors: [{ message: 'Not Found' }] });
    if (method === 'PATCH') return send(response, 200, { message: 'Updated successfully.', doc: Object.assign(doc, JSON.parse(body)) });
    state.docs.splice(state.docs.indexOf(doc), 1);
    send(response, 200, { message: 'Deleted successfully.', doc });
  };
  const list = (query: URLSearchParams, response: ServerResponse): void => {
    const found = state.docs.filter(({ slug }) => slug.toLowerCase() === query.get('where[slug][equals]')?.toLowerCase());
    const docs = found.slice(0, Number(query.get('limit') ?? 10));
    const page = { totalDocs: found.length, limit: 1, page: 1, totalPages: 1, pagingCounter: 1, hasPrevPage: false, hasNextPage: false };
    send(response, 200, { docs, ...page, prevPage: null, nextPage: null });
  };
  const create = (given: Omit<Doc, 'id'>, isRaced: boolean, response: ServerResponse): void => {
    const doc = { ...given, id: (lastId += 1) } as Doc;
    const isTaken = isRaced || state.docs.some(({ slug }) => slug === doc.slug);
    if (isRaced) state.docs.push({ ...doc, title: 'of somebody else' });
    if (!isTaken) state.docs.push(doc);
    if (!isTaken) return send(response, 201, { message: 'Clip successfully created.', doc });
    send(response, 400, {
      errors: [
        {
          name: 'ValidationError',
          message: 'The following field is invalid: slug',
          data: { errors: [{ path: 'slug', message: 'Value must be unique' }] },
        },
      ],
    });
  };
  return state;
}

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
