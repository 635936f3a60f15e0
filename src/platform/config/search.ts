import type { Env } from './env.ts';
import { checkUrl, ConfigError, oneOf } from './read-values.ts';

export type SearchConfig =
  | { provider: 'none' }
  | { provider: 'searxng'; baseUrl: string }
  | { provider: 'brave' | 'tavily'; baseUrl: string; apiKey: string };

export function readSearch(env: Env): SearchConfig {
  const provider = oneOf(env, 'SEARCH_PROVIDER', ['none', 'searxng', 'brave', 'tavily'], 'none');
  const baseUrl = env['SEARCH_BASE_URL'];
  const apiKey = env['SEARCH_API_KEY'];
  if (baseUrl) checkUrl('SEARCH_BASE_URL', baseUrl);
  if (provider === 'none') {
    if (baseUrl || apiKey) throw new ConfigError('SEARCH_BASE_URL or SEARCH_API_KEY is set without SEARCH_PROVIDER.');
    return { provider };
  }
  if (provider === 'searxng') {
    if (!baseUrl) throw new ConfigError('SEARCH_PROVIDER=searxng needs SEARCH_BASE_URL.');
    return { provider, baseUrl };
  }
  if (!apiKey) throw new ConfigError(`SEARCH_PROVIDER=${provider} needs SEARCH_API_KEY.`);
  const standard = provider === 'brave' ? 'https://api.search.brave.com' : 'https://api.tavily.com';
  return { provider: provider as 'brave' | 'tavily', baseUrl: baseUrl ?? standard, apiKey };
}
