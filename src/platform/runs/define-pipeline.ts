import type { Tx } from '../db/database.ts';
import type { Usage } from '../llm/models.ts';
import type { NewEvent } from '../streams/event-log.ts';

/** What a stage is given besides its input. */
export type StageRun = {
  signal: AbortSignal;
  /** How many times this run was taken up, from 1. */
  attempt: number;
  /** Appends one event to the run's stream now. */
  emit(event: NewEvent): Promise<void>;
  progress(message: string): Promise<void>;
  /** Counts model calls and tokens towards this stage. */
  spend(usage: Usage): void;
};

/** What a stage of a running pipeline can do besides: keep parts of its result before all of it is there. */
export type KeepingRun = StageRun & {
  /** Writes a partial result and appends the events it gives, in one transaction and only while this run holds its claim. */
  keep(write: (tx: Tx) => Promise<NewEvent[]>): Promise<void>;
  /**
   * Works one part of the stage, whose name is its own within the stage. Its output and its events are committed together:
   * a run that is taken up again is given the output without `work`, and no event is doubled. Parts may run side by side.
   */
  part<T>(name: string, work: (part: StageRun) => Promise<{ output: T; events: readonly NewEvent[] }>): Promise<T>;
  /**
   * The decision on a question of that name. Until there is one the run pauses: the question is stored with the events
   * that `tell` gives, the worker is free, and the stage begins anew when somebody has decided.
   * @throws Paused, which a stage lets pass
   */
  ask<D>(name: string, question: unknown, tell: (tx: Tx) => Promise<NewEvent[]>): Promise<D>;
};

export type { Usage };

/** One step of a pipeline. `Before` holds the outputs of the earlier stages, by name. */
export type Stage<Input, Before, Output> = {
  name: string;
  /** The version of what the stage gives, from 1 (1 without), and what lifts each older one to the next. */
  version?: number;
  /** By version; `part` names the part of the stage whose output it is, null where it is the stage's own. */
  upcasts?: Readonly<Record<number, (output: unknown, part: string | null) => unknown>>;
  /** A stage whose failure does not fail the run: `otherwise` stands in for its output. */
  otherwise?: (error: unknown, input: Input, before: Before) => Output;
  run(input: Input, before: Before, stage: KeepingRun): Promise<Output>;
};

type AnyStage = Stage<never, never, unknown>;

/** The stages in their order; `Outputs` grows with each. */
export type Pipeline<Input, Outputs> = {
  name: string;
  stages: readonly AnyStage[];
  /** Never called: carries the types from the definition to the runner. */
  readonly types?: { input: Input; outputs: Outputs };
};

type Builder<Input, Outputs> = {
  stage<const N extends string, O>(stage: Stage<Input, Outputs, O> & { name: N }): Builder<Input, Outputs & { [K in N]: O }>;
  build(): Pipeline<Input, Outputs>;
};

/** `definePipeline<Input>('research').stage(interpret).stage(search)….build()`: each stage sees the types of those before it. */
export function definePipeline<Input>(name: string): Builder<Input, unknown> {
  const stages: AnyStage[] = [];
  const builder = {
    stage: (stage: AnyStage) => {
      stages.push(stage);
      return builder;
    },
    build: () => ({ name, stages }),
  };
  return builder as unknown as Builder<Input, unknown>;
}
