import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AppContext } from '../context.ts';
import { defineJob } from '../jobs/define-job.ts';
import type { EngineChoice } from '../llm/models.ts';
import { startTestApp } from '#testing/app.ts';
import { newGate } from '#testing/factories.ts';
import { definePipeline, type KeepingRun } from './define-pipeline.ts';
import { cancelFamily, defineRun } from './define-run.ts';
import { RunFailure } from '#lib/run-failure.ts';
import { RetryLater } from '../jobs/retry-later.ts';
import { findRun } from './run-store.ts';
import type { RunVersions } from './run-versions.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, streams } = app.ctx;
beforeAll(async () => {
  await sql`create table trials (id text primary key, state text not null default 'running', result text)`.execute(db);
});
afterAll(() => app.dispose());

const never = new AbortController().signal;
/** The context with a queue that only counts what is sent. */
const sent: unknown[] = [];
const ctx: AppContext = { ...app.ctx, queue: { ...app.ctx.queue, send: async (_tx, _job, payload) => void sent.push(payload) } };

type Row = { id: string; state: string };
type Work = (stage: KeepingRun) => Promise<string>;
const works = new Map<string, Work>();
/** What happens between a worker's look at the row and whatever it does next, once. */
const meanwhile = new Map<string, () => Promise<void>>();

/** A kind of run with one stage, which does what the test says; rows are those of `trials`. */
const kindOf = (name: string, versions: RunVersions = {}) =>
  defineRun({
    ...versions,
    name,
    noun: 'trial',
    job: defineJob({ name: `${name}.run`, payload: z.object({ id: z.string() }) }),
    find: async (on, { id }) => {
      const { rows } = await sql<Row>`select id, state from trials where id = ${id} and state = 'running'`.execute(on);
      const happens = meanwhile.get(id);
      meanwhile.delete(id);
      await happens?.();
      return rows[0] ?? null;
    },
    streamOf: ({ id }) => `trial:${id.split('/')[0] ?? ''}`,
    keyOf: ({ id }) => `trial:${id}`,
    userOf: () => 'u',
    pipeline: definePipeline<{ id: string }>(name)
      .stage({ name: 'only', run: async ({ id }, _before, stage) => (await works.get(id)?.(stage)) ?? 'nothing to do' })
      .build(),
    open: async (_ctx, { id }) => {
      if (id.startsWith('impossible')) throw new RunFailure({ code: 'IMPOSSIBLE', message: 'no', retryable: false });
      return { id };
    },
    announce: () => [],
    complete: async (_ctx, tx, { id }, { outputs }) => {
      await sql`update trials set state = 'completed', result = ${outputs.only} where id = ${id}`.execute(tx);
      return [{ event: 'result', data: outputs.only }];
    },
    fail: async (_ctx, tx, { id }, error) => void (await sql`update trials set state = ${error.code} where id = ${id}`.execute(tx)),
  });
const trial = kindOf('trial');

async function begin(
  work: Work,
  { id = randomUUID() as string, kind = trial, parentKey }: { id?: string; kind?: typeof trial; parentKey?: string } = {},
) {
  works.set(id, work);
  const streamKey = `trial:${id.split('/')[0] ?? ''}`;
  await db.transaction().execute(async (tx) => {
    await sql`insert into trials (id) values (${id})`.execute(tx);
    await streams.open(tx, streamKey);
    await kind.begin(ctx, tx, { id }, parentKey ? { parentKey } : {});
  });
  return { id, key: `trial:${id}`, streamKey };
}

const stateOf = async (id: string) => (await sql<Row>`select state from trials where id = ${id}`.execute(db)).rows[0]?.state;
const story = async (streamKey: string) => (await streams.read(streamKey, 0, 100)).map(({ event }) => event);

