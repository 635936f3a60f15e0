import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { openLog } from '../observability/log.ts';
import { openMetrics } from '../observability/metrics.ts';
import { startScriptedModel, type Script, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import type { Model, ModelCall, Provider } from './models.ts';
import { modelMetrics } from './model-metrics.ts';
import { openModels } from './open-models.ts';

const Reply = z.object({ word: z.string(), count: z.number() });
const GOOD = { word: 'yes', count: 2 };

const call = (signal = new AbortController().signal): ModelCall<z.output<typeof Reply>> => ({
  name: 'ask',
  system: 'You answer.',
  prompt: 'How often?',
  schema: Reply,
  signal,
});

const opened: ScriptedModelServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

type Options = { provider?: Provider; timeoutSeconds?: number; apiKey?: string };

async function open(script: Script, { provider = 'llm_a', timeoutSeconds = 20, apiKey = 'key' }: Options = {}) {
  const server = await startScriptedModel({ answer: () => GOOD, ...script });
  opened.push(server);
  const metrics = openMetrics();
  const pauses: number[] = [];
  const models = openModels([{ name: provider, apiKey, baseUrl: server.url, model: 'scripted' }], {
    timeoutSeconds,
    metrics,
    log: openLog('silent'),
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  });
  const outcomes = async () =>
    Object.fromEntries((await modelMetrics(metrics).calls.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  return { server, models, model: models.configured as Model, pauses, outcomes, metrics };
}

describe.each<Provider>(['llm_a', 'llm_b'])('a model behind %s', (provider) => {
  it('answers in the shape of the schema and counts tokens', async () => {
    const { model, metrics, outcomes } = await open({}, { provider });
    expect(await model.object(call())).toEqual({ object: GOOD, usage: { calls: 1, inputTokens: 100, outputTokens: 20 } });
    expect(await outcomes()).toEqual({ ok: 1 });
    const tokens = (await modelMetrics(metrics).tokens.get()).values.map(({ labels, value }) => [labels.direction, value]);
    expect(tokens).toEqual([
      ['input', 100],
      ['output', 20],
    ]);
  });

  it.each(['malformed', 'truncated', 'empty'] as const)('is asked once more after a %s answer, and shown what was wrong', async (fault) => {
    const { model, server, outcomes } = await open({ faults: [fault] }, { provider });
    const { object, usage } = await model.object(call());
    expect(object).toEqual(GOOD);
    expect(usage).toEqual({ calls: 2, inputTokens: 200, outputTokens: 40 });
    expect(server.calls[1]?.turns.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(server.calls[1]?.prompt).toContain('could not be used');
    expect(await outcomes()).toEqual({ malformed: 1, ok: 1 });
  });

  it('gives up when the repaired answer is malformed too', async () => {
    const { model, server } = await open({ faults: ['malformed', 'malformed'] }, { provider });
    await expect(model.object(call())).rejects.toMatchObject({ name: 'ModelError', reason: 'malformed' });
    expect(server.count()).toBe(2);
  });

  it('repairs an answer that breaks the schema with the validation error in the request', async () => {
    const answers: unknown[] = [{ word: 'yes', count: 'two' }, GOOD];
    const { model, server } = await open({ answer: () => answers.shift() }, { provider });
    expect((await model.object(call())).object).toEqual(GOOD);
    expect(server.calls[1]?.prompt).toMatch(/expected number/);
  });

  it('waits as long as a 429 says', async () => {
    const { model, pauses, outcomes } = await open({ faults: [{ status: 429, retryAfter: '7' }] }, { provider });
    const { usage } = await model.object(call());
    expect(pauses).toEqual([7000]);
    expect(usage).toEqual({ calls: 2, inputTokens: 100, outputTokens: 20 });
    expect(await outcomes()).toEqual({ rate_limited: 1, ok: 1 });
  });

  it('tries four times against a server that fails, with growing pauses', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const { model, server, pauses } = await open({ faults: Array.from({ length: 9 }, () => ({ status: 500 })) }, { provider });
    await expect(model.object(call())).rejects.toMatchObject({ reason: 'unavailable', message: expect.stringContaining('500') });
    vi.restoreAllMocks();
    expect(server.count()).toBe(4);
    expect(pauses).toEqual([500, 1000, 2000]);
  });

  it('does not wait past its time limit', async () => {
    const { model, server, pauses } = await open({ faults: [{ status: 429, retryAfter: '60' }] }, { provider, timeoutSeconds: 5 });
    await expect(model.object(call())).rejects.toMatchObject({ reason: 'unavailable' });
    expect([server.count(), pauses]).toEqual([1, []]);
  });

  it('tells a refusal at once, without the body of the answer', async () => {
    const { model, server } = await open({ apiKey: 'another' }, { provider });
    await expect(model.object(call())).rejects.toMatchObject({ reason: 'refused', message: 'the provider did not accept the key (401)' });
    expect(server.count()).toBe(0);
  });

  it('ends a slow answer with a timeout', async () => {
    const { model, outcomes } = await open({ faults: ['hang'] }, { provider, timeoutSeconds: 0.3 });
    await expect(model.object(call())).rejects.toMatchObject({ name: 'ModelError', reason: 'timeout' });
    expect(await outcomes()).toEqual({ timeout: 1 });
  });

  it("ends with the caller's own reason when the caller gives up", async () => {
    const { model, server, outcomes } = await open({ faults: ['hang'] }, { provider });
    const caller = new AbortController();
    const answer = model.object(call(caller.signal));
    await vi.waitFor(() => expect(server.count()).toBe(1));
    caller.abort(new Error('shutting down'));
    await expect(answer).rejects.toThrow('shutting down');
    expect(await outcomes()).toEqual({ cancelled: 1 });
  });

  it('tries again when a connection breaks, and says so when nobody listens', async () => {
    const { model, server, pauses } = await open({ faults: ['hang_up'] }, { provider });
    expect((await model.object(call())).object).toEqual(GOOD);
    await server[Symbol.asyncDispose]();
    opened.splice(opened.indexOf(server), 1);
    await expect(model.object(call())).rejects.toMatchObject({ reason: 'unavailable', message: 'the provider could not be reached' });
    expect(pauses).toHaveLength(4);
  });
});

describe('a compatible server', () => {
  it('is asked with a schema and a name for it', async () => {
    const { model, server } = await open({}, { provider: 'llm_b' });
    await model.object(call());
    expect(server.calls[0]?.schemaName).toBe('ask');
    expect(server.calls[0]?.raw).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: { required: ['word', 'count'] } } },
    });
  });

  it('that takes no schema gets it in words, from then on at once, and may answer in prose', async () => {
    const { model, server } = await open({ takesSchemas: false }, { provider: 'llm_b' });
    expect((await model.object(call())).object).toEqual(GOOD);
    expect((await model.object(call())).object).toEqual(GOOD);
    expect(server.count()).toBe(3);
    expect(server.calls[1]?.system).toContain('"word"');
  });

  it('needs no key', async () => {
    const server = await startScriptedModel({ answer: () => GOOD });
    opened.push(server);
    const options = { timeoutSeconds: 5, metrics: openMetrics(), log: openLog('silent') };
    const models = openModels([{ name: 'llm_b', apiKey: undefined, baseUrl: server.url, model: 'local' }], options);
    expect((await models.configured?.object(call()))?.object).toEqual(GOOD);
  });
});

