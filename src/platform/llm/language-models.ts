import type * as AiSdk from 'ai';
import type { OutputInterface } from 'ai';
import type { Provider } from './models.ts';
import type { Turn } from './model-streams.ts';
import type { JsonSchema } from './read-answer.ts';

type Question = {
  /** Letters, digits, `_` and `-`: what the shape is called towards the server. */
  name: string;
  system: string;
  turns: Turn[];
  schema: JsonSchema;
  maxOutputTokens: number | undefined;
  signal: AbortSignal;
};

/** `cut`: the answer stopped at a length limit. */
export type Reply = { text: string; cut: boolean; inputTokens: number; outputTokens: number };

export type Endpoint = { provider: Provider; baseUrl: string; apiKey: string | undefined; model: string };

/** One request to a model, without retries. */
export type Ask = (question: Question) => Promise<Reply>;

// Anthropic's protocol asks for a limit with every request; others use what the model has left.
const ANTHROPIC_OUTPUT_TOKENS = 16_000;

type SdkModel = Exclude<Parameters<typeof AiSdk.wrapLanguageModel>[0]['model'], { specificationVersion: 'v2' | 'v3' }>;

/** The library and a model of it: Anthropic's Messages protocol (`llm_a`) or OpenAI's chat completions (`llm_b`). */
export type Sdk = { ai: typeof AiSdk; model: SdkModel };

/** Loads the library with the first request. */
export function openSdk(endpoint: Endpoint): () => Promise<Sdk> {
  let opened: Promise<Sdk> | undefined;
  return () => (opened ??= open(endpoint));
}

/** The most that an answer may hold where nobody said so; undefined leaves it to the server. */
export const outputLimit = (provider: Provider): number | undefined => (provider === 'llm_a' ? ANTHROPIC_OUTPUT_TOKENS : undefined);

/**
 * Asks a model for an object.
 * @param withoutSchemas addresses of models that turned out not to take a JSON Schema; shared, and added to
 */
export function languageModel(endpoint: Endpoint, sdk: () => Promise<Sdk>, withoutSchemas: Set<string>): Ask {
  const fallsBack = endpoint.provider === 'llm_b';
  const address = `${endpoint.baseUrl} ${endpoint.model}`;
  return async (question) => {
    const { ai, model } = await sdk();
    const ask = (structured: boolean) => generate(ai, model, endpoint, question, structured);
    if (withoutSchemas.has(address)) return ask(false);
    try {
      return await ask(true);
    } catch (error) {
      const mayBeTheSchema = ai.APICallError.isInstance(error) && [400, 422, 501].includes(error.statusCode ?? 0);
      if (!fallsBack || !mayBeTheSchema) throw error;
      const reply = await ask(false);
      withoutSchemas.add(address);
      return reply;
    }
  };
}

/** Loads what the first request to a provider needs. */
export async function loadSdk(provider: Provider): Promise<void> {
  await Promise.all([import('ai'), import('undici'), provider === 'llm_a' ? import('@ai-sdk/anthropic') : import('@ai-sdk/openai-compatible')]);
}

async function open(endpoint: Endpoint): Promise<Sdk> {
  const [ai, model] = await Promise.all([import('ai'), endpoint.provider === 'llm_a' ? openAnthropic(endpoint) : openCompatible(endpoint)]);
  return { ai, model };
}

async function openAnthropic({ baseUrl, apiKey, model }: Endpoint): Promise<SdkModel> {
  const [{ createAnthropic }, fetch] = await Promise.all([import('@ai-sdk/anthropic'), patientFetch()]);
  // An empty key would make the SDK look for one in the environment.
  return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? 'none', fetch })(model);
}

async function openCompatible({ baseUrl, apiKey, model }: Endpoint): Promise<SdkModel> {
  const [{ createOpenAICompatible }, fetch] = await Promise.all([import('@ai-sdk/openai-compatible'), patientFetch()]);
  const provider = createOpenAICompatible({
    name: 'llm_b',
    baseURL: baseUrl,
    ...(apiKey ? { apiKey } : {}),
    fetch,
    supportsStructuredOutputs: true,
    transformRequestBody: (body) => (new URL(baseUrl).hostname === 'api.openai.com' ? withCompletionLimit(body) : body),
  });
  return provider.chatModel(model);
}

/** OpenAI's own newer models refuse `max_tokens`; compatible servers know nothing else. */
function withCompletionLimit({ max_tokens: limit, ...body }: Record<string, unknown>): Record<string, unknown> {
  return limit === undefined ? body : { ...body, max_completion_tokens: limit };
}

/** A fetch without limits of its own: the signal of each call says how long a slow model may think. */
async function patientFetch(): Promise<typeof globalThis.fetch> {
  const { Agent, fetch } = await import('undici');
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const patient = (url: string, init?: Parameters<typeof fetch>[1]) => fetch(url, { ...init, dispatcher });
  return patient as unknown as typeof globalThis.fetch;
}

async function generate(ai: typeof AiSdk, model: SdkModel, { provider }: Endpoint, question: Question, structured: boolean): Promise<Reply> {
  let text = '';
  const output: OutputInterface<string, string, never> = {
    ...ai.Output.text(),
    responseFormat: Promise.resolve(structured ? { type: 'json', name: question.name, schema: question.schema as object } : { type: 'text' }),
    parseCompleteOutput: async (answer) => (text = answer.text),
  };
  const limit = question.maxOutputTokens ?? outputLimit(provider);
  const result = await ai.generateText({
    model,
    instructions: structured ? question.system : `${question.system}\n\n${shapeInWords(question.schema)}`,
    messages: question.turns,
    output,
    maxRetries: 0,
    abortSignal: question.signal,
    ...(limit === undefined ? {} : { maxOutputTokens: limit }),
  });
  return {
    text: text || result.text,
    cut: result.finishReason === 'length',
    inputTokens: result.usage.inputTokens ?? 0,
    outputTokens: result.usage.outputTokens ?? 0,
  };
}

const shapeInWords = (schema: JsonSchema): string =>
  `Answer with one JSON object and nothing else. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
