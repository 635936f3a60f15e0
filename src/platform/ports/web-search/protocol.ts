import { collapseSpaces, truncate } from '#lib/text.ts';
import { isoDate } from '../page-reader/published-at.ts';
import type { SearchHit, WebSearch } from './port.ts';
import { plainText } from './plain-text.ts';

export type EngineRequest = { url: URL; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };

/** One entry as an engine sent it. */
export type RawHit = { url: string; title?: string | null | undefined; snippet?: string | null | undefined; publishedAt?: unknown };

/** How one kind of engine is asked and understood. */
export type Protocol = {
  provider: WebSearch['provider'];
  /** As people write it, for error sentences. */
  name: string;
  request(query: string, count: number): EngineRequest;
  /** Entries that make no sense are left out. @throws ZodError when the answer as a whole does not, AppError when it tells of a failure */
  read(answer: unknown): RawHit[];
  /** What an error status means beyond its number. */
  explain(status: number): string | undefined;
};

const WORDS = 50;
const CHARACTERS = 400;

/** A query within the limits of the strictest engine (Brave: 400 characters, 50 words). */
export const fitQuery = (query: string): string => truncate(collapseSpaces(query).split(' ').slice(0, WORDS).join(' '), CHARACTERS).trim();

/** An endpoint below the configured address, whose own path is kept. */
export const endpoint = (baseUrl: string, path: string): URL => new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);

/** Entries as hits; those that lead elsewhere than to the web are left out. */
export function toHits(entries: readonly RawHit[]): SearchHit[] {
  return entries.flatMap(({ url, title, snippet, publishedAt }) => {
    const address = URL.parse(url.trim());
    if (!address || !['http:', 'https:'].includes(address.protocol)) return [];
    return [{ url: address.href, title: plainText(title ?? ''), snippet: plainText(snippet ?? ''), publishedAt: isoDate(publishedAt) }];
  });
}
