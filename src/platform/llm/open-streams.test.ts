import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { conflict } from '#lib/errors.ts';
import { startScriptedModel, type Script, type ScriptedModelServer } from '#testing/scripted-model-server.ts';
import { openLog } from '../observability/log.ts';
import { openMetrics } from '../observability/metrics.ts';
import { defineTool, type TextCall, type ToolsCall, type ToolsPart } from './model-streams.ts';
import type { Model, Provider } from './models.ts';
import { modelMetrics } from './model-metrics.ts';
import { openModels } from './open-models.ts';

const opened: ScriptedModelServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server[Symbol.asyncDispose]();
});

async function open(script: Script, provider: Provider, timeoutSeconds = 20) {
  const server = await startScriptedModel(script);
  opened.push(server);
  const metrics = openMetrics();
  const pauses: number[] = [];
  const models = openModels([{ name: provider, apiKey: 'key', baseUrl: server.url, model: 'scripted' }], {
    timeoutSeconds,
    metrics,
    log: openLog('silent'),
    pause: async (milliseconds) => void pauses.push(milliseconds),
  });
  const outcomes = async () =>
    Object.fromEntries((await modelMetrics(metrics).calls.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  return { server, model: models.configured as Model, pauses, outcomes };
}

const asking = (signal = new AbortController().signal): TextCall => ({
  name: 'chat',
  system: 'You talk.',
  turns: [{ role: 'user', content: 'How often?' }],
  signal,
});

async function read<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

const ran: unknown[] = [];
const add = defineTool({
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  run: async ({ a, b }) => {
    ran.push([a, b]);
    return { sum: a + b };
  },
});

const looping = (change: Partial<ToolsCall> = {}): ToolsCall => ({ ...asking(), tools: { add }, budget: { steps: 5, tokens: 100_000 }, ...change });

const call = (a: number, b: number) => ({ tool: 'add', input: { a, b } });

/** Calls the tool in the first answer, and says so in the second. */
const onceThenText: Script['stream'] = ({ turns }) =>
  turns.some(({ role }) => role === 'assistant') ? { deltas: ['It is ', '5.'] } : { deltas: ['Let me see.'], calls: [call(2, 3)] };

const endOf = (parts: ToolsPart[]) => parts.find((part) => part.kind === 'end');

describe.each<Provider>(['llm_a', 'llm_b'])('a text from %s', (provider) => {
  it('comes in the parts in which it is written, with its usage', async () => {
    const { model, outcomes, server } = await open({ stream: () => ({ deltas: ['Twice', ' a day.'] }) }, provider);
    const stream = model.text(asking());
    expect(await read(stream)).toEqual([
      { kind: 'text', text: 'Twice' },
      { kind: 'text', text: ' a day.' },
      { kind: 'end', reason: 'finished' },
    ]);
    expect(stream.usage).toEqual({ calls: 1, inputTokens: 100, outputTokens: 20 });
    expect(await outcomes()).toEqual({ ok: 1 });
    expect(server.calls[0]).toMatchObject({ system: 'You talk.', turns: [{ role: 'user', content: 'How often?' }] });
  });

  it('says that it was cut', async () => {
    const { model } = await open({ stream: () => ({ deltas: ['Twice'], cut: true }) }, provider);
    expect((await read(model.text(asking()))).at(-1)).toEqual({ kind: 'end', reason: 'cut' });
  });

  it('is without what the model thought', async () => {
    const { model } = await open({ stream: () => ({ deltas: ['<think>hm', 'm</think>', 'Twice'] }) }, provider);
    const parts = await read(model.text(asking()));
    expect(parts.map((part) => (part.kind === 'text' ? part.text.trim() : '')).join('')).toBe('Twice');
  });

  it('is asked for again while no word of it came', async () => {
    const { model, pauses, outcomes } = await open({ faults: [{ status: 429, retryAfter: '7' }, 'hang_up'] }, provider);
    const stream = model.text(asking());
    await read(stream);
    expect(pauses[0]).toBe(7000);
    expect(stream.usage.calls).toBe(3);
    expect(await outcomes()).toEqual({ rate_limited: 1, unreachable: 1, ok: 1 });
  });

  it.each(['breaks_off', 'no_end', 'overloaded'] as const)('fails when the answer %s in the middle', async (fault) => {
    const { model, server } = await open({ faults: [fault], stream: () => ({ deltas: ['Twice', ' a day.'] }) }, provider);
    const stream = model.text(asking());
    const parts: unknown[] = [];
    const reading = (async () => {
      for await (const part of stream) parts.push(part);
    })();
    await expect(reading).rejects.toMatchObject({ name: 'ModelError', reason: 'unavailable' });
    expect(parts).not.toContainEqual(expect.objectContaining({ kind: 'end' }));
    expect(server.count()).toBe(1);
  });

  it('tells a refusal without the body of the answer', async () => {
    const { model } = await open({ apiKey: 'another' }, provider);
    await expect(read(model.text(asking()))).rejects.toMatchObject({ reason: 'refused', message: 'the provider did not accept the key (401)' });
  });

  it.each(['hang', 'stalls'] as const)('ends with a timeout when the server %s', async (fault) => {
    const { model, outcomes } = await open({ faults: [fault], stream: () => ({ deltas: ['Twice', ' a day.'] }) }, provider, 0.3);
    await expect(read(model.text(asking()))).rejects.toMatchObject({ name: 'ModelError', reason: 'timeout' });
    expect(await outcomes()).toEqual({ timeout: 1 });
  });

  it('may be silent no longer than one request takes, however long the whole may be', async () => {
    const { model } = await open({ faults: ['stalls'], stream: () => ({ deltas: ['Twice', ' a day.'] }) }, provider, 0.3);
    await expect(read(model.text({ ...asking(), seconds: 60 }))).rejects.toMatchObject({
      reason: 'timeout',
      message: expect.stringContaining('silent'),
    });
  });

  it("ends with the caller's own reason", async () => {
    const { model, server, outcomes } = await open({ faults: ['stalls'], stream: () => ({ deltas: ['Twice', ' a day.'] }) }, provider);
    const caller = new AbortController();
    const reading = read(model.text(asking(caller.signal)));
    await vi.waitFor(() => expect(server.count()).toBe(1));
    caller.abort(new Error('shutting down'));
    await expect(reading).rejects.toThrow('shutting down');
    expect(await outcomes()).toEqual({ cancelled: 1 });
  });

  it('closes the connection when nobody reads on', async () => {
    const { model, server, outcomes } = await open({ faults: ['stalls'], stream: () => ({ deltas: ['Twice', ' a day.'] }) }, provider);
    for await (const part of model.text(asking())) if (part.kind === 'text') break;
    await vi.waitFor(() => expect(server.left).toBe(1));
    expect(await outcomes()).toEqual({ cancelled: 1 });
  });
});

describe.each<Provider>(['llm_a', 'llm_b'])('a loop with tools of %s', (provider) => {
  afterEach(() => void ran.splice(0));

  it('runs what is called, tells the result and goes on', async () => {
    const { model, server } = await open({ stream: onceThenText }, provider);
    const stream = model.tools(looping());
    const parts = await read(stream);
    expect(parts.map(({ kind }) => kind)).toEqual(['text', 'call', 'result', 'step', 'text', 'text', 'step', 'end']);
    expect(parts).toContainEqual(expect.objectContaining({ kind: 'result', tool: 'add', output: { sum: 5 } }));
    expect(endOf(parts)).toMatchObject({ reason: 'finished', steps: 2 });
    expect(stream.usage).toEqual({ calls: 2, inputTokens: 200, outputTokens: 40 });
    expect(JSON.stringify(server.calls[1]?.raw)).toMatch(/sum.{1,4}:5/);
  });

  it('goes on from its transcript with new turns', async () => {
    const { model, server } = await open({ stream: onceThenText }, provider);
    const end = endOf(await read(model.tools(looping())));
    const transcript = JSON.parse(end?.transcript ?? '') as object;
    await read(model.tools(looping({ transcript, turns: [{ role: 'user', content: 'Sure?' }] })));
    expect(server.calls.at(-1)?.turns.map(({ content }) => content)).toEqual(expect.arrayContaining(['How often?', 'It is 5.', 'Sure?']));
  });

  it('stops with the step that uses the steps up', async () => {
    const { model, server } = await open({ stream: () => ({ calls: [call(1, 1)] }) }, provider);
    expect(endOf(await read(model.tools(looping({ budget: { steps: 3, tokens: 100_000 } }))))).toMatchObject({ reason: 'steps', steps: 3 });
    expect(server.count()).toBe(3);
  });

  it('stops with the step that uses the tokens up, and lets no answer be longer than what is left', async () => {
    const { model, server } = await open({ stream: () => ({ calls: [call(1, 1)] }) }, provider);
    expect(endOf(await read(model.tools(looping({ budget: { steps: 9, tokens: 200 } }))))).toMatchObject({ reason: 'tokens', steps: 2 });
    expect(server.calls.map(({ raw }) => (raw as { max_tokens?: number }).max_tokens)).toEqual([200, 80]);
  });

  it('tells the model of unknown tools and unusable input, and goes on', async () => {
    const answers = [
      {
        calls: [
          { tool: 'subtract', input: {} },
          { tool: 'add', input: { a: 'one' } },
        ],
      },
      { deltas: ['Never mind.'] },
    ];
    const { model } = await open({ stream: () => answers.shift() ?? {} }, provider);
    const parts = await read(model.tools(looping()));
    expect(parts.filter(({ kind }) => kind === 'failed')).toHaveLength(2);
    expect(endOf(parts)).toMatchObject({ reason: 'finished' });
    expect(ran).toEqual([]);
  });

  it("tells of a tool's failure only what was meant to be told", async () => {
    const failing = defineTool({ description: 'x', input: z.object({}), run: async () => Promise.reject(new Error('password is hunter2')) });
    const refusing = defineTool({ description: 'x', input: z.object({}), run: async () => Promise.reject(conflict('Nothing is open.')) });
    const calls = ['failing', 'refusing'].map((tool) => ({ tool, input: {} }));
    const { model, server } = await open({ stream: ({ turns }) => (turns.length > 1 ? { deltas: ['Oh.'] } : { calls }) }, provider);
    const parts = await read(model.tools(looping({ tools: { failing, refusing } })));
    expect(parts.flatMap((part) => (part.kind === 'failed' ? part.problem : [])).toSorted()).toEqual([
      'Nothing is open.',
      'The tool failing failed.',
    ]);
    expect(JSON.stringify(server.calls)).not.toContain('hunter2');
  });

  it('waits for no tool longer than its limit', async () => {
    const stuck = defineTool({ description: 'x', input: z.object({}), seconds: 0.05, run: async () => new Promise(() => {}) });
    const { model } = await open(
      { stream: ({ turns }) => (turns.length > 1 ? { deltas: ['Oh.'] } : { calls: [{ tool: 'stuck', input: {} }] }) },
      provider,
    );
    const parts = await read(model.tools(looping({ tools: { stuck } })));
    expect(parts).toContainEqual(expect.objectContaining({ kind: 'failed', problem: 'The tool stuck took longer than 0.05 s.' }));
  });

  it('refuses a call with a reason that the model is told', async () => {
    const { model, server } = await open({ stream: onceThenText }, provider);
    const parts = await read(model.tools(looping({ approve: () => ({ refused: 'Not on Sundays.' }) })));
    expect(parts.map(({ kind }) => kind)).toContain('refused');
    expect(ran).toEqual([]);
    expect(JSON.stringify(server.calls[1]?.raw)).toContain('Not on Sundays.');
  });

  it.each([
    [true, [[2, 3]], 'result'],
    [false, [], 'refused'],
  ] as const)('puts a call to a person and goes on with the decision %s', async (approved, expected, kind) => {
    const { model } = await open({ stream: onceThenText }, provider);
    const approve = () => 'ask' as const;
    const parts = await read(model.tools(looping({ approve })));
    const question = parts.find((part) => part.kind === 'question');
    expect(question).toMatchObject({ tool: 'add', input: { a: 2, b: 3 } });
    expect(endOf(parts)).toMatchObject({ reason: 'asked' });
    expect(ran).toEqual([]);
    const transcript = JSON.parse(endOf(parts)?.transcript ?? '') as object;
    const decisions = [{ questionId: question?.questionId ?? '', approved }];
    const rest = await read(model.tools(looping({ approve, transcript, decisions, turns: [] })));
    expect(rest.map((part) => part.kind)).toContain(kind);
    expect(ran).toEqual(expected);
    const end = endOf(rest);
    expect(end).toMatchObject({ reason: 'finished' });
    const again = await read(model.tools(looping({ approve, transcript: end?.transcript ?? '', turns: [{ role: 'user', content: 'Sure?' }] })));
    expect(endOf(again)).toMatchObject({ reason: 'finished' });
    expect(ran).toEqual(expected);
  });

  it('fails with what the caller threw while judging', async () => {
    const { model } = await open({ stream: onceThenText }, provider);
    const approve = () => Promise.reject(new Error('no database'));
    await expect(read(model.tools(looping({ approve })))).rejects.toThrow('no database');
  });

  it('fails at half a call and asks no more', async () => {
    const { model, server } = await open({ faults: ['half_a_call'], stream: () => ({ calls: [call(1, 1)] }) }, provider);
    await expect(read(model.tools(looping()))).rejects.toMatchObject({ name: 'ModelError', reason: 'unavailable' });
    expect(server.count()).toBe(1);
    expect(ran).toEqual([]);
  });

  it('gives its signal to the tools when the caller ends it', async () => {
    const caller = new AbortController();
    let told: unknown;
    const waiting = defineTool({
      description: 'x',
      input: z.object({}),
      run: async (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            told = signal.reason;
            reject(signal.reason as Error);
          });
          caller.abort(new Error('enough'));
        }),
    });
    const { model } = await open({ stream: () => ({ calls: [{ tool: 'waiting', input: {} }] }) }, provider);
    await expect(read(model.tools(looping({ tools: { waiting }, signal: caller.signal })))).rejects.toThrow('enough');
    expect(told).toMatchObject({ message: 'enough' });
  });
});
