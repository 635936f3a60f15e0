import { describe, expect, it } from 'vitest';
import { DEFAULT_MODELS, readModels } from './models.ts';

describe('models', () => {
  it('are none, and embeddings are built in, without a setting', () => {
    expect(readModels({})).toEqual({ models: [], modelTimeoutSeconds: 90, embeddings: { kind: 'built_in' } });
  });

  it('need a key alone, or an address with a name', () => {
    const env = { LLM_A_API_KEY: 'k', LLM_B_BASE_URL: 'http://localhost:11434/v1', LLM_B_MODEL: 'local', LLM_TIMEOUT_SECONDS: '5' };
    expect(readModels(env)).toMatchObject({
      models: [
        { name: 'llm_a', apiKey: 'k', model: DEFAULT_MODELS.llm_a },
        { name: 'llm_b', baseUrl: 'http://localhost:11434/v1', model: 'local' },
      ],
      modelTimeoutSeconds: 5,
    });
  });

  it.each([
    [{ LLM_A_MODEL: 'm' }, /^LLM_A_MODEL is set without/],
    [{ LLM_B_BASE_URL: 'http://h' }, /^LLM_B_BASE_URL is set without LLM_B_MODEL/],
    [{ LLM_B_BASE_URL: 'h', LLM_B_MODEL: 'm' }, /^LLM_B_BASE_URL must be/],
    [{ LLM_TIMEOUT_SECONDS: '0' }, /^LLM_TIMEOUT_SECONDS/],
    [{ EMBEDDINGS_MODEL: 'm' }, /without EMBEDDINGS_BASE_URL/],
    [{ EMBEDDINGS_BASE_URL: 'http://h' }, /without EMBEDDINGS_MODEL/],
  ])('are refused: %o', (env, message) => {
    expect(() => readModels(env)).toThrow(message);
  });
});
