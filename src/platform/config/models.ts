import type { Env } from './env.ts';
import { checkUrl, ConfigError, whole } from './read-values.ts';

export type ModelConfig = { name: 'llm_a' | 'llm_b'; apiKey: string | undefined; baseUrl: string | undefined; model: string };
type EmbeddingsConfig = { kind: 'built_in' } | { kind: 'endpoint'; baseUrl: string; apiKey: string | undefined; model: string };

/** Language models and embeddings. */
export type ModelsConfig = {
  models: readonly ModelConfig[];
  /** Seconds one model call may take before it counts as timed out. */
  modelTimeoutSeconds: number;
  embeddings: EmbeddingsConfig;
};

export const readModels = (env: Env): ModelsConfig => ({
  models: [...readModel(env, 'LLM_A', 'llm_a'), ...readModel(env, 'LLM_B', 'llm_b')],
  modelTimeoutSeconds: whole(env, 'LLM_TIMEOUT_SECONDS', 90, 1, 900),
  embeddings: readEmbeddings(env),
});

/** What a provider is asked for where no model is named. */
export const DEFAULT_MODELS = { llm_a: 'claude-sonnet-4-5', llm_b: 'gpt-5-mini' } as const;

function readModel(env: Env, prefix: 'LLM_A' | 'LLM_B', name: 'llm_a' | 'llm_b'): ModelConfig[] {
  const apiKey = env[`${prefix}_API_KEY`];
  const baseUrl = env[`${prefix}_BASE_URL`];
  const model = env[`${prefix}_MODEL`];
  if (!apiKey && !baseUrl) {
    if (model) throw new ConfigError(`${prefix}_MODEL is set without ${prefix}_API_KEY or ${prefix}_BASE_URL.`);
    return [];
  }
  if (baseUrl) checkUrl(`${prefix}_BASE_URL`, baseUrl);
  if (baseUrl && !model) throw new ConfigError(`${prefix}_BASE_URL is set without ${prefix}_MODEL.`);
  return [{ name, apiKey, baseUrl, model: model ?? DEFAULT_MODELS[name] }];
}

function readEmbeddings(env: Env): EmbeddingsConfig {
  const baseUrl = env['EMBEDDINGS_BASE_URL'];
  const model = env['EMBEDDINGS_MODEL'];
  const apiKey = env['EMBEDDINGS_API_KEY'];
  if (!baseUrl) {
    if (model || apiKey) throw new ConfigError('EMBEDDINGS_MODEL or EMBEDDINGS_API_KEY is set without EMBEDDINGS_BASE_URL.');
    return { kind: 'built_in' };
  }
  checkUrl('EMBEDDINGS_BASE_URL', baseUrl);
  if (!model) throw new ConfigError('EMBEDDINGS_BASE_URL is set without EMBEDDINGS_MODEL.');
  return { kind: 'endpoint', baseUrl, apiKey, model };
}
