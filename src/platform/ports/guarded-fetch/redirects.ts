import { FetchFailed, type Head, type Method } from './port.ts';

/** One request on the way. */
export type Step = { url: URL; method: Method; headers: Readonly<Record<string, string>>; body: string | Uint8Array | undefined };

export const isRedirect = ({ status, header }: Head): boolean => [301, 302, 303, 307, 308].includes(status) && header('location') !== undefined;

/** @throws FetchFailed when it is no address */
export function targetOf(url: URL, { header }: Head): URL {
  const target = URL.parse(header('location') ?? '', url);
  if (!target) throw new FetchFailed('redirects', `${url.host} redirects to something that is no address.`);
  target.hash = '';
  return target;
}

/** What may go to another origin too; anything else may be a secret of the one that was asked. */
const HARMLESS: ReadonlySet<string> = new Set(['accept', 'accept-language']);
const OF_THE_BODY: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'content-language']);

/** The request that a redirect asks for (RFC 9110, 15.4): 307 and 308 keep method and body, the others make it a GET. */
export function followingRequest({ url, method, headers, body }: Step, { status }: Head, target: URL): Step {
  const keepsMethod = status === 307 || status === 308 || method === 'GET' || method === 'HEAD';
  const isSameOrigin = target.origin === url.origin;
  // A body is what was meant for one origin alone.
  if (keepsMethod && body !== undefined && !isSameOrigin)
    throw new FetchFailed('redirects', `${url.host} redirects what was sent to it to ${target.host}.`);
  const kept = Object.entries(headers).filter(([name]) => (isSameOrigin || HARMLESS.has(name)) && (keepsMethod || !OF_THE_BODY.has(name)));
  return { url: target, method: keepsMethod ? method : 'GET', headers: Object.fromEntries(kept), body: keepsMethod ? body : undefined };
}
