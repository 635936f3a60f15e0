export type SearchHit = { url: string; title: string; snippet: string; publishedAt: string | null };

/** A web search engine. */
export type WebSearch = {
  provider: 'searxng' | 'brave' | 'tavily';
  /** At most `count` hits, best first. @throws AppError `upstream` when the engine fails */
  search(query: string, options: { count: number; signal: AbortSignal }): Promise<SearchHit[]>;
};
