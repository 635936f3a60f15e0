/** Whoever counts users outside the service. */
export type Analytics = {
  /**
   * Says that an anonymous id and a user are one. Saying it again under the same id changes nothing.
   * @throws AnalyticsFailed, the signal's reason
   */
  alias(alias: Alias, signal: AbortSignal): Promise<void>;
};

export type Alias = { id: string; anonId: string; userId: string; at: Date };

/** It was not taken, or nobody knows; `retryAt` when the other side named a moment. */
export class AnalyticsFailed extends Error {
  override name = 'AnalyticsFailed';
  readonly retryAt: Date | undefined;

  constructor(sentence: string, { retryAt, cause }: { retryAt?: Date | undefined; cause?: unknown } = {}) {
    super(sentence, { cause });
    this.retryAt = retryAt;
  }
}
