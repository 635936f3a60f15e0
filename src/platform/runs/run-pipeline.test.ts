import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { definePipeline, type Pipeline, type Usage } from './define-pipeline.ts';
import { runPipeline, type RunRecord } from './run-pipeline.ts';
import { claimRun } from './run-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { ctx } = app;
beforeAll(async () => {
  await sql`create table test_runs (key text primary key, stage text not null default 'queued', outcome text)`.execute(ctx.db);
});
afterAll(() => app.dispose());

const STAGES = ['first', 'second', 'third'] as const;
type Outputs = Record<(typeof STAGES)[number], string>;
type Input = { calls: string[]; before?: (stage: string) => Promise<void> | void };
const never = new AbortController().signal;

/** Three stages that say what they were given; `before` of the input decides what happens in them. */
const pipeline = definePipeline<Input>('test')
  .stage({ name: 'first', run: (input, before, stage) => work('first', input, before, stage.spend) })
  .stage({ name: 'second', run: (input, before, stage) => work('second', input, before, stage.spend) })
  .stage({ name: 'third', run: (input, before, stage) => work('third', input, before, stage.spend) })
  .build();

async function work(name: string, input: Input, before: unknown, spend: (usage: Usage) => void): Promise<string> {
  input.calls.push(name);
  spend({ calls: 1, inputTokens: 10, outputTokens: 2 });
  await input.before?.(name);
  return `${name} after ${Object.keys(before as object).join('+') || 'nothing'}`;
}

async function newRun(input: Partial<Input> = {}) {
  const key = `test:${randomUUID()}`;
  await ctx.streams.open(ctx.db, key);
  await sql`insert into test_runs (key) values (${key})`.execute(ctx.db);
  const calls: string[] = [];
  const completed: { outputs: unknown; usage: unknown }[] = [];
  const record = (more: Partial<RunRecord<Input, Outputs>> & { input?: Input } = {}): RunRecord<Input, Outputs> => ({
    input: { calls, ...input },
    entering: (stage) => sql`update test_runs set stage = ${stage} where key = ${key}`,
    complete: async (tx, outputs, usage) => {
      completed.push({ outputs, usage });
      await sql`update test_runs set outcome = 'completed' where key = ${key}`.execute(tx);
      return [{ event: 'result', data: outputs }];
    },
    fail: async (tx, error, stage) => {
      await sql`update test_runs set outcome = ${`failed in ${stage}`} where key = ${key}`.execute(tx);
      return [{ event: 'error', data: { message: (error as Error).message } }];
    },
    ...more,
  });
  const claim = () => claimRun(ctx.db, { key, streamKey: key, kind: 'test', payload: null });
  const run = async (more: Parameters<typeof record>[0] = {}, signal = never, which: Pipeline<Input, Outputs> = pipeline as never) => {
    const claimed = await claim();
    if (claimed) await runPipeline(ctx, which, record(more), claimed, signal);
  };
  return { key, calls, completed, claim, run };
}

async function storyOf(key: string): Promise<string[]> {
  const events = await ctx.streams.read(key, 0, 1000);
  return events.map(({ event, data }) => {
    const { name, status } = JSON.parse(data) as { name?: string; status?: string };
    return event === 'stage' ? `${name} ${status}` : event;
  });
}

const rowOf = async (key: string) => (await sql`select stage, outcome from test_runs where key = ${key}`.execute(ctx.db)).rows[0];
const checkpointsOf = async (key: string) =>
  (await sql<{ stage: string }>`select stage from checkpoints where run_key = ${key} order by finished_at`.execute(ctx.db)).rows.map(
    ({ stage }) => stage,
  );

const WHOLE = [...STAGES.flatMap((stage) => [`${stage} started`, `${stage} completed`]), 'result', 'done'];

