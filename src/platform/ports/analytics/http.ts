import type { AnalyticsService } from '../../config/analytics.ts';
import type { FetchAnswer, GuardedFetch } from '../guarded-fetch/port.ts';
import { AnalyticsFailed, type Analytics } from './port.ts';

/** The `alias` call of Segment's HTTP tracking API, which RudderStack and others speak as well; `messageId` tells repetitions. */
export function httpAnalytics(fetch: GuardedFetch, { url, writeKey }: AnalyticsService): Analytics {
  const address = new URL(`${url.replace(/\/+$/, '')}/v1/alias`);
  const headers = {
    'content-type': 'application/json',
    ...(writeKey ? { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}` } : {}),
  };
  return {
    alias: async ({ id, anonId, userId, at }, signal) => {
      const body = JSON.stringify({ type: 'alias', messageId: id, previousId: anonId, userId, timestamp: at.toISOString() });
      let answer: FetchAnswer;
      try {
        answer = await fetch.fetch(address, { method: 'POST', headers, body, signal, redirects: 0 });
      } catch (error) {
        signal.throwIfAborted();
        throw new AnalyticsFailed('The analytics service could not be reached, or gave no answer.', { cause: error });
      }
      if (answer.status >= 200 && answer.status < 300) return;
      throw new AnalyticsFailed(`The analytics service answered with status ${answer.status}.`, { retryAt: retryAt(answer.header('retry-after')) });
    },
  };
}

/** When a Retry-After header says to come back, in either of its forms (RFC 9110, 10.2.3). */
function retryAt(header: string | undefined): Date | undefined {
  if (header === undefined) return undefined;
  const at = /^\s*\d+\s*$/.test(header) ? Date.now() + Number(header) * 1000 : Date.parse(header);
  return Number.isNaN(at) ? undefined : new Date(at);
}
