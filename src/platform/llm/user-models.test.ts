import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ScriptedModels, type ModelScript } from '#testing/scripted-models.ts';
import { openLog } from '../observability/log.ts';
import type { ModelCallRecord } from './model-calls.ts';
import { defineTool } from './model-streams.ts';
import { ModelError } from './models.ts';
import { userModels } from './user-models.ts';

async function open(script: ModelScript) {
  const directory = new ScriptedModels();
  directory.script = script;
  const written: ModelCallRecord[] = [];
  const models = userModels({
    directory,
    keysOf: async () => ({ llm_a: null, llm_b: null }),
    calls: { record: async (call) => void written.push(call) },
    log: openLog('silent'),
  });
  const { preferred } = await models.forUser('somebody', { feature: 'chat', runKey: 'run-1' });
  if (!preferred) throw new Error('no model');
  return { model: preferred, written };
}

const call = () => ({
  name: 'say',
  system: 'You talk.',
  turns: [{ role: 'user' as const, content: 'Hello' }],
  signal: new AbortController().signal,
});

const double = defineTool({ description: 'Doubles.', input: z.object({ of: z.number() }), run: async ({ of }) => of * 2 });

describe('the ledger', () => {
  it('counts a text that was read to its end once', async () => {
    const { model, written } = await open((_, prompt) => `${prompt} to you`);
    const texts: string[] = [];
    for await (const part of model.text(call())) if (part.kind === 'text') texts.push(part.text);
    expect(texts.join('')).toBe('Hello to you');
    expect(written).toMatchObject([
      { userId: 'somebody', feature: 'chat', runKey: 'run-1', call: 'say', requests: 1, inputTokens: 1, outputTokens: 1, outcome: 'ok' },
    ]);
  });

  it('counts all requests of a loop together', async () => {
    const { model, written } = await open((_, prompt) => (prompt === 'Hello' ? { calls: [{ tool: 'double', input: { of: 4 } }] } : prompt));
    const texts: string[] = [];
    const loop = model.tools({ ...call(), tools: { double }, budget: { steps: 3, tokens: 1000 } });
    for await (const part of loop) if (part.kind === 'text') texts.push(part.text);
    expect(texts.join('')).toContain('8');
    expect(written).toMatchObject([{ requests: 2, inputTokens: 2, outputTokens: 2, outcome: 'ok' }]);
  });

  it('counts what nobody read to its end as cancelled', async () => {
    const { model, written } = await open(() => 'one two three');
    for await (const part of model.text(call())) if (part.kind === 'text') break;
    expect(written).toMatchObject([{ requests: 1, outcome: 'cancelled' }]);
  });

  it("counts a model's failure by its reason", async () => {
    const { model, written } = await open(() => {
      throw new ModelError('unavailable', 'gone');
    });
    await expect(async () => {
      for await (const part of model.text(call())) expect(part.kind).toBe('nothing');
    }).rejects.toThrow('gone');
    expect(written).toMatchObject([{ outcome: 'unavailable' }]);
  });
});
