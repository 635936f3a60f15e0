/** The kinds of failure the product knows. Each door (HTTP, stream, job) maps them once. */
export type ErrorKind =
  | 'malformed'
  | 'invalid'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported'
  | 'rate_limited'
  | 'upstream'
  | 'unavailable'
  | 'internal';

export type ErrorDetail = string | { code: string; message: string };

export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly detail: ErrorDetail;
  /** Seconds after which trying again makes sense; only for `rate_limited` and `unavailable`. */
  readonly retryAfter: number | undefined;

  constructor(kind: ErrorKind, detail: ErrorDetail, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(typeof detail === 'string' ? detail : detail.message, { cause: options.cause });
    this.name = 'AppError';
    this.kind = kind;
    this.detail = detail;
    this.retryAfter = options.retryAfter;
  }
}

export const malformed = (detail: string) => new AppError('malformed', detail);
export const invalid = (detail: string) => new AppError('invalid', detail);
export const unauthenticated = (detail: string) => new AppError('unauthenticated', detail);
export const paymentRequired = (code: string, message: string) => new AppError('payment_required', { code, message });
export const forbidden = (detail: string) => new AppError('forbidden', detail);
export const notFound = (what: string) => new AppError('not_found', `${what} not found`);
export const conflict = (detail: string) => new AppError('conflict', detail);
export const tooLarge = (detail: string) => new AppError('too_large', detail);
export const unsupported = (detail: string) => new AppError('unsupported', detail);
export const rateLimited = (retryAfter: number) => new AppError('rate_limited', `Rate limit exceeded. Try again in ${retryAfter} s.`, { retryAfter });
export const upstream = (detail: string, cause?: unknown) => new AppError('upstream', detail, { cause });
export const unavailable = (detail: string, retryAfter?: number) =>
  new AppError('unavailable', detail, retryAfter === undefined ? {} : { retryAfter });

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
