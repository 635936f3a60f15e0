import { z } from 'zod';
import { AppError, unavailable } from '#lib/errors.ts';
import type { Embeddings } from './embeddings.ts';

type Options = { baseUrl: string; apiKey: string | undefined; model: string; dimensions: number };

const Answer = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) });

const BATCH = 64;
const LIMIT_MS = 10_000;

/**
 * Vectors from an endpoint that speaks OpenAI's embeddings protocol. Longer vectors than asked for are cut and scaled
 * back to length 1, which is what models trained for shorter vectors expect.
 */
export function endpointEmbeddings({ baseUrl, apiKey, model, dimensions }: Options): Embeddings {
  const url = `${baseUrl.replace(/\/+$/, '')}/embeddings`;
  const headers = { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) };
  const ask = async (input: readonly string[], signal: AbortSignal | undefined): Promise<number[][]> => {
    const limit = AbortSignal.timeout(LIMIT_MS);
    const body = JSON.stringify({ model, input, dimensions, encoding_format: 'float' });
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal: signal ? AbortSignal.any([signal, limit]) : limit });
      if (!response.ok) throw unavailable(`The embeddings endpoint answered with status ${response.status}.`);
      return vectorsOf(Answer.parse(await response.json()), input.length, dimensions);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AppError) throw error;
      throw unavailable(limit.aborted ? `The embeddings endpoint did not answer within ${LIMIT_MS / 1000} s.` : reasonOf(error));
    }
  };
  return {
    dimensions,
    embed: async (texts, signal) => {
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += BATCH) vectors.push(...(await ask(texts.slice(from, from + BATCH), signal)));
      return vectors;
    },
  };
}

const reasonOf = (error: unknown): string =>
  error instanceof z.ZodError || error instanceof SyntaxError
    ? 'The embeddings endpoint sent something that is no answer of its protocol.'
    : 'The embeddings endpoint could not be reached.';

function vectorsOf({ data }: z.output<typeof Answer>, wanted: number, dimensions: number): number[][] {
  const rows = data.toSorted((left, right) => left.index - right.index);
  if (rows.length !== wanted) throw unavailable(`The embeddings endpoint sent ${rows.length} vectors for ${wanted} texts.`);
  return rows.map(({ embedding }) => {
    if (embedding.length < dimensions) throw unavailable(`The embeddings model gives ${embedding.length} dimensions; ${dimensions} are needed.`);
    return unit(embedding.slice(0, dimensions));
  });
}

function unit(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