describe('a run', () => {
  it('gives each stage what was found before it and ends with result and done', async () => {
    const { key, completed, run } = await newRun();
    await run();
    expect(await storyOf(key)).toEqual(WHOLE);
    expect(completed[0]?.outputs).toEqual({ first: 'first after nothing', second: 'second after first', third: 'third after first+second' });
    expect(completed[0]?.usage).toEqual(Object.fromEntries(STAGES.map((stage) => [stage, { calls: 1, inputTokens: 10, outputTokens: 2 }])));
    expect(await rowOf(key)).toEqual({ stage: 'third', outcome: 'completed' });
    expect(await checkpointsOf(key)).toEqual([]);
  });

  it('does nothing once its stream is closed, or when it has none', async () => {
    const { key, calls, run } = await newRun();
    await run();
    await run();
    expect(calls).toEqual([...STAGES]);
    await ctx.streams.remove(ctx.db, key);
    await run();
    expect(calls).toEqual([...STAGES]);
  });
});

describe.each(STAGES.map((stage, index) => [stage, index] as const))('a run that is cut in %s', (stage, index) => {
  it('goes on there: earlier stages are not repeated, no event is doubled', async () => {
    const cut = new AbortController();
    const { key, calls, completed, run } = await newRun();
    const before = (name: string) => {
      if (name !== stage) return;
      cut.abort();
      cut.signal.throwIfAborted();
    };
    await expect(run({ input: { calls, before } }, cut.signal)).rejects.toThrow(/abort/i);
    expect(await rowOf(key)).toEqual({ stage, outcome: null });
    expect(await checkpointsOf(key)).toEqual(STAGES.slice(0, index));
    await run();
    expect(calls).toEqual([...STAGES.slice(0, index + 1), ...STAGES.slice(index)]);
    expect(await storyOf(key)).toEqual(WHOLE);
    expect(completed[0]?.outputs).toMatchObject({ third: 'third after first+second' });
    expect(completed[0]?.usage).toMatchObject({ first: { calls: 1 }, second: { calls: 1 }, third: { calls: 1 } });
  });

  it('goes on after it when the cut came at its end', async () => {
    const cut = new AbortController();
    const { key, calls, run } = await newRun();
    const input: Input = { calls, before: (name) => (name === stage ? cut.abort() : undefined) };
    await run({ input }, cut.signal).catch(() => {});
    await run();
    expect(calls).toEqual([...STAGES]);
    expect(await storyOf(key)).toEqual(WHOLE);
  });

  it('fails there when the stage throws', async () => {
    const { key, calls, run } = await newRun();
    const input: Input = { calls, before: (name) => (name === stage ? Promise.reject(new Error('no luck')) : undefined) };
    await run({ input });
    const before = STAGES.slice(0, index).flatMap((name) => [`${name} started`, `${name} completed`]);
    expect(await storyOf(key)).toEqual([...before, `${stage} started`, `${stage} failed`, 'error', 'done']);
    expect(await rowOf(key)).toEqual({ stage, outcome: `failed in ${stage}` });
    expect(await checkpointsOf(key)).toEqual([]);
  });

  it('is left for another try when what it threw may pass', async () => {
    const { key, calls, run } = await newRun();
    const input: Input = { calls, before: (name) => (name === stage ? Promise.reject(new Error('gone for a moment')) : undefined) };
    await expect(run({ input, isTransient: () => true })).rejects.toThrow('gone for a moment');
    expect(await rowOf(key)).toEqual({ stage, outcome: null });
    await run();
    expect(await storyOf(key)).toEqual(WHOLE);
  });
});

describe('two workers with the same run', () => {
  it('leave only what the later one writes', async () => {
    const gate = newGate();
    const { key, calls, run } = await newRun();
    const release = gate.close();
    const zombie = run({ input: { calls, before: () => gate.pass() }, complete: async () => [{ event: 'zombie', data: {} }] });
    await expect.poll(() => gate.entered()).toBe(1);
    await run();
    const whole = await storyOf(key);
    release();
    await zombie;
    expect(await storyOf(key)).toEqual(whole);
    expect(whole).toEqual(WHOLE);
    expect(await rowOf(key)).toEqual({ stage: 'third', outcome: 'completed' });
  });

  it('do not let the earlier one fail the run of the later one', async () => {
    const gate = newGate();
    const { key, calls, claim, run } = await newRun();
    const release = gate.close();
    const zombie = run({
      input: {
        calls,
        before: async () => {
          await gate.pass();
          throw new Error('too late');
        },
      },
    });
    await expect.poll(() => gate.entered()).toBe(1);
    const claimed = await claim();
    release();
    await zombie;
    expect(claimed?.writer).toBe(2);
    expect(await rowOf(key)).toEqual({ stage: 'first', outcome: null });
    await run();
    expect(await storyOf(key)).toEqual(WHOLE);
  });

  it('do not let the earlier one emit progress', async () => {
    const gate = newGate();
    const { key, claim, run } = await newRun();
    const chatty = definePipeline<Input>('chatty')
      .stage({
        name: 'first',
        run: async (_input, _before, stage) => {
          await gate.pass();
          await stage.progress('still here');
        },
      })
      .build();
    const release = gate.close();
    const zombie = run({}, never, chatty as never);
    await expect.poll(() => gate.entered()).toBe(1);
    await claim();
    release();
    await zombie;
    expect(await storyOf(key)).toEqual(['first started']);
  });
});

