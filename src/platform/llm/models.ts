import type { z } from 'zod';
import type { TextCall, TextPart, ToolsCall, ToolsPart } from './model-streams.ts';

export type Provider = 'llm_a' | 'llm_b';

/** What questions to models cost. */
export type Usage = { calls: number; inputTokens: number; outputTokens: number };

/** One question to a model, to be answered in the shape of `schema`. */
export type ModelCall<T> = {
  /** Names the call in logs, metrics, the ledger and tests. */
  name: string;
  system: string;
  prompt: string;
  schema: z.ZodType<T>;
  signal: AbortSignal;
  maxOutputTokens?: number;
};

export type ModelAnswer<T> = { object: T; usage: Usage };

/** A model as far as it answers with objects. */
export type ObjectModel = {
  provider: Provider;
  model: string;
  /**
   * Asks once and repairs a malformed answer once; waits out 429 and 5xx as the server says.
   * @throws ModelError, whose `usage` says what the tries cost
   */
  object<T>(call: ModelCall<T>): Promise<ModelAnswer<T>>;
};

export type Model = ObjectModel & {
  /**
   * An answer as it is written; the last part is `end`. A request that fails before its first word is tried again as
   * with `object`, later ones are not. Whoever stops reading ends the request.
   * @throws ModelError while it is read
   */
  text(call: TextCall): ModelStream<TextPart>;
  /**
   * Asks, runs the tools that the model calls, tells it what they gave, and asks again until it answers or the budget is
   * used up; the last part is `end`.
   * @throws ModelError while it is read
   */
  tools(call: ToolsCall): ModelStream<ToolsPart>;
};

/** Read once. What it has cost so far stands in `usage` at any time, and still does after it broke. */
export type ModelStream<Part> = AsyncIterable<Part> & { readonly usage: Usage };

/** The models that this installation can reach, whoever asks. */
export type ModelDirectory = {
  /** The first one configured: `llm_a` before `llm_b`. */
  configured: Model | undefined;
  /** The model of a provider with a key that a user stored. */
  withKey(provider: Provider, apiKey: string): Model;
};

/** Whose calls these are, for the ledger. */
export type AskedFor = { feature: string; runKey?: string };

/** Which model works something; none where the rules do. Written down when work begins, so that it ends as it began. */
export type EngineChoice = { provider: Provider; model: string } | null;

export type Models = {
  /** The only way to a model: the user's own key first, then the installation's model, else none. */
  forUser(userId: string, asked: AskedFor): Promise<UserModels>;
};

/** What one user can ask; every call goes into the ledger. */
type UserModels = {
  /** The model that new work begins with; null where there is none. */
  preferred: Model | null;
  /** The model that work began with; null when neither the user nor the installation has its provider any more. */
  chosen(choice: NonNullable<EngineChoice>): Model | null;
};

/** `timeout` and `unavailable` may pass; `malformed` and `refused` will not by asking again. */
export class ModelError extends Error {
  override name = 'ModelError';
  readonly reason: 'timeout' | 'unavailable' | 'malformed' | 'refused';
  /** What the tries cost that led to it. */
  usage: Usage | undefined;

  constructor(reason: ModelError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
