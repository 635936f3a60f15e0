import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What goes wrong with a request. `lost`: it is done, and its answer never comes. */
export type BillingFault =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { how: 'hang' | 'truncated' | 'garbage' | 'reset' | 'lost' | 'endless' };

type ServedSubscription = Record<string, unknown> & { product_id: string | null };

type SeenRequest = { method: string; path: string; query: URLSearchParams; headers: IncomingMessage['headers']; body: unknown };

/** A small RevenueCat v2 on a free port of 127.0.0.1, for one project. */
export type BillingServer = AsyncDisposable & {
  /** With the version, as the configuration names it. */
  baseUrl: string;
  requests: SeenRequest[];
  /** Whom it knows, with their balances by currency. */
  customers: Map<string, Map<string, number>>;
  subscriptions: Map<string, ServedSubscription[]>;
  /** Its ids of products, and those of the store. */
  products: Map<string, string>;
  currencies: unknown[];
  /** One per request, in order; requests after the last have none. */
  faults: BillingFault[];
  /** How many adjustments it made. */
  adjusted(): number;
};

const PROJECT = 'proj1';
const PER_PAGE = 2;
export const BILLING_ACCESS = { apiKey: 'sk_secret_of_the_project', projectId: PROJECT };

export async function openBillingServer(): Promise<BillingServer> {
  const made = new Map<string, unknown>();
  const state = {
    requests: [] as SeenRequest[],
    customers: new Map<string, Map<string, number>>(),
    subscriptions: new Map<string, ServedSubscription[]>(),
    products: new Map<string, string>(),
    currencies: [] as unknown[],
    faults: [] as BillingFault[],
  };
  const server = createServer((request, response) => {
    void read(request).then((seen) => {
      state.requests.push(seen);
      const fault = state.faults.shift();
      if (fault && !('how' in fault && fault.how === 'lost')) return fail(response, fault);
      const { status, body } = answerTo(state, made, seen);
      if (fault) return response.destroy();
      send(response, status, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    baseUrl: `http://127.0.0.1:${port}/v2`,
    adjusted: () => made.size,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

type State = Pick<BillingServer, 'customers' | 'subscriptions' | 'products' | 'currencies'>;
type Answer = { status: number; body: unknown };

const problem = (status: number, type: string, more: object = {}): Answer => ({
  status,
  body: { object: 'error', type, retryable: false, message: 'told in words', doc_url: 'https://errors.example', ...more },
});

function answerTo(state: State, made: Map<string, unknown>, { method, path, query, headers, body }: SeenRequest): Answer {
  if (headers.authorization !== `Bearer ${BILLING_ACCESS.apiKey}`) return problem(401, 'authentication_error');
  const [, version, projects, project, kind, id = '', ...rest] = path.split('/').map(decodeURIComponent);
  if (version !== 'v2' || projects !== 'projects' || project !== PROJECT) return problem(404, 'resource_missing');
  if (kind === 'virtual_currencies') return page(state.currencies, path, query);
  if (kind === 'products') {
    const name = state.products.get(id);
    return name === undefined ? problem(404, 'resource_missing') : { status: 200, body: { object: 'product', id, store_identifier: name } };
  }
  const balances = kind === 'customers' ? state.customers.get(id) : undefined;
  if (!balances) return problem(404, 'resource_missing');
  const what = rest.join('/');
  if (what === 'subscriptions') return page(state.subscriptions.get(id) ?? [], path, query);
  if (what === 'virtual_currencies') {
    const isShown = ([, balance]: [string, number]) => balance !== 0 || query.get('include_empty_balances') === 'true';
    return page([...balances].filter(isShown).map(balanceItem), path, query);
  }
  if (what !== 'virtual_currencies/transactions' || method !== 'POST') return problem(404, 'resource_missing');
  return adjust(balances, made, String(headers['idempotency-key'] ?? ''), (body as { adjustments: Record<string, number> }).adjustments);
}

const balanceItem = ([code, balance]: [string, number]) => ({
  object: 'virtual_currency_balance',
  currency_code: code,
  balance,
  name: `${code} coins`,
});

function adjust(balances: Map<string, number>, made: Map<string, unknown>, key: string, adjustments: Record<string, number>): Answer {
  const before = made.get(key);
  if (key && before) return { status: 200, body: before };
  for (const [code, amount] of Object.entries(adjustments)) {
    const balance = (balances.get(code) ?? 0) + amount;
    if (balance < 0) return problem(422, 'unprocessable_entity_error', { param: 'adjustments' });
    balances.set(code, balance);
  }
  const body = { object: 'list', items: [...balances].map(balanceItem), next_page: null };
  made.set(key || String(made.size), body);
  return { status: 200, body };
}

function page(items: readonly unknown[], path: string, query: URLSearchParams): Answer {
  const from = Number(query.get('starting_after') ?? 0);
  const next = from + PER_PAGE;
  const rest = next < items.length ? `${path}?starting_after=${next}` : null;
  return { status: 200, body: { object: 'list', items: items.slice(from, next), next_page: rest, url: path } };
}

async function read(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://server');
  const text = Buffer.concat(chunks).toString();
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: text ? JSON.parse(text) : null,
  };
}

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

function fail(response: ServerResponse, fault: BillingFault): void {
  if ('status' in fault) return send(response, fault.status, fault.body ?? {}, fault.headers);
  switch (fault.how) {
    case 'garbage':
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('<html>');
    case 'truncated':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      return void response.write('{"items":[', () => response.destroy());
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(`{"items":["${'x'.repeat(3_000_000)}"]}`);
    case 'reset':
      return void response.destroy();
    default:
      // Nothing is ever answered.
      return;
  }
}