describe('the models of an installation', () => {
  const options = { timeoutSeconds: 5, metrics: openMetrics(), log: openLog('silent') };
  const config = (name: Provider) => ({ name, apiKey: 'key', baseUrl: undefined, model: `model-${name}` });

  it('are none without a configuration', () => {
    expect(openModels([], options).configured).toBeUndefined();
  });

  it('prefer llm_a', () => {
    expect(openModels([config('llm_b'), config('llm_a')], options).configured).toMatchObject({ provider: 'llm_a', model: 'model-llm_a' });
  });

  it("answer with a user's own key, at the configured address", async () => {
    const { models } = await open({ apiKey: 'the-users-key' }, { provider: 'llm_b', apiKey: 'another' });
    const model = models.withKey('llm_b', 'the-users-key');
    expect(model.model).toBe('scripted');
    expect((await model.object(call())).object).toEqual(GOOD);
    expect(openModels([], options).withKey('llm_a', 'k')).toMatchObject({ provider: 'llm_a', model: 'claude-sonnet-4-5' });
  });

  it('keep ideas and keys out of the log', async () => {
    const lines: string[] = [];
    const log = openLog('info', { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream);
    const server = await startScriptedModel({ answer: () => GOOD, faults: [{ status: 500, retryAfter: '0' }, 'malformed'] });
    opened.push(server);
    const models = openModels([{ name: 'llm_a', apiKey: 'sk-secret', baseUrl: server.url, model: 'm' }], { ...options, log });
    await models.configured?.object(call());
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toMatch(/sk-secret|How often/);
  });
});
