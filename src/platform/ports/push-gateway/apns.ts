import { createHash } from 'node:crypto';
import { messageOf } from '#lib/errors.ts';
import type { ApnsConfig } from '../../config/push.ts';
import { LineBroken, openLine, type Line, type LineAnswer } from './http2-line.ts';
import { fitPayload } from './payload.ts';
import { PushFailed, PushLater, retryAt, type PushMessage, type PushOutcome, type PushSender, type PushTarget } from './port.ts';
import { providerToken } from './provider-token.ts';

type ApnsTarget = Extract<PushTarget, { kind: 'apns' }>;

const HOSTS = { production: 'https://api.push.apple.com', sandbox: 'https://api.sandbox.push.apple.com' } as const;
const MOST_BYTES = 4096;
const LONGEST_COLLAPSE_ID = 64;
const STANDARD_PAUSE_MS = { 429: 60_000, 503: 15_000 } as const;

/**
 * Apple's push service over HTTP/2, one connection per host.
 * Source: https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns and
 * …/handling-notification-responses-from-apns.
 */
export function openApns({ baseUrl, topic, ...signing }: ApnsConfig): PushSender<ApnsTarget> {
  const token = providerToken(signing);
  const lines = new Map<string, Line>();
  const lineTo = ({ environment }: ApnsTarget): Line => {
    const origin = baseUrl ?? HOSTS[environment];
    const line = lines.get(origin) ?? openLine(origin);
    lines.set(origin, line);
    return line;
  };
  return {
    send: async (target, message, { id, signal }) => {
      const line = lineTo(target);
      const path = `/3/device/${encodeURIComponent(target.token)}`;
      const body = payloadOf(message);
      const ask = (bearer: string) => post(line, path, { ...headersOf(message, topic, id), authorization: `bearer ${bearer}` }, body, signal);
      const bearer = await token.current();
      const first = await ask(bearer);
      const answer = reasonOf(first) === 'ExpiredProviderToken' ? await ask(await token.replace(bearer)) : first;
      if (answer.status === 503) line.renew();
      return outcomeOf(answer);
    },
    close: async () => {
      for (const line of lines.values()) line.close();
    },
  };
}

/** Once more where the connection went before there was an answer: Apple knows the same push by its `apns-id`. */
async function post(line: Line, path: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<LineAnswer> {
  try {
    return await line.post(path, headers, body, signal);
  } catch (error) {
    if (!(error instanceof LineBroken)) throw error;
  }
  try {
    return await line.post(path, headers, body, signal);
  } catch (error) {
    if (!(error instanceof LineBroken)) throw error;
    throw new PushFailed(`The push service could not be reached: ${messageOf(error)}.`, { cause: error });
  }
}

function headersOf({ silent, collapseKey, expiresAt }: PushMessage, topic: string, id: string): Record<string, string> {
  return {
    'apns-id': id,
    'apns-topic': topic,
    'apns-push-type': silent ? 'background' : 'alert',
    'apns-priority': silent ? '5' : '10',
    'content-type': 'application/json',
    ...(expiresAt ? { 'apns-expiration': String(Math.floor(expiresAt.getTime() / 1000)) } : {}),
    ...(collapseKey ? { 'apns-collapse-id': collapseIdOf(collapseKey) } : {}),
  };
}

/** A key that Apple does not take as it is goes as its SHA-256 in hex, which has just the length. */
const collapseIdOf = (key: string): string =>
  Buffer.byteLength(key) <= LONGEST_COLLAPSE_ID && /^[\x21-\x7e]+$/.test(key) ? key : createHash('sha256').update(key).digest('hex');

const payloadOf = (message: PushMessage): string =>
  fitPayload(
    message,
    ({ title, body, deeplink, data, silent }) => ({
      ...data,
      ...(deeplink ? { deeplink } : {}),
      aps: silent ? { 'content-available': 1 } : { alert: { title, body }, sound: 'default' },
    }),
    MOST_BYTES,
  );

function outcomeOf(answer: LineAnswer): PushOutcome {
  const { status } = answer;
  const reason = reasonOf(answer) || `status ${status}`;
  if (status === 200) return { outcome: 'accepted' };
  if (status === 410) return { outcome: 'gone', since: goneSince(answer), reason };
  if (reason === 'BadDeviceToken') return { outcome: 'gone', since: null, reason };
  if (status === 429 || status === 503) throw new PushLater(retryAt(answer.header('retry-after'), STANDARD_PAUSE_MS[status]), reason);
  // Whoever signs is not accepted: that is for the operator to mend, and the push is good.
  if (status === 403 || status >= 500) throw new PushFailed(`The push service answered ${status}: ${reason}.`);
  return { outcome: 'refused', reason };
}

function answered({ body }: LineAnswer): { reason?: unknown; timestamp?: unknown } {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

const reasonOf = (answer: LineAnswer): string => (answer.status === 200 ? '' : String(answered(answer).reason ?? ''));

/** Milliseconds since 1970. */
function goneSince(answer: LineAnswer): Date | null {
  const { timestamp } = answered(answer);
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? new Date(timestamp) : null;
}
