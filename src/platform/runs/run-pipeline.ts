import { sql, type RawBuilder } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { Logger } from '../observability/log.ts';
import { RetryLater } from '../jobs/retry-later.ts';
import type { Metrics } from '../observability/metrics.ts';
import { traced } from '../observability/tracing.ts';
import { asSuperseded, SupersededError, type EventLog, type NewEvent } from '../streams/event-log.ts';
import type { KeepingRun, Pipeline, Stage, StageRun, Usage } from './define-pipeline.ts';
import { runMetrics } from './run-metrics.ts';
import { Paused } from './paused.ts';
import { storeQuestion, type RunRow } from './run-store.ts';
import { storedUsage } from './stored-usage.ts';

/** What the feature that owns the run's rows adds to the runner's own writes. */
export type RunRecord<Input, Outputs> = {
  input: Input;
  /** The row update that goes with entering a stage, as one SQL statement; `left` is the stage before with what it gave. */
  entering(stage: string, left?: Left): RawBuilder<unknown>;
  /** Writes what the run produced; in the transaction that appends the events it gives and ends the run; null when the run is to go on. */
  complete(tx: Tx, outputs: Outputs, usage: UsageByStage): Promise<NewEvent[] | null>;
  /** Writes the failure; in the transaction that appends the events it gives and ends the run. */
  fail(tx: Tx, error: unknown, stage: string): Promise<NewEvent[]>;
  /** Whether trying the same stage again may help (a database that went away); such a throw reaches the job queue. */
  isTransient?(error: unknown): boolean;
  /** The events that tell of a stage; `stage {name, status}` unless the interface of this stream says otherwise. */
  announce?(stage: string, status: StageStatus, output?: unknown): NewEvent[];
};

/** A stage that ended and its output. */
export type Left = { stage: string; output: unknown };

export type StageStatus = 'started' | 'completed' | 'failed';

export type UsageByStage = Record<string, Usage>;

type Needs = { db: Db; streams: EventLog; log: Logger; metrics: Metrics };

/**
 * Works a run from its first stage without a checkpoint to its end.
 *
 * Leaving one stage and entering the next is one statement: the checkpoint, the events of both and the row update
 * are committed together or not at all. Whoever runs it again after a crash starts with the stage that was cut, and no
 * event is doubled. A run that another worker claimed, that was deleted or cancelled, stops at its next write.
 * The stream ends with the run unless another run still writes to it.
 * @param claim what `claimRun` gave
 * @throws Paused when a stage waits for a decision, RetryLater when it waits for a moment
 */
export async function runPipeline<Input, Outputs>(
  needs: Needs,
  pipeline: Pipeline<Input, Outputs>,
  record: RunRecord<Input, Outputs>,
  claim: RunRow,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, metrics } = needs;
  const { key } = claim;
  const stages = pipeline.stages as readonly Stage<Input, unknown, unknown>[];
  const done = await loadCheckpoints(db, claim, stages);
  const whole = (name: string): boolean => stages.some((stage) => stage.name === name);
  const outputs = ofStages(done.outputs, whole);
  const usage: UsageByStage = ofStages(done.usage, whole);
  const tell = (name: string, status: StageStatus, output?: unknown): NewEvent[] =>
    record.announce?.(name, status, output) ?? [{ event: 'stage', data: { name, status } }];

  try {
    const first = stages.findIndex((stage) => !(stage.name in outputs));
    // The start of a later stage was announced together with the end of the one before it.
    if (first === 0 && !done.announced) await enter(needs, record, stages[0]?.name ?? '', claim, tell(stages[0]?.name ?? '', 'started'));
    for (const [index, stage] of stages.entries()) {
      if (stage.name in outputs) continue;
      signal.throwIfAborted();
      const startedAt = new Date();
      const spent: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
      const details = stageWork(needs, { claim, stage, signal, spent, done });
      let failed: unknown;
      let outcome = 'completed';
      try {
        outputs[stage.name] = await traced(`${pipeline.name} ${stage.name}`, { 'run.key': key }, () => stage.run(record.input, outputs, details));
      } catch (error) {
        outcome = 'failed';
        if (signal.aborted || isForOthers(error) || record.isTransient?.(error)) throw error;
        if (!stage.otherwise) {
          await finish(needs, claim, async (tx) => [...tell(stage.name, 'failed'), ...(await record.fail(tx, error, stage.name))]);
          log.info({ err: error, run: key, stage: stage.name }, 'run failed');
          return;
        }
        failed = error;
        outputs[stage.name] = stage.otherwise(error, record.input, outputs);
        log.warn({ err: error, run: key, stage: stage.name }, 'stage failed, the run goes on');
      } finally {
        runMetrics(metrics).stages.observe({ pipeline: pipeline.name, stage: stage.name, outcome }, (Date.now() - startedAt.getTime()) / 1000);
      }
      usage[stage.name] = spent;
      const ended = tell(stage.name, failed === undefined ? 'completed' : 'failed', outputs[stage.name]);
      const next = stages[index + 1];
      if (next) {
        await advance(
          needs,
          record,
          { stage: stage.name, version: stage.version, output: outputs[stage.name], usage: spent, startedAt, next: next.name },
          claim,
          [...ended, ...tell(next.name, 'started')],
        );
      } else {
        await finish(needs, claim, async (tx) => {
          const last = await record.complete(tx, outputs as Outputs, usage);
          return last && [...ended, ...last];
        });
      }
    }
  } catch (error) {
    // Somebody else has it, or it was stopped: nothing is left to do here.
    if (error instanceof SupersededError) return;
    throw error;
  }
}

