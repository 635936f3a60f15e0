import type { Client } from 'undici';
import { mapOf } from '#lib/map-of.ts';
import { addressRules, bareHost, type AddressRules } from './address-rules.ts';
import type { Lookup } from './guarded-connect.ts';
import {
  FetchFailed,
  FetchRefused,
  type FetchAnswer,
  type FetchRequest,
  type GuardedFetch,
  type Head,
  type Method,
  type Validators,
} from './port.ts';
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts';
import { followingRequest, isRedirect, targetOf, type Step } from './redirects.ts';
import { openSlots, type Slots } from './slots.ts';
import { untilAborted } from './until-aborted.ts';

export const USER_AGENT = 'GroundworkBot/1.0';

type Options = {
  /** Host names, `*.suffix`, addresses or ranges that are asked although they are not public, on any port. */
  allow: readonly string[];
  /** The same syntax; never asked, whatever else allows it. */
  deny: readonly string[];
  /** Addresses that stand in the configuration: their hosts need not be public. Never anything that a user named. */
  allowPrivate?: readonly string[];
  connections?: { perHost: number; overall: number };
  /** Stands in for the system's lookup, in tests. */
  lookup?: Lookup | undefined;
};

const CONNECTIONS = { perHost: 2, overall: 24 };
const BYTES = 2_000_000;
const REQUEST_MS = 10_000;
const REDIRECTS = 5;

/**
 * A fetch that reaches the public web only; see the address rules for what counts as public.
 * @throws ConfigError when an entry of a list cannot be read
 */
export function openGuardedFetch({ allow, deny, allowPrivate = [], connections = CONNECTIONS, lookup }: Options): GuardedFetch {
  const opened = allowPrivate.map((address) => bareHost(new URL(address)));
  const rules = addressRules({ allow: [...allow, ...opened], deny });
  const line: Line = { rules, slots: openSlots(connections), lookup };
  return { check: rules.checkUrl, fetch: (url, request) => follow(line, url, request) };
}

type Line = { rules: AddressRules; slots: Slots; lookup: Lookup | undefined };

async function follow(line: Line, start: URL, request: FetchRequest): Promise<FetchAnswer> {
  const { method = 'GET' } = request;
  const most = request.redirects ?? (method === 'GET' || method === 'HEAD' ? REDIRECTS : 0);
  let step: Step = { url: start, method, headers: { ...validating(request.unless), ...request.headers }, body: request.body };
  for (let hop = 0; ; hop += 1) {
    await request.before?.(step.url);
    const answer = await ask(line, step, request, most > 0);
    if (most === 0 || !isRedirect(answer)) return answer;
    if (hop >= most) throw new FetchFailed('redirects', `${start.host} redirects more than ${most} times.`);
    step = followingRequest(step, answer, targetOf(step.url, answer));
  }
}

function validating({ etag, lastModified }: Validators = {}): Record<string, string> {
  return { ...(etag ? { 'if-none-match': etag } : {}), ...(lastModified ? { 'if-modified-since': lastModified } : {}) };
}

/** One request on a connection of its own that is closed afterwards, so that connections at a time are exactly what the slots permit. */
async function ask({ rules, slots, lookup }: Line, step: Step, request: FetchRequest, follows: boolean): Promise<FetchAnswer> {
  const { url } = step;
  const { milliseconds = REQUEST_MS } = request;
  rules.checkUrl(url);
  using _slot = await slots.take(bareHost(url), request.signal);
  const limit = AbortSignal.timeout(milliseconds);
  const closing = new AbortController();
  // Most processes never fetch anything.
  const [{ Client }, { guardedConnect }] = await Promise.all([import('undici'), import('./guarded-connect.ts')]);
  const connect = guardedConnect(rules, closing.signal, lookup);
  const client = new Client(url.origin, { connect, pipelining: 1, headersTimeout: milliseconds, bodyTimeout: milliseconds });
  try {
    const signal = AbortSignal.any([request.signal, limit]);
    const judge = (head: Head): boolean => !(follows && isRedirect(head)) && wanted(step.method, head, request);
    // A client does not give up a request whose connection is still coming about.
    return await untilAborted(exchange(client, step, { ...request, signal }, judge), signal);
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof Judged) throw error.cause;
    if (error instanceof FetchRefused || error instanceof FetchFailed) throw error;
    if (limit.aborted) throw new FetchFailed('timeout', `${url.host} did not answer within ${milliseconds / 1000} s.`, error);
    throw new FetchFailed('network', `${url.host} could not be reached: ${reasonOf(error)}.`, error);
  } finally {
    closing.abort();
    await client.destroy();
  }
}

/** Carries what the caller threw past what goes wrong on the way. */
class Judged extends Error {}

function wanted(method: Method, head: Head, { wantsBody = () => true }: FetchRequest): boolean {
  if (method === 'HEAD' || head.status === 304) return false;
  try {
    return wantsBody(head);
  } catch (cause) {
    throw new Judged('', { cause });
  }
}

async function exchange(client: Client, step: Step, request: FetchRequest, judge: (head: Head) => boolean): Promise<FetchAnswer> {
  const { statusCode, headers, body } = await client.request({
    method: step.method,
    path: `${step.url.pathname}${step.url.search}`,
    headers: {
      accept: '*/*',
      'accept-language': 'en, *;q=0.5',
      ...step.headers,
      'user-agent': USER_AGENT,
      'accept-encoding': ACCEPTED_ENCODINGS,
    },
    body: step.body ?? null,
    signal: request.signal,
  });
  // The connection is torn down under an unread body, which is no error here.
  body.on('error', () => undefined);
  const header = (name: string): string | undefined => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
  const head: Head = { status: statusCode, header };
  const limits = { maxBytes: request.maxBytes ?? BYTES, cut: request.cutAtLimit ?? false, signal: request.signal };
  const read = judge(head) ? await readBody(body, header('content-encoding'), limits) : Buffer.alloc(0);
  return { ...head, url: step.url, body: read, notModified: statusCode === 304, validators: validatorsOf(head) };
}

function validatorsOf({ header }: Head): Validators {
  const [etag, lastModified] = [header('etag'), header('last-modified')];
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
}

const REASONS = mapOf<string>({
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  ETIMEDOUT: 'no connection came about in time',
  ENETUNREACH: 'there is no way to that network',
  EHOSTUNREACH: 'there is no way to that host',
});

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_/.test(code)) return 'its certificate or encryption is not accepted';
  if (code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW') return 'it does not speak HTTP as it should';
  return REASONS.get(code) ?? 'the connection failed';
}
