import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { traced } from '../observability/tracing.ts';
import { asSuperseded, SupersededError, type EventLog, type NewEvent } from '../streams/event-log.ts';
import type { KeepingRun, Pipeline, Stage, StageRun, Usage } from './define-pipeline.ts';

/** What the feature that owns the run's rows adds to the runner's own writes. */
export type RunRecord<Input, Outputs> = {
  /** Key of the run's stream; its checkpoints carry it too. */
  key: string;
  input: Input;
  /** The row update that goes with entering a stage, as one SQL statement. */
  entering(stage: string): RawBuilder<unknown>;
  /** Writes what the run produced; in the transaction that appends the events it gives and closes the stream. */
  complete(tx: Tx, outputs: Outputs, usage: UsageByStage): Promise<NewEvent[]>;
  /** Writes the failure; in the transaction that appends the events it gives and closes the stream. */
  fail(tx: Tx, error: unknown, stage: string): Promise<NewEvent[]>;
  /** Whether trying the same stage again may help (a database that went away); such a throw reaches the job queue. */
  isTransient?(error: unknown): boolean;
  /** The events that tell of a stage; `stage {name, status}` unless the interface of this stream says otherwise. */
  announce?(stage: string, status: StageStatus): NewEvent[];
  /** Whether a completed run ends its stream; it does unless other work still writes to it. In the run's last transaction. */
  endsStream?(tx: Tx): Promise<boolean>;
};

export type StageStatus = 'started' | 'completed' | 'failed';

export type UsageByStage = Record<string, Usage>;

type Needs = { db: Db; streams: EventLog; log: Logger; metrics: Metrics };

/**
 * Works a run from its first stage without a checkpoint to its end.
 *
 * Leaving one stage and entering the next is one statement: the checkpoint, the events of both and the row update
 * are committed together or not at all. Whoever runs it again after a crash starts with the stage that was cut, and no
 * event is doubled. A run that another worker claimed, that was deleted or cancelled, stops at its next write.
 */
export async function runPipeline<Input, Outputs>(
  needs: Needs,
  pipeline: Pipeline<Input, Outputs>,
  record: RunRecord<Input, Outputs>,
  signal: AbortSignal,
): Promise<void> {
  const { db, streams, log, metrics } = needs;
  const writer = await streams.claim(db, record.key);
  if (writer === null) return;
  const done = await loadCheckpoints(db, record.key);
  const stages = pipeline.stages as readonly Stage<Input, unknown, unknown>[];
  const whole = (name: string): boolean => stages.some((stage) => stage.name === name);
  const outputs = ofStages(done.outputs, whole);
  const usage: UsageByStage = ofStages(done.usage, whole);
  const tell = (name: string, status: StageStatus): NewEvent[] => record.announce?.(name, status) ?? [{ event: 'stage', data: { name, status } }];

  try {
    const first = stages.findIndex((stage) => !(stage.name in outputs));
    // The start of a later stage was announced together with the end of the one before it.
    if (first === 0 && !done.announced) await enter(needs, record, stages[0]?.name ?? '', writer, tell(stages[0]?.name ?? '', 'started'));
    for (const [index, stage] of stages.entries()) {
      if (stage.name in outputs) continue;
      signal.throwIfAborted();
      const startedAt = new Date();
      const spent: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
      const details = stageWork(needs, { key: record.key, stage: stage.name, writer, signal, spent, done });
      let failed: unknown;
      let outcome = 'completed';
      try {
        outputs[stage.name] = await traced(`${pipeline.name} ${stage.name}`, { 'run.key': record.key }, () =>
          stage.run(record.input, outputs, details),
        );
      } catch (error) {
        outcome = 'failed';
        if (signal.aborted || error instanceof SupersededError || record.isTransient?.(error)) throw error;
        if (!stage.otherwise) {
          await finish(needs, record, writer, async (tx) => ({
            events: [...tell(stage.name, 'failed'), ...(await record.fail(tx, error, stage.name))],
            ends: true,
          }));
          log.info({ err: error, run: record.key, stage: stage.name }, 'run failed');
          return;
        }
        failed = error;
        outputs[stage.name] = stage.otherwise(error, record.input, outputs);
        log.warn({ err: error, run: record.key, stage: stage.name }, 'stage failed, the run goes on');
      } finally {
        metrics.stages.observe({ pipeline: pipeline.name, stage: stage.name, outcome }, (Date.now() - startedAt.getTime()) / 1000);
      }
      usage[stage.name] = spent;
      const ended = tell(stage.name, failed === undefined ? 'completed' : 'failed');
      const next = stages[index + 1];
      if (next) {
        await advance(needs, record, { stage: stage.name, output: outputs[stage.name], usage: spent, startedAt, next: next.name }, writer, [
          ...ended,
          ...tell(next.name, 'started'),
        ]);
      } else {
        await finish(needs, record, writer, async (tx) => ({
          events: [...ended, ...(await record.complete(tx, outputs as Outputs, usage))],
          ends: (await record.endsStream?.(tx)) ?? true,
        }));
      }
    }
  } catch (error) {
    // Somebody else has it, or it was stopped: nothing is left to do here.
    if (error instanceof SupersededError) return;
    throw error;
  }
}

