import { sql, type RawBuilder } from 'kysely';
import type { AppContext } from '../context.ts';
import { isDeadlocked, isUnreachable, type Db, type Tx } from '../db/database.ts';
import { worked, type Job, type WorkedJob } from '../jobs/define-job.ts';
import type { EngineChoice, Model } from '../llm/models.ts';
import { SupersededError, type NewEvent } from '../streams/event-log.ts';
import type { Pipeline } from './define-pipeline.ts';
import { Paused } from './paused.ts';
import { RunFailure, type RunError } from '#lib/run-failure.ts';
import { modelGone, runErrorOf, standInWarning } from './run-errors.ts';
import { runPipeline, type Left, type RunRecord, type StageStatus, type UsageByStage } from './run-pipeline.ts';
import { addWarning, beginRun, claimRun, findRun, listFamily, lockRun, seizeRun, storeDecision, type NewRun, type RunRow } from './run-store.ts';
import { liftRun, type RunVersions } from './run-versions.ts';

/** What a run is told of how it is worked: by which model, and what its result has to warn of. */
export type Engine = { model: Model | null; warnings: readonly string[] };

/** What a feature says of one kind of run. `Row` is its own row, `Input` what its stages work with. */
export type RunDefinition<Payload, Row, Input, Outputs> = RunVersions & {
  /** Stands in logs, metrics and the ledger of model calls. */
  name: string;
  /** What a failure calls it: `The <noun> failed during …`. */
  noun: string;
  job: Job<Payload>;
  /** Key of the stream it writes to. */
  streamOf(payload: Payload): string;
  /** Key of the run where it is not the only one of its stream; begins with the stream's. */
  keyOf?(payload: Payload): string;
  /** The row, while there is something to do. */
  find(db: Db | Tx, payload: Payload): Promise<Row | null>;
  userOf(row: Row): string;
  /** Where the feature keeps which model the run began with; without it the run takes what there is whenever it is worked. */
  engine?: {
    /** Undefined before the run was worked for the first time. */
    of(row: Row): EngineChoice | undefined;
    /** Keeps the choice and gives the one that holds: an earlier one unless it is to be replaced. */
    settle(db: Db, row: Row, choice: EngineChoice, replace: boolean): Promise<EngineChoice>;
  };
  pipeline: Pipeline<Input, Outputs>;
  /**
   * What the stages work with.
   * @throws RunFailure when the run cannot begin
   */
  open(ctx: AppContext, row: Row, engine: Engine): Promise<Input>;
  /** The update of the feature's row that goes with entering a stage; `left` is the stage before with what it gave. */
  entering?(row: Row, stage: string, left?: Left): RawBuilder<unknown>;
  /** The events that tell of a stage, with its output once it has ended; `stage {name, status}` without it. */
  announce?(stage: string, status: StageStatus, output?: unknown): NewEvent[];
  /** The stage that a run was in that its workers gave up on. */
  stageOf?(row: Row): string;
  /** Writes the result; gives the last events. Null when more was asked for meanwhile: the run goes on with its next job. */
  complete(
    ctx: AppContext,
    tx: Tx,
    row: Row,
    done: { outputs: Outputs; usage: UsageByStage; warnings: readonly string[] },
  ): Promise<NewEvent[] | null>;
  /** Writes the failure, and publishes it; `error` itself is told on the stream by the platform. */
  fail(ctx: AppContext, tx: Tx, row: Row, error: RunError, stage: string): Promise<void>;
};

/** A kind of run that can be begun, worked, decided on, given up and cancelled. */
export type Run<Payload = unknown> = {
  name: string;
  /**
   * Opens the run in the transaction that asks for it, after its stream, and queues its work.
   * @param options.parentKey key of the run that it is begun for
   */
  begin(ctx: Pick<AppContext, 'queue'>, tx: Tx, payload: Payload, options?: { parentKey?: string }): Promise<void>;
  /** The background job that works it. @param ctx read when the job runs */
  job(ctx: () => AppContext): WorkedJob;
  /** Works one run until it ends or pauses, from wherever an earlier worker left it. */
  work(ctx: AppContext, payload: Payload, signal: AbortSignal): Promise<void>;
  /** Ends a run that its workers gave up on, so that nobody waits for it. */
  giveUp(ctx: AppContext, payload: Payload, error: unknown): Promise<void>;
  /** Answers what a paused run waits for and queues it again; false when it does not wait for that. */
  resume(ctx: Pick<AppContext, 'queue'>, tx: Tx, key: string, answer: { name: string; decision: unknown }): Promise<boolean>;
  /** Ends a run because somebody asked for that; whoever works it stops at its next write. */
  cancel(ctx: AppContext, tx: Tx, key: string): Promise<void>;
};

