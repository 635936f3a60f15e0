import type { z } from 'zod';
import type { Usage } from '../pipelines/define-pipeline.ts';

export type Provider = 'llm_a' | 'llm_b';

/** One question to a model, to be answered in the shape of `schema`. */
export type ModelCall<T> = {
  /** Names the call in logs, metrics and tests. */
  name: string;
  system: string;
  prompt: string;
  schema: z.ZodType<T>;
  signal: AbortSignal;
  maxOutputTokens?: number;
};

export type ModelAnswer<T> = { object: T; usage: Usage };

export type Model = {
  provider: Provider;
  model: string;
  /**
   * Asks once and repairs a malformed answer once; waits out 429 and 5xx as the server says.
   * @throws ModelError
   */
  object<T>(call: ModelCall<T>): Promise<ModelAnswer<T>>;
};

/** The models of this installation. */
export type Models = {
  /** The first one configured: `llm_a` before `llm_b`. */
  configured: Model | undefined;
  /** The model of a provider with a key that a user stored. */
  withKey(provider: Provider, apiKey: string): Model;
};

/** `timeout` and `unavailable` may pass; `malformed` and `refused` will not by asking again. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly reason: 'timeout' | 'unavailable' | 'malformed' | 'refused';

  constructor(reason: ModelError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