describe('a write that fails', () => {
  it('takes the events of its transaction back with it', async () => {
    const { key, run } = await newRun();
    const broken = run({
      complete: async (tx) => {
        await sql`update test_runs set outcome = 'half' where key = ${key}`.execute(tx);
        throw new Error('disk full');
      },
    });
    await expect(broken).rejects.toThrow('disk full');
    expect(await rowOf(key)).toEqual({ stage: 'third', outcome: null });
    expect(await storyOf(key)).toEqual(WHOLE.slice(0, 5));
    await run();
    expect(await storyOf(key)).toEqual(WHOLE);
  });

  it('moves neither row nor checkpoint without the events', async () => {
    const { key, run } = await newRun();
    const unmovable = run({ entering: (stage) => (stage === 'second' ? sql`update test_runs set stage = null where key = ${key}` : sql`select 1`) });
    await expect(unmovable).rejects.toThrow();
    expect(await checkpointsOf(key)).toEqual([]);
    expect(await storyOf(key)).toEqual(['first started']);
  });
});

describe('a stage that has an answer of its own for failures', () => {
  it('is told as failed, and the run goes on with that answer [R314]', async () => {
    const { key, completed, run } = await newRun();
    const forgiving = definePipeline<Input>('forgiving')
      .stage({
        name: 'first',
        run: async (): Promise<string> => Promise.reject(new Error('no')),
        otherwise: (error) => `instead: ${(error as Error).message}`,
      })
      .stage({ name: 'second', run: async (_input, before) => `given ${before.first}` })
      .build();
    await run({}, never, forgiving as never);
    expect(await storyOf(key)).toEqual(['first started', 'first failed', 'second started', 'second completed', 'result', 'done']);
    expect(completed[0]?.outputs).toEqual({ first: 'instead: no', second: 'given instead: no' });
  });
});

describe('a run that began in an earlier version', () => {
  const stagesOf = (version: number) =>
    definePipeline<Input>('test')
      .stage({
        name: 'first',
        version,
        upcasts: { 1: (output, part) => ({ words: part === null ? [output] : output }) },
        run: async (input, _, stage) => work('first', input, {}, stage.spend),
      })
      .stage({ name: 'second', run: async (input, before, stage) => work('second', input, before, stage.spend) })
      .stage({ name: 'third', run: async (_, before: { first: unknown }) => JSON.stringify(before.first) })
      .build() as unknown as Pipeline<Input, Outputs>;

  const cutAfterFirst = async (version: number) => {
    const { key, run, completed } = await newRun();
    const stop = new AbortController();
    const before = (stage: string) => {
      if (stage !== 'second') return;
      stop.abort(new Error('stopped'));
      throw new Error('stopped');
    };
    await expect(run({ input: { calls: [], before } }, stop.signal, stagesOf(version))).rejects.toThrow('stopped');
    expect(await checkpointsOf(key)).toEqual(['first']);
    return { run, completed };
  };

  it('goes on with the outputs of its stages lifted', async () => {
    const { run, completed } = await cutAfterFirst(1);
    await run({}, never, stagesOf(2));
    expect(completed[0]?.outputs).toMatchObject({ first: { words: ['first after nothing'] }, third: '{"words":["first after nothing"]}' });
  });

  it('is left to a newer program that wrote them', async () => {
    const { run } = await cutAfterFirst(2);
    await expect(run({}, never, stagesOf(1))).rejects.toThrow('checkpoint first: version 2 was written by a newer program; this one reads up to 1');
  });
});
