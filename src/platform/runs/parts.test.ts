import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { definePipeline } from './define-pipeline.ts';
import { runPipeline, type RunRecord, type UsageByStage } from './run-pipeline.ts';
import { claimRun, type RunRow } from './run-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { ctx } = app;
afterAll(() => app.dispose());

type Input = { worked: string[]; stopAfter: number };

/** One stage of three parts side by side; the run is cut when `stopAfter` of them have ended. */
const pipeline = definePipeline<Input>('parts')
  .stage({
    name: 'many',
    run: async (input, _before, stage) => {
      const outputs: string[] = [];
      for (const name of ['a', 'b', 'c']) {
        if (outputs.length === input.stopAfter) throw new Error('cut');
        const work = stage.part(name, async (part) => {
          input.worked.push(name);
          part.spend({ calls: 1, inputTokens: 10, outputTokens: 1 });
          return { output: `did ${name}`, events: [{ event: 'part_done', data: { name } }] };
        });
        outputs.push(await work);
      }
      return outputs;
    },
  })
  .build();

async function newRun() {
  const key = `parts:${randomUUID()}`;
  await ctx.streams.open(ctx.db, key);
  const worked: string[] = [];
  const results: { outputs: unknown; usage: UsageByStage }[] = [];
  const record = (stopAfter: number): RunRecord<Input, { many: string[] }> => ({
    input: { worked, stopAfter },
    entering: () => sql`select 1`,
    complete: async (_tx, outputs, usage) => {
      results.push({ outputs, usage });
      return [];
    },
    fail: async () => [],
    isTransient: (error) => (error as Error).message === 'cut',
  });
  const claim = async () => (await claimRun(ctx.db, { key, streamKey: key, kind: 'parts', payload: null })) as RunRow;
  const run = async (stopAfter: number) => runPipeline(ctx, pipeline, record(stopAfter), await claim(), new AbortController().signal);
  const told = async () =>
    (await ctx.streams.read(key, 0, 100)).flatMap(({ event, data }) => (event === 'part_done' ? [(JSON.parse(data) as { name: string }).name] : []));
  return { key, worked, results, claim, run, told };
}

describe('parts of a stage', () => {
  it('are worked once each, with their events, and the stage has their outputs', async () => {
    const { worked, results, run, told } = await newRun();
    await run(9);
    expect(worked).toEqual(['a', 'b', 'c']);
    expect(await told()).toEqual(['a', 'b', 'c']);
    expect(results).toEqual([{ outputs: { many: ['did a', 'did b', 'did c'] }, usage: { many: { calls: 3, inputTokens: 30, outputTokens: 3 } } }]);
  });

  it('outlive an interruption: what had ended is neither worked nor told again, and its usage counts', async () => {
    const { key, worked, results, run, told } = await newRun();
    await expect(run(2)).rejects.toThrow('cut');
    expect(await told()).toEqual(['a', 'b']);
    await run(9);
    expect(worked).toEqual(['a', 'b', 'c']);
    expect(await told()).toEqual(['a', 'b', 'c']);
    expect(results).toEqual([{ outputs: { many: ['did a', 'did b', 'did c'] }, usage: { many: { calls: 3, inputTokens: 30, outputTokens: 3 } } }]);
    const left = await sql`select 1 from checkpoints where run_key = ${key}`.execute(ctx.db);
    expect(left.rows).toEqual([]);
  });

  it('of a run that somebody else took over are not written', async () => {
    const { worked, results, claim, run, told } = await newRun();
    const taken = definePipeline<Input>('parts')
      .stage({
        name: 'many',
        run: async (_input, _before, stage) => {
          await stage.part('a', async () => {
            await claim();
            return { output: 'late', events: [{ event: 'part_done', data: { name: 'late' } }] };
          });
          return [];
        },
      })
      .build();
    const record: RunRecord<Input, { many: string[] }> = {
      input: { worked, stopAfter: 9 },
      entering: () => sql`select 1`,
      complete: async () => [],
      fail: async () => [],
    };
    await runPipeline(ctx, taken as never, record, await claim(), new AbortController().signal);
    expect(await told()).toEqual([]);
    await run(9);
    expect(await told()).toEqual(['a', 'b', 'c']);
    expect(results).toHaveLength(1);
  });
});
