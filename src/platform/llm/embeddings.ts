/** Texts as unit vectors whose dot product is their similarity. */
export type Embeddings = {
  dimensions: number;
  /** @throws AppError `unavailable` when the endpoint does not answer */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<number[][]>;
};
