import type { Env } from './env.ts';
import { checkUrl, ConfigError } from './read-values.ts';

/** A service that speaks Segment's HTTP tracking API. */
export type AnalyticsService = { url: string; writeKey: string | undefined };

/** Undefined: what is to be told stays in the database. */
export function readAnalytics(env: Env): AnalyticsService | undefined {
  const [url, writeKey] = [env['ANALYTICS_URL'], env['ANALYTICS_WRITE_KEY']];
  if (!url && writeKey) throw new ConfigError('ANALYTICS_WRITE_KEY is set without ANALYTICS_URL.');
  if (!url) return undefined;
  checkUrl('ANALYTICS_URL', url);
  return { url, writeKey };
}
