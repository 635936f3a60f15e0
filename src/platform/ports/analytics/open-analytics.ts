import type { Config } from '../../config/config.ts';
import { openGuardedFetch } from '../guarded-fetch/built-in.ts';
import { httpAnalytics } from './http.ts';
import type { Analytics } from './port.ts';
import { tableAnalytics } from './table.ts';

/** The configured analytics service, or the table alone. */
export function openAnalytics({ analytics, fetch }: Pick<Config, 'analytics' | 'fetch'>): Analytics {
  if (!analytics) return tableAnalytics;
  return httpAnalytics(openGuardedFetch({ ...fetch, allowPrivate: [analytics.url] }), analytics);
}
