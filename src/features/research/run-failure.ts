import type { RunError } from './schema.ts';

/** Ends a run with an error that its stream, its status and its owner are told. */
export class RunFailure extends Error {
  override name = 'RunFailure';
  readonly error: RunError;

  constructor(error: RunError, options?: ErrorOptions) {
    super(error.message, options);
    this.error = error;
  }
}

export const emptyInput = () =>
  new RunFailure({ code: 'EMPTY_INPUT', message: 'The text does not describe a product idea that could be researched.', retryable: false });

export const emptyOutput = (why: string) =>
  new RunFailure({ code: 'EMPTY_OUTPUT', message: `No evidence was found for this idea. ${why}`.trim(), retryable: false, evidence_count: 0 });

export const modelEmpty = (evidenceCount: number) =>
  new RunFailure({
    code: 'MODEL_EMPTY_DESPITE_EVIDENCE',
    message: 'Evidence was found, but nothing in it could be recognised as a product of this market.',
    retryable: false,
    evidence_count: evidenceCount,
  });

export const modelGone = (provider: string) =>
  new RunFailure({ code: 'LLM_FAILED', message: `The research began with the model ${provider}, which is no longer configured.`, retryable: false });
