import type { z } from 'zod';

export type Turn = { role: 'user' | 'assistant'; content: string };

/** A question to be answered with text, as it is written. */
export type TextCall = {
  /** Names the call in logs, metrics, the ledger and tests. */
  name: string;
  system: string;
  /** The conversation so far; the last turn is the user's. */
  turns: readonly Turn[];
  signal: AbortSignal;
  maxOutputTokens?: number;
  /** How long the whole answer may take; the installation's limit for one request without, in a loop that of all its steps. */
  seconds?: number;
};

/** `cut`: the answer stopped at a length limit; `filtered`: the provider held it back. */
export type TextPart = { kind: 'text'; text: string } | { kind: 'end'; reason: 'finished' | 'cut' | 'filtered' };

/** What a model can have done. Its input comes from the model and is data of strangers. */
export type Tool<I = unknown> = {
  description: string;
  input: z.ZodType<I>;
  /** How long one run may take; the installation's limit for one request without. */
  seconds?: number;
  /**
   * Gives JSON, which the model is told: text from outside has to be fenced.
   * @throws AppError whose words the model is told; of anything else it learns that the tool failed
   */
  run(input: I, about: { callId: string; signal: AbortSignal }): Promise<unknown>;
};

/** Lets the input of `run` follow from the schema. */
export const defineTool = <I>(tool: Tool<I>): Tool => tool;

type ProposedCall = { callId: string; tool: string; input: unknown };

/** Whether a call is run, refused with a reason that the model is told, or put to a person. */
export type Verdict = 'run' | 'ask' | { refused: string };

/** What a person decided on a call that was put to them. */
export type Decision = { questionId: string; approved: boolean; reason?: string };

/** A loop so far, as JSON text to store for whoever goes on with it later, or as a JSON column gives it back; nobody else reads in it. */
type Transcript = string | object;

export type ToolsCall = TextCall & {
  tools: Readonly<Record<string, Tool>>;
  /** Requests to the model, and tokens over all of them (in and out); the loop ends with the step that uses them up. */
  budget: { steps: number; tokens: number };
  /** Asked before each run; without it everything runs. */
  approve?(call: ProposedCall): Verdict | Promise<Verdict>;
  /** The transcript of an earlier `end`, and the decisions on what it asked. New turns follow behind. */
  transcript?: Transcript;
  decisions?: readonly Decision[];
};

/** `asked`: calls wait for a decision; `steps`, `tokens`: the budget was used up before the model was done. */
export type LoopEnd = 'finished' | 'cut' | 'filtered' | 'asked' | 'steps' | 'tokens';

export type ToolsPart =
  | { kind: 'text'; text: string }
  | ({ kind: 'call' } & ProposedCall)
  | { kind: 'question'; questionId: string; callId: string; tool: string; input: unknown }
  | { kind: 'result'; callId: string; tool: string; output: unknown }
  | { kind: 'failed'; callId: string; tool: string; problem: string }
  | { kind: 'refused'; callId: string; tool: string }
  | { kind: 'step' }
  | { kind: 'end'; reason: LoopEnd; steps: number; transcript: string };