describe('a run', () => {
  it('ends with its result, and leaves no row', async () => {
    const { id, key, streamKey } = await begin(async () => 'good');
    await trial.work(ctx, { id }, never);
    expect(await stateOf(id)).toBe('completed');
    expect(await story(streamKey)).toEqual(['result', 'done']);
    expect(await findRun(db, key)).toBeNull();
    await trial.work(ctx, { id }, never);
    expect(await story(streamKey)).toEqual(['result', 'done']);
  });

  it('that cannot begin fails as it says', async () => {
    const { id, streamKey } = await begin(async () => 'never', { id: `impossible-${randomUUID()}` });
    await trial.work(ctx, { id }, never);
    expect(await stateOf(id)).toBe('IMPOSSIBLE');
    expect(await story(streamKey)).toEqual(['error', 'done']);
  });

  it('that is deleted while a worker takes it up is left alone', async () => {
    const { id, streamKey } = await begin(async () => 'never');
    meanwhile.set(id, async () => void (await sql`delete from streams where key = ${streamKey}`.execute(db)));
    await sql`delete from trials where id = ${id}`.execute(db);
    await trial.work(ctx, { id }, never);
    expect(await story(streamKey)).toEqual([]);
  });

  it('that is deleted while it fails to begin is left alone', async () => {
    const { id, streamKey } = await begin(async () => 'never', { id: `impossible-${randomUUID()}` });
    meanwhile.set(id, async () => void (await sql`delete from streams where key = ${streamKey}`.execute(db)));
    await trial.work(ctx, { id }, never);
    expect(await story(streamKey)).toEqual([]);
  });

  it('that puts itself off says so to the queue, and goes on with the stage that did', async () => {
    const later = new RetryLater(new Date());
    let tries = 0;
    const { id, streamKey } = await begin(async () => (tries++ === 0 ? Promise.reject(later) : 'in time'));
    await expect(trial.work(ctx, { id }, never)).rejects.toBe(later);
    expect(await stateOf(id)).toBe('running');
    expect(await story(streamKey)).toEqual([]);
    await trial.work(ctx, { id }, never);
    expect(await story(streamKey)).toEqual(['result', 'done']);
  });

  it('that its workers gave up on fails, whoever still holds it', async () => {
    const gate = newGate();
    const release = gate.close();
    const { id, streamKey } = await begin(async () => (await gate.pass(), 'late'));
    const zombie = trial.work(ctx, { id }, never);
    await expect.poll(() => gate.entered()).toBe(1);
    await trial.giveUp(ctx, { id }, new Error('out of tries'));
    release();
    await zombie;
    expect(await stateOf(id)).toBe('PIPELINE_ERROR');
    expect(await story(streamKey)).toEqual(['error', 'done']);
  });
});

describe('a run that asks', () => {
  const asking: Work = async (stage) => {
    const choice = await stage.ask<{ yes: boolean }>('go-on', { text: 'Shall it go on?' }, async () => [
      { event: 'question', data: { name: 'go-on' } },
    ]);
    return choice.yes ? 'went on' : 'stopped';
  };

  it('pauses without a worker, asks once, and goes on with the decision', async () => {
    const { id, key, streamKey } = await begin(asking);
    await trial.work(ctx, { id }, never);
    await trial.work(ctx, { id }, never);
    expect(await story(streamKey)).toEqual(['question']);
    expect(await findRun(db, key)).toMatchObject({ question: { name: 'go-on', question: { text: 'Shall it go on?' } } });
    sent.length = 0;
    expect(await db.transaction().execute((tx) => trial.resume(ctx, tx, key, { name: 'go-on', decision: { yes: true } }))).toBe(true);
    expect(sent).toEqual([{ id }]);
    await trial.work(ctx, { id }, never);
    expect(await story(streamKey)).toEqual(['question', 'result', 'done']);
    expect((await streams.read(streamKey, 1, 1))[0]?.data).toBe('"went on"');
  });

  it('takes one answer, to the question that it asked', async () => {
    const { id, key } = await begin(asking);
    await trial.work(ctx, { id }, never);
    const resume = (name: string) => db.transaction().execute((tx) => trial.resume(ctx, tx, key, { name, decision: { yes: false } }));
    expect([await resume('another'), await resume('go-on'), await resume('go-on')]).toEqual([false, true, false]);
  });
});

describe('a run of an earlier version', () => {
  const asking: Work = async (stage) => (await stage.ask<{ answer: string }>('colour', { of: ['red'] }, async () => [])).answer;
  const today = kindOf('trial', {
    version: 2,
    upcasts: {
      1: (held) => ({ ...held, decisions: Object.fromEntries(Object.entries(held.decisions).map(([name, answer]) => [name, { answer }])) }),
    },
  });
  const resume = (kind: typeof trial, key: string, decision: unknown) =>
    db.transaction().execute((tx) => kind.resume(ctx, tx, key, { name: 'colour', decision }));

  it('goes on with what was decided before, in today’s shape', async () => {
    const { id, key, streamKey } = await begin(asking);
    await trial.work(ctx, { id }, never);
    await resume(trial, key, 'red');
    expect(await findRun(db, key)).toMatchObject({ version: 1, decisions: { colour: 'red' } });
    await today.work(ctx, { id }, never);
    expect((await streams.read(streamKey, 0, 1))[0]?.data).toBe('"red"');
  });

  it('is decided on in today’s shape', async () => {
    const { id, key, streamKey } = await begin(asking);
    await trial.work(ctx, { id }, never);
    expect(await resume(today, key, { answer: 'blue' })).toBe(true);
    expect(await findRun(db, key)).toMatchObject({ version: 2, decisions: { colour: { answer: 'blue' } } });
    await today.work(ctx, { id }, never);
    expect((await streams.read(streamKey, 0, 1))[0]?.data).toBe('"blue"');
  });

  it('is not worked by an earlier program once a later one wrote it', async () => {
    const { id, key } = await begin(asking, { kind: today });
    await expect(trial.work(ctx, { id }, never)).rejects.toThrow(`run ${key}: version 2 was written by a newer program`);
  });
});

