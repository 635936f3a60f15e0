import { describe, expect, it } from 'vitest';
import { readSearch } from './search.ts';

describe('search', () => {
  it.each([
    [{}, { provider: 'none' }],
    [
      { SEARCH_PROVIDER: 'searxng', SEARCH_BASE_URL: 'http://h' },
      { provider: 'searxng', baseUrl: 'http://h' },
    ],
    [
      { SEARCH_PROVIDER: 'brave', SEARCH_API_KEY: 'k' },
      { provider: 'brave', baseUrl: 'https://api.search.brave.com', apiKey: 'k' },
    ],
    [
      { SEARCH_PROVIDER: 'tavily', SEARCH_API_KEY: 'k', SEARCH_BASE_URL: 'http://h' },
      { provider: 'tavily', baseUrl: 'http://h', apiKey: 'k' },
    ],
  ])('is read from %o', (env, expected) => {
    expect(readSearch(env)).toEqual(expected);
  });

  it.each([
    [{ SEARCH_PROVIDER: 'other' }, /^SEARCH_PROVIDER must be one of/],
    [{ SEARCH_API_KEY: 'k' }, /without SEARCH_PROVIDER/],
    [{ SEARCH_PROVIDER: 'searxng' }, /needs SEARCH_BASE_URL/],
    [{ SEARCH_PROVIDER: 'brave' }, /needs SEARCH_API_KEY/],
  ])('is refused: %o', (env, message) => {
    expect(() => readSearch(env)).toThrow(message);
  });
});
