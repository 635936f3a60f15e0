/** How a run ended that could not do what it was for, as its stream, its status and its owner are told. */
export type RunError = { code: string; message: string; retryable: boolean; evidence_count?: number };

/** Ends a run with an error that says what it is. */
export class RunFailure extends Error {
  override name = 'RunFailure';
  readonly error: RunError;

  constructor(error: RunError, options?: ErrorOptions) {
    super(error.message, options);
    this.error = error;
  }
}