describe('runs on one stream', () => {
  it('end it with the last of them', async () => {
    const first = await begin(async () => 'first');
    const second = await begin(async () => 'second', { id: `${first.id}/second` });
    await trial.work(ctx, { id: first.id }, never);
    expect(await story(first.streamKey)).toEqual(['result']);
    await trial.work(ctx, { id: second.id }, never);
    expect(await story(first.streamKey)).toEqual(['result', 'result', 'done']);
  });

  it('go on with it where it had ended, under the same numbers', async () => {
    const first = await begin(async () => 'first');
    await trial.work(ctx, { id: first.id }, never);
    const second = await begin(async () => 'second', { id: `${first.id}/second` });
    await trial.work(ctx, { id: second.id }, never);
    expect((await streams.read(first.streamKey, 0, 9)).map(({ seq, event }) => `${String(seq)} ${event}`)).toEqual([
      '1 result',
      '2 result',
      '3 done',
    ]);
  });

  it('are not worked again by a worker that looked before another one ended them', async () => {
    let worked = 0;
    const first = await begin(async () => `time ${String((worked += 1))}`);
    await begin(async () => 'second', { id: `${first.id}/second` });
    meanwhile.set(first.id, () => trial.work(ctx, { id: first.id }, never));
    await trial.work(ctx, { id: first.id }, never);
    expect(await story(first.streamKey)).toEqual(['result']);
    expect(await findRun(db, first.key)).toBeNull();
    expect(worked).toBe(1);
  });

  it('do not cut each other off', async () => {
    const gate = newGate();
    const release = gate.close();
    const first = await begin(async (stage) => {
      await gate.pass();
      await stage.progress('still mine');
      return 'first';
    });
    const second = await begin(async () => 'second', { id: `${first.id}/second` });
    const running = trial.work(ctx, { id: first.id }, never);
    await expect.poll(() => gate.entered()).toBe(1);
    await trial.work(ctx, { id: second.id }, never);
    release();
    await running;
    expect(await story(first.streamKey)).toEqual(['result', 'progress', 'result', 'done']);
  });
});

describe('a run whose model is gone', () => {
  it('warns of it although it was killed while that was settled', async () => {
    const engines = new Map<string, EngineChoice>();
    let killed = true;
    const warnings: (readonly string[])[] = [];
    const worked = defineRun({
      name: 'trial-engine',
      noun: 'trial',
      job: defineJob({ name: 'trial-engine.run', payload: z.object({ id: z.string() }) }),
      find: async (_db, { id }) => ({ id }),
      streamOf: ({ id }) => `trial:${id}`,
      userOf: () => 'u',
      engine: {
        of: ({ id }) => engines.get(id),
        settle: async (_db, { id }, choice) => {
          engines.set(id, choice);
          if (killed) throw new Error('killed');
          return choice;
        },
      },
      pipeline: definePipeline<object>('trial-engine')
        .stage({ name: 'only', run: async () => 'done' })
        .build(),
      open: async () => ({}),
      announce: () => [],
      complete: async (_ctx, _tx, _row, done) => {
        warnings.push(done.warnings);
        return [];
      },
      fail: async () => {},
    });
    const id = randomUUID();
    engines.set(id, { provider: 'llm_a', model: 'm-1' });
    await streams.open(db, `trial:${id}`);
    await expect(worked.work(ctx, { id }, never)).rejects.toThrow('killed');
    killed = false;
    await worked.work(ctx, { id }, never);
    expect(warnings).toEqual([['The model m-1 is no longer configured; the rules did this instead.']]);
  });
});

describe('cancelling', () => {
  it('ends a run at once, tells why, and reaches its worker', async () => {
    const gate = newGate();
    gate.close();
    const { id, key, streamKey } = await begin(async (stage) => (await gate.pass(stage.signal), 'late'));
    const running = trial.work(ctx, { id }, never);
    await expect.poll(() => gate.entered()).toBe(1);
    await db.transaction().execute((tx) => trial.cancel(ctx, tx, key));
    await running;
    expect(await stateOf(id)).toBe('CANCELLED');
    expect(await story(streamKey)).toEqual(['error', 'done']);
  });

  it('reaches the runs that were begun for it, of whatever kind', async () => {
    const child = kindOf('trial-child');
    const parent = await begin(async () => 'parent');
    const own = await begin(async () => 'child', { kind: child, parentKey: parent.key });
    const grandchild = await begin(async () => 'grandchild', { kind: child, parentKey: own.key });
    await db.transaction().execute((tx) => cancelFamily(ctx, tx, [trial, child], parent.key));
    expect(await Promise.all([parent, own, grandchild].map(({ id }) => stateOf(id)))).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
    for (const { streamKey } of [parent, own, grandchild]) expect(await story(streamKey)).toEqual(['error', 'done']);
  });
});