const ofStages = <T>(kept: Record<string, T>, whole: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => whole(name)));

type Claimed = { key: string; writer: number; signal: AbortSignal };

function stageRun({ db, streams }: Needs, { key, writer, signal }: Claimed, spent: Usage): StageRun {
  const emit = async (event: NewEvent) => void (await streams.append(db, key, [event], { writer }));
  return {
    signal,
    attempt: writer,
    emit,
    progress: (message) => emit({ event: 'progress', data: { message } }),
    spend: (usage) => add(spent, usage),
  };
}

const add = (sum: Usage, more: Usage): void => {
  sum.calls += more.calls;
  sum.inputTokens += more.inputTokens;
  sum.outputTokens += more.outputTokens;
};

/** Names a part's checkpoint; no stage has a slash in its name. */
const partKey = (stage: string, part: string): string => `${stage}/${part}`;

function stageWork(needs: Needs, run: Claimed & { stage: string; spent: Usage; done: Checkpoints }): KeepingRun {
  const { db, streams } = needs;
  const { key, stage, writer, spent, done } = run;
  const keep: KeepingRun['keep'] = (write) =>
    fenced(
      db.transaction().execute(async (tx) => {
        const events = await write(tx);
        await streams.append(tx, key, events, { writer });
      }),
    );
  return {
    ...stageRun(needs, run, spent),
    keep,
    part: async (name, work) => {
      const place = partKey(stage, name);
      const before = done.usage[place];
      if (before) add(spent, before);
      if (place in done.outputs) return done.outputs[place] as never;
      const startedAt = new Date();
      const own: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
      const { output, events } = await work(stageRun(needs, run, own));
      await keep(async (tx) => {
        await sql`with ${keeping(key, { stage: place, output, usage: own, startedAt })} select`.execute(tx);
        return [...events];
      });
      add(spent, own);
      return output;
    },
  };
}

async function enter<I, O>({ db, streams }: Needs, record: RunRecord<I, O>, stage: string, writer: number, events: NewEvent[]): Promise<void> {
  await fenced(sql`with own as (${record.entering(stage)}) select ${streams.appending(record.key, events, { writer })}`.execute(db));
}

async function advance<I, O>(
  { db, streams }: Needs,
  record: RunRecord<I, O>,
  step: Step & { next: string },
  writer: number,
  events: NewEvent[],
): Promise<void> {
  await fenced(
    sql`with own as (${record.entering(step.next)}), ${keeping(record.key, step)}
      select ${streams.appending(record.key, events, { writer })}`.execute(db),
  );
}

type Ending = { events: NewEvent[]; ends: boolean };

type Step = { stage: string; output: unknown; usage: Usage; startedAt: Date };

const keeping = (key: string, { stage, output, usage, startedAt }: Step): RawBuilder<unknown> => sql`
  kept as (insert into checkpoints (run_key, stage, output, usage, started_at)
    values (${key}, ${stage}, ${JSON.stringify(output ?? null)}, ${JSON.stringify(usage)}, ${startedAt}))`;

async function finish<I, O>({ db, streams }: Needs, record: RunRecord<I, O>, writer: number, write: (tx: Tx) => Promise<Ending>): Promise<void> {
  await fenced(
    db.transaction().execute(async (tx) => {
      const { events, ends } = await write(tx);
      const last = ends ? [...events, { event: 'done', data: {} }] : events;
      await sql`with gone as (delete from checkpoints where run_key = ${record.key})
        select ${streams.appending(record.key, last, { writer, close: ends })}`.execute(tx);
    }),
  );
}

async function fenced<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw asSuperseded(error);
  }
}

/** What earlier tries of the run have done, and whether its first stage was announced. */
type Checkpoints = { outputs: Record<string, unknown>; usage: UsageByStage; announced: boolean };

async function loadCheckpoints(db: Db, key: string): Promise<Checkpoints> {
  const { rows } = await sql<{ stage: string | null; output: unknown; usage: Usage | null; announced: boolean }>`
    select c.stage, c.output, c.usage,
           exists (select from stream_events where stream_key = ${key} and event = 'stage') as announced
      from (select ${key} as key) run left join checkpoints c on c.run_key = run.key order by c.finished_at`.execute(db);
  const outputs: Record<string, unknown> = {};
  const usage: UsageByStage = {};
  for (const row of rows) {
    if (row.stage === null) continue;
    outputs[row.stage] = row.output;
    if (row.usage) usage[row.stage] = row.usage;
  }
  return { outputs, usage, announced: rows[0]?.announced ?? false };
}
