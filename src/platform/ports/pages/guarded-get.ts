import type { Client } from 'undici';
import { bareHost, type AddressRules } from './address-rules.ts';
import type { Lookup } from './guarded-connect.ts';
import { Failure, Refusal } from './page-errors.ts';
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts';
import type { Slots } from './slots.ts';
import { untilAborted } from './until-aborted.ts';

export const USER_AGENT = 'GroundworkBot/1.0';

export type Head = { status: number; header(name: string): string | undefined };
/** `url` is where redirects ended; `body` is decoded, and empty when it was not wanted. */
export type Answer = Head & { url: URL; body: Buffer };

export type Ask = {
  accept: string;
  /** Bytes, as transferred and as decompressed. */
  maxBytes: number;
  cutAtLimit: boolean;
  /** Time for one request once it has its turn. */
  milliseconds: number;
  signal: AbortSignal;
  /** Decides from status and headers whether the body is read; what it throws ends the request. */
  wantsBody(head: Head): boolean;
};

export type Get = (url: URL, ask: Ask) => Promise<Answer>;

const REDIRECTS = 5;

/**
 * One GET on a connection of its own that is closed afterwards, so that connections at a time are exactly what `slots` permits.
 * The returned function throws Refusal, Failure, or the signal's reason.
 */
export function guardedGet({ rules, slots, lookup }: { rules: AddressRules; slots: Slots; lookup?: Lookup | undefined }): Get {
  return async (url, ask) => {
    rules.checkUrl(url);
    using _slot = await slots.take(bareHost(url), ask.signal);
    const limit = AbortSignal.timeout(ask.milliseconds);
    const closing = new AbortController();
    // Most processes never read a page.
    const [{ Client }, { guardedConnect }] = await Promise.all([import('undici'), import('./guarded-connect.ts')]);
    const connect = guardedConnect(rules, closing.signal, lookup);
    const client = new Client(url.origin, { connect, pipelining: 1, headersTimeout: ask.milliseconds, bodyTimeout: ask.milliseconds });
    try {
      const signal = AbortSignal.any([ask.signal, limit]);
      // A client does not give up a request whose connection is still coming about.
      return await untilAborted(exchange(client, url, { ...ask, signal }), signal);
    } catch (error) {
      ask.signal.throwIfAborted();
      if (error instanceof Refusal || error instanceof Failure) throw error;
      if (limit.aborted) throw new Failure('timeout', `${url.host} did not answer within ${ask.milliseconds / 1000} s.`, error);
      throw new Failure('failed_network', `${url.host} could not be reached: ${reasonOf(error)}.`, error);
    } finally {
      closing.abort();
      await client.destroy();
    }
  };
}

async function exchange(client: Client, url: URL, ask: Ask): Promise<Answer> {
  const { statusCode, headers, body } = await client.request({
    method: 'GET',
    path: `${url.pathname}${url.search}`,
    headers: {
      'user-agent': USER_AGENT,
      accept: ask.accept,
      'accept-encoding': ACCEPTED_ENCODINGS,
      'accept-language': 'en, *;q=0.5',
    },
    signal: ask.signal,
  });
  // The connection is torn down under an unread body, which is no error here.
  body.on('error', () => undefined);
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const head: Head = { status: statusCode, header };
  const wanted = ask.wantsBody(head);
  const read = wanted ? await readBody(body, header('content-encoding'), { maxBytes: ask.maxBytes, cut: ask.cutAtLimit, signal: ask.signal }) : null;
  return { ...head, url, body: read ?? Buffer.alloc(0) };
}

/**
 * A GET that follows at most five redirects; `before` sees every address on the way, and each is checked from the start.
 * @throws Refusal, Failure, the signal's reason, and what `before` throws
 */
export async function getFollowing(get: Get, start: URL, ask: Ask, before?: (url: URL) => Promise<void>): Promise<Answer> {
  let url = start;
  const wantsBody: Ask['wantsBody'] = (head) => !isRedirect(head) && ask.wantsBody(head);
  for (let hop = 0; hop <= REDIRECTS; hop += 1) {
    await before?.(url);
    const answer = await get(url, { ...ask, wantsBody });
    if (!isRedirect(answer)) return answer;
    const target = URL.parse(answer.header('location') ?? '', url);
    if (!target) throw new Failure('failed_redirects', `${url.host} redirects to something that is no address.`);
    target.hash = '';
    url = target;
  }
  throw new Failure('failed_redirects', `${start.host} redirects more than ${REDIRECTS} times.`);
}

const isRedirect = ({ status, header }: Head): boolean => [301, 302, 303, 307, 308].includes(status) && header('location') !== undefined;

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  ENETUNREACH: 'there is no way to that network',
  EHOSTUNREACH: 'there is no way to that host',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'its certificate or encryption is not accepted';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'it does not speak HTTP as it should';
  return REASONS[code] ?? 'the connection failed';
}