/** What a stage throws that is no failure of it: another worker has the run, or it goes on later. */
const isForOthers = (error: unknown): boolean => error instanceof SupersededError || error instanceof Paused || error instanceof RetryLater;

const ofStages = <T>(kept: Record<string, T>, whole: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(kept).filter(([name]) => whole(name)));

type Claimed = { claim: RunRow; signal: AbortSignal };

function stageRun({ db, streams }: Needs, { claim, signal }: Claimed, spent: Usage): StageRun {
  const emit = async (event: NewEvent) => void (await streams.append(db, claim.stream_key, [event], { run: claim }));
  return {
    signal,
    attempt: claim.writer,
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

function stageWork(needs: Needs, run: Claimed & { stage: VersionedStage; spent: Usage; done: Checkpoints }): KeepingRun {
  const { db, streams } = needs;
  const { claim, stage, spent, done } = run;
  const { key, writer } = claim;
  const keep: KeepingRun['keep'] = (write) =>
    fenced(
      db.transaction().execute(async (tx) => {
        const events = await write(tx);
        await streams.append(tx, claim.stream_key, events, { run: claim });
      }),
    );
  return {
    ...stageRun(needs, run, spent),
    keep,
    part: async (name, work) => {
      const place = partKey(stage.name, name);
      const before = done.usage[place];
      if (before) add(spent, before);
      if (place in done.outputs) return done.outputs[place] as never;
      const startedAt = new Date();
      const own: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };
      const { output, events } = await work(stageRun(needs, run, own));
      await keep(async (tx) => {
        // Taken first: the checkpoint refers to the run, and whoever ends it would wait for this one as this one for it.
        await sql`select from runs where key = ${key} and writer = ${claim.writer} for no key update`.execute(tx);
        await sql`with ${keeping(key, { stage: place, version: stage.version, output, usage: own, startedAt })} select`.execute(tx);
        return [...events];
      });
      add(spent, own);
      return output;
    },
    ask: async (name, question, tell) => {
      if (name in claim.decisions) return claim.decisions[name] as never;
      // Asked before and not answered yet: the readers know.
      if (claim.question?.name !== name) {
        await keep(async (tx) => {
          await storeQuestion(tx, key, writer, { name, question });
          return tell(tx);
        });
      }
      throw new Paused(key, name);
    },
  };
}

async function enter<I, O>({ db, streams }: Needs, record: RunRecord<I, O>, stage: string, claim: RunRow, events: NewEvent[]): Promise<void> {
  await fenced(sql`with own as (${record.entering(stage)}) select ${streams.appending(claim.stream_key, events, { run: claim })}`.execute(db));
}

async function advance<I, O>(
  { db, streams }: Needs,
  record: RunRecord<I, O>,
  step: Step & { next: string },
  claim: RunRow,
  events: NewEvent[],
): Promise<void> {
  await fenced(
    sql`with own as (${record.entering(step.next, step)}), ${keeping(claim.key, step)}
      select ${streams.appending(claim.stream_key, events, { run: claim })}`.execute(db),
  );
}

type Step = { stage: string; version: number | undefined; output: unknown; usage: Usage; startedAt: Date };

const keeping = (key: string, { stage, version = 1, output, usage, startedAt }: Step): RawBuilder<unknown> => sql`
  kept as (insert into checkpoints (run_key, stage, version, output, usage, started_at)
    values (${key}, ${stage}, ${version}, ${JSON.stringify(output ?? null)}, ${storedUsage.write(usage)}, ${startedAt}))`;

/** The run's checkpoints go with its row. */
async function finish({ db, streams }: Needs, claim: RunRow, write: (tx: Tx) => Promise<NewEvent[] | null>): Promise<void> {
  await fenced(
    db.transaction().execute(async (tx) => {
      const events = await write(tx);
      if (events) await streams.append(tx, claim.stream_key, events, { run: claim, close: true });
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

async function loadCheckpoints(db: Db, { key, stream_key: stream }: RunRow, stages: readonly VersionedStage[]): Promise<Checkpoints> {
  const { rows } = await sql<{ stage: string | null; version: number; output: unknown; usage: unknown; announced: boolean }>`
    select c.stage, c.version, c.output, c.usage,
           exists (select from stream_events where stream_key = ${stream} and event = 'stage') as announced
      from (select ${key} as key) run left join checkpoints c on c.run_key = run.key order by c.finished_at`.execute(db);
  const outputs: Record<string, unknown> = {};
  const usage: UsageByStage = {};
  for (const row of rows) {
    if (row.stage === null) continue;
    outputs[row.stage] = lifted({ ...row, stage: row.stage }, stages);
    if (row.usage) usage[row.stage] = storedUsage.read(row.usage);
  }
  return { outputs, usage, announced: rows[0]?.announced ?? false };
}

type VersionedStage = Pick<Stage<unknown, unknown, unknown>, 'name' | 'version' | 'upcasts'>;

/** The output of a stage or of a part of one in today's shape; what belongs to no stage any more stays as it is. */
function lifted({ stage: place, version, output }: { stage: string; version: number; output: unknown }, stages: readonly VersionedStage[]): unknown {
  const [name = '', ...rest] = place.split('/');
  const part = rest.length > 0 ? rest.join('/') : null;
  const stage = stages.find((stage) => stage.name === name);
  if (!stage) return output;
  const { version: today = 1, upcasts = {} } = stage;
  if (version > today) throw new Error(`checkpoint ${place}: version ${version} was written by a newer program; this one reads up to ${today}`);
  let value = output;
  for (let old = version; old < today; old += 1) {
    const upcast = upcasts[old];
    if (!upcast) throw new Error(`checkpoint ${place}: nothing lifts version ${old}`);
    value = upcast(value, part);
  }
  return value;
}