/** Topic that tells the worker of a run to look whether the run is still its own. */
const topicOf = (key: string): string => `r:${key}`;

/** Declares a kind of run: how it is found, by whom it is worked, what its stages are, and what its end writes. */
export function defineRun<Payload, Row, Input, Outputs>(definition: RunDefinition<Payload, Row, Input, Outputs>): Run<Payload> {
  const { name, job } = definition;
  const runOf = (payload: Payload): NewRun => {
    const streamKey = definition.streamOf(payload);
    return { key: definition.keyOf?.(payload) ?? streamKey, streamKey, kind: name, version: definition.version ?? 1, payload };
  };
  const claimLifted = async (on: Db | Tx, payload: Payload): Promise<RunRow | null> => {
    const claim = await claimRun(on, runOf(payload));
    return claim && liftRun(on, claim, definition);
  };
  const run: Run<Payload> = {
    name,
    begin: async ({ queue }, tx, payload, options) => {
      await beginRun(tx, { ...runOf(payload), ...options });
      await queue.send(tx, job, payload);
    },
    job: (ctx) =>
      worked(
        job,
        (payload, { signal }) => run.work(ctx(), payload, signal),
        (payload, error) => run.giveUp(ctx(), payload, error),
      ),
    work: async (ctx, payload, signal) => {
      const claim = await claimLifted(ctx.db, payload);
      if (!claim) return;
      await unlessSuperseded(async () => {
        // Looked at under the claim: whoever ended the run before has written so.
        const row = await definition.find(ctx.db, payload);
        if (row) await workClaimed(ctx, definition, row, claim, signal);
        else await endEmpty(ctx, ctx.db, claim);
      });
    },
    giveUp: (ctx, payload, error) =>
      ctx.db.transaction().execute(async (tx) => {
        const claim = await claimLifted(tx, payload);
        if (claim) await endClaimed(ctx, definition, tx, { payload, claim, error });
      }),
    resume: async ({ queue }, tx, key, answer) => {
      const asking = await lockRun(tx, key);
      if (asking) await liftRun(tx, asking, definition);
      const waiting = await storeDecision(tx, key, answer.name, answer.decision);
      if (waiting) await queue.send(tx, job, waiting.payload as Payload);
      return waiting !== null;
    },
    cancel: async (ctx, tx, key) => {
      const seized = await seizeRun(tx, key);
      if (!seized) return;
      const claim = await liftRun(tx, seized, definition);
      await sql`select pg_notify('groundwork', ${topicOf(key)})`.execute(tx);
      const error = new RunFailure({ code: 'CANCELLED', message: `The ${definition.noun} was cancelled.`, retryable: false });
      await endClaimed(ctx, definition, tx, { payload: job.payload.parse(claim.payload), claim, error });
    },
  };
  return run;
}

/** Cancels a run with the runs that were begun for it, those first. @param kinds those that may be among them */
export async function cancelFamily(ctx: AppContext, tx: Tx, kinds: readonly Run<never>[], key: string): Promise<void> {
  for (const member of await listFamily(tx, key)) await kinds.find(({ name }) => name === member.kind)?.cancel(ctx, tx, member.key);
}

