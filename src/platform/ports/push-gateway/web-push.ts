import { createHash } from 'node:crypto';
import { FetchFailed, FetchRefused, type FetchAnswer, type GuardedFetch } from '../guarded-fetch/port.ts';
import { encryptPush, MOST_PLAIN_BYTES } from './encrypt-push.ts';
import { fitPayload } from './payload.ts';
import { PushFailed, PushLater, retryAt, type PushMessage, type PushOutcome, type PushSender, type PushTarget } from './port.ts';
import { vapidHeader, type VapidKeys } from './vapid.ts';

type BrowserTarget = Extract<PushTarget, { kind: 'web_push' }>;

export type WebPushOptions = {
  fetch: GuardedFetch;
  keys(): Promise<VapidKeys>;
  /** Whom a push service may write to; some take nothing without. */
  contact: string | undefined;
};

const WEEK_SECONDS = 7 * 24 * 3600;
const STANDARD_PAUSE_MS = 60_000;
const TOPIC_CHARACTERS = 32;

/** The push services of browsers (RFC 8030, 8291, 8292). The app's service worker gets `{title, body, deeplink, data}`. */
export const openWebPush = ({ fetch, keys, contact }: WebPushOptions): PushSender<BrowserTarget> => ({
  send: async (target, message, { signal }) => {
    const endpoint = new URL(target.endpoint);
    const plain = fitPayload(message, ({ title, body, deeplink, data }) => ({ title, body, deeplink, data }), MOST_PLAIN_BYTES);
    const headers = { ...headersOf(message), authorization: await vapidHeader(await keys(), endpoint, contact) };
    try {
      const body = encryptPush(Buffer.from(plain), target);
      return outcomeOf(await fetch.fetch(endpoint, { method: 'POST', headers, body, redirects: 0, signal, maxBytes: 16_384, cutAtLimit: true }));
    } catch (error) {
      if (error instanceof FetchRefused) return { outcome: 'refused', reason: error.message };
      if (error instanceof FetchFailed) throw new PushFailed(error.message, { cause: error });
      throw error;
    }
  },
  close: async () => {},
});

function headersOf({ collapseKey, expiresAt, silent }: PushMessage): Record<string, string> {
  const seconds = expiresAt ? Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)) : WEEK_SECONDS;
  return {
    'content-type': 'application/octet-stream',
    'content-encoding': 'aes128gcm',
    ttl: String(seconds),
    urgency: silent ? 'low' : 'high',
    ...(collapseKey ? { topic: createHash('sha256').update(collapseKey).digest('base64url').slice(0, TOPIC_CHARACTERS) } : {}),
  };
}

function outcomeOf({ status, header }: FetchAnswer): PushOutcome {
  const reason = `status ${status}`;
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  if (status === 404 || status === 410) return { outcome: 'gone', since: null, reason };
  if (status === 429 || status === 503) throw new PushLater(retryAt(header('retry-after'), STANDARD_PAUSE_MS), reason);
  if (status >= 500) throw new PushFailed(`The push service answered with ${reason}.`);
  return { outcome: 'refused', reason };
}
