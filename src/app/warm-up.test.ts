import { describe, expect, it, vi } from 'vitest';
import { loadConfig } from '#platform/config/config.ts';
import { openLog } from '#platform/observability/log.ts';
import { warmUp } from './warm-up.ts';

const log = openLog('silent');
const dimensions = 512;
const pages = { read: () => Promise.reject(new Error('nothing is read')), prepare: () => {}, close: async () => {} };

describe('warming up', () => {
  it('goes on when something cannot be loaded', async () => {
    const embed = vi.fn(() => Promise.reject(new Error('no corpus')));
    await warmUp({ config: loadConfig({}), embeddings: { dimensions, embed }, pages, log });
    expect(embed).toHaveBeenCalledOnce();
  });

  it('asks nothing outside', async () => {
    const embed = vi.fn(async () => [[]]);
    const config = loadConfig({
      EMBEDDINGS_BASE_URL: 'http://127.0.0.1:1',
      EMBEDDINGS_MODEL: 'm',
      LLM_B_BASE_URL: 'http://127.0.0.1:1',
      LLM_B_MODEL: 'm',
    });
    await warmUp({ config, embeddings: { dimensions, embed }, pages, log });
    expect(embed).not.toHaveBeenCalled();
  });
});