async function workClaimed<P, Row, I, O>(
  ctx: AppContext,
  definition: RunDefinition<P, Row, I, O>,
  row: Row,
  claim: RunRow,
  signal: AbortSignal,
): Promise<void> {
  const taken = new AbortController();
  const stopWatching = ctx.wakeups.on(topicOf(claim.key), () => {
    findRun(ctx.db, claim.key).then(
      (now) => now?.writer === claim.writer || taken.abort(),
      () => {},
    );
  });
  try {
    const engine = await settleEngine(ctx, definition, row, claim);
    const input = await definition.open(ctx, row, engine);
    const record: RunRecord<I, O> = {
      input,
      entering: (stage, left) => definition.entering?.(row, stage, left) ?? sql`select 1`,
      ...(definition.announce ? { announce: definition.announce } : {}),
      complete: (tx, outputs, usage) => definition.complete(ctx, tx, row, { outputs, usage, warnings: engine.warnings }),
      fail: (tx, error, stage) => failed(ctx, definition, tx, { row, error, stage }),
      isTransient: (error) => isUnreachable(error) || isDeadlocked(error),
    };
    await runPipeline(ctx, definition.pipeline, record, claim, AbortSignal.any([signal, taken.signal]));
  } catch (error) {
    if (error instanceof Paused || taken.signal.aborted) return;
    if (!(error instanceof RunFailure)) throw error;
    await ctx.db.transaction().execute((tx) => endFailed(ctx, definition, tx, { row, claim, error, stage: undefined }));
  } finally {
    stopWatching();
  }
}

/**
 * The model that works a run: the one it began with. One that is gone is stood in for by the rules, with a warning, while
 * nothing was paid for; afterwards the run fails, since its result would be of two minds.
 */
async function settleEngine<P, Row, I, O>(
  ctx: AppContext,
  { name, noun, engine, userOf }: RunDefinition<P, Row, I, O>,
  row: Row,
  claim: RunRow,
): Promise<Engine> {
  const models = await ctx.models.forUser(userOf(row), { feature: name, runKey: claim.key });
  if (!engine) return { model: models.preferred, warnings: claim.warnings };
  const begun = engine.of(row);
  const choice = begun === undefined ? await engine.settle(ctx.db, row, choiceOf(models.preferred), false) : begun;
  if (choice === null) return { model: null, warnings: claim.warnings };
  const model = models.chosen(choice);
  if (model) return { model, warnings: claim.warnings };
  if (await ctx.modelCalls.paidFor(ctx.db, claim.key)) throw modelGone(noun, choice.model);
  const warning = standInWarning(choice.model);
  const isWarned = claim.warnings.includes(warning);
  // Before the engine changes: a run that is taken up again sees the rules and would not know why.
  if (!isWarned) await addWarning(ctx.db, claim.key, claim.writer, warning);
  await engine.settle(ctx.db, row, null, true);
  return { model: null, warnings: isWarned ? claim.warnings : [...claim.warnings, warning] };
}

const choiceOf = (model: Model | null): EngineChoice => (model ? { provider: model.provider, model: model.model } : null);

type Failing<Row> = { row: Row; error: unknown; stage: string | undefined };

/** Writes the failure; gives the event that tells of it. */
async function failed<P, Row, I, O>(
  ctx: AppContext,
  definition: RunDefinition<P, Row, I, O>,
  tx: Tx,
  { row, error: thrown, stage }: Failing<Row>,
): Promise<NewEvent[]> {
  const error = runErrorOf(thrown, definition.noun, stage);
  await definition.fail(ctx, tx, row, error, stage ?? '');
  return [{ event: 'error', data: error }];
}

async function endFailed<P, Row, I, O>(
  ctx: AppContext,
  definition: RunDefinition<P, Row, I, O>,
  tx: Tx,
  failing: Failing<Row> & { claim: RunRow },
): Promise<void> {
  const { claim } = failing;
  await ctx.streams.append(tx, claim.stream_key, await failed(ctx, definition, tx, failing), { run: claim, close: true });
}

/** Ends a run from outside of its stages, as failed where there is still something that can fail. */
async function endClaimed<P, Row, I, O>(
  ctx: AppContext,
  definition: RunDefinition<P, Row, I, O>,
  tx: Tx,
  { payload, claim, error }: { payload: P; claim: RunRow; error: unknown },
): Promise<void> {
  const row = await definition.find(tx, payload);
  if (row) await endFailed(ctx, definition, tx, { row, claim, error, stage: definition.stageOf?.(row) });
  else await endEmpty(ctx, tx, claim);
}

/** Somebody else has the run, or it was stopped or deleted: nothing is left to do. */
async function unlessSuperseded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof SupersededError)) throw error;
  }
}

/** Ends a run that has nothing to do any more. */
const endEmpty = async ({ streams }: Pick<AppContext, 'streams'>, tx: Db | Tx, claim: RunRow): Promise<void> =>
  void (await streams.append(tx, claim.stream_key, [], { run: claim, close: true }));
