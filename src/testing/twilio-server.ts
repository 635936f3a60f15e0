import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TextMessageService } from '#platform/config/text-messages.ts';

type SentText = { sid: string; to: string; from: string; body: string; date_created: string };

/**
 * What becomes of the next message: taken without an answer (`lost`: the connection breaks off, `silent`: nothing comes),
 * dropped the same way (`dropped`), answered with a status and code of Twilio's, or with something else than JSON.
 */
type TextFault = 'lost' | 'silent' | 'dropped' | 'garbage' | { status: number; code?: number; taken?: boolean };

export type TwilioServer = AsyncDisposable & {
  service: TextMessageService;
  /** What was taken, as it stands in the list. */
  sent: SentText[];
  /** Every request: method, address, authorization. */
  requests: { method: string; url: string; authorization: string; contentType: string }[];
  /** One per message, in order; messages after the last have none. */
  faults: TextFault[];
  /** Lists are refused as long as it is set. */
  listsNothing: boolean;
};

const AUTH_TOKEN = 'the-auth-token-of-the-account';

/** A small Twilio on a free port of 127.0.0.1: its Messages resource, with what may go wrong. */
export async function openTwilioServer(): Promise<TwilioServer> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    state.requests.push({ method, url, authorization: headers.authorization ?? '', contentType: headers['content-type'] ?? '' });
    void text(request).then((body) => answer(method, new URL(url, 'http://localhost'), headers.authorization ?? '', body, response));
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const state: TwilioServer = {
    service: { baseUrl: `http://127.0.0.1:${port}`, accountSid: 'AC0123456789', authToken: AUTH_TOKEN, from: '+14155550100' },
    sent: [],
    requests: [],
    faults: [],
    listsNothing: false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };

  const answer = (method: string, url: URL, authorization: string, body: string, response: ServerResponse): void => {
    const { accountSid } = state.service;
    const basic = `Basic ${Buffer.from(`${accountSid}:${AUTH_TOKEN}`).toString('base64')}`;
    if (authorization !== basic) return send(response, 401, { code: 20003, message: 'Authenticate', status: 401 });
    if (url.pathname !== `/2010-04-01/Accounts/${accountSid}/Messages.json`) return send(response, 404, { code: 20404, status: 404 });
    if (method === 'GET') return list(url.searchParams, response);
    return take(new URLSearchParams(body), response);
  };
  const list = (query: URLSearchParams, response: ServerResponse): void => {
    if (state.listsNothing) return send(response, 503, { status: 503 });
    const found = state.sent.filter(({ to }) => !query.has('To') || to === query.get('To'));
    send(response, 200, { messages: found.toReversed().slice(0, Number(query.get('PageSize') ?? 50)), page: 0, next_page_uri: null });
  };
  const take = (form: URLSearchParams, response: ServerResponse): void => {
    const fault = state.faults.shift();
    const isTaken = fault === undefined || ['lost', 'silent', 'garbage'].includes(fault as string) || (typeof fault === 'object' && fault.taken);
    const sent: SentText = {
      sid: `SM${String(state.sent.length).padStart(32, '0')}`,
      to: form.get('To') ?? '',
      from: form.get('From') ?? form.get('MessagingServiceSid') ?? '',
      body: form.get('Body') ?? '',
      date_created: new Date().toUTCString(),
    };
    if (isTaken) state.sent.push(sent);
    if (fault === 'silent') return;
    if (fault === 'lost' || fault === 'dropped') return void response.socket?.resetAndDestroy();
    if (fault === 'garbage') return void response.writeHead(201, { 'content-type': 'text/html' }).end('<h1>Created</h1>');
    if (fault) return send(response, fault.status, { code: fault.code, message: 'no', more_info: '', status: fault.status });
    send(response, 201, { ...sent, status: 'queued', error_code: null, error_message: null });
  };
  return state;
}

const send = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
