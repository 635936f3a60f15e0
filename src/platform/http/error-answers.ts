import { AppError, type ErrorKind } from '../../lib/errors.ts';
import { isDeadlocked, isUnreachable, isUnstorable } from '../db/database.ts';
import { SupersededError } from '../streams/event-log.ts';

const STATUS: Record<ErrorKind, number> = {
  malformed: 400,
  invalid: 422,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  internal: 500,
};

export type ErrorAnswer = { status: number; body: Record<string, unknown>; headers: Record<string, string> };

/** How anything thrown is answered: `{detail}`, with `request_id` on a 500 and `Retry-After` where trying again helps. */
export function answerTo(error: unknown, requestId: string): ErrorAnswer {
  if (error instanceof AppError) {
    const status = STATUS[error.kind];
    return {
      status,
      body: { detail: error.detail, ...(status === 500 ? { request_id: requestId } : {}) },
      headers: error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) },
    };
  }
  if (error instanceof SupersededError) return { status: 409, body: { detail: error.message }, headers: {} };
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { status: 413, body: { detail: 'The body is too large' }, headers: {} };
  if (code === 'FST_ERR_BAD_URL') return { status: 400, body: { detail: 'The address cannot be decoded' }, headers: {} };
  // No id and no token is that long.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return { status: 404, body: { detail: 'Not found' }, headers: {} };
  if (typeof code === 'string' && code.startsWith('FST_ERR_CTP')) {
    return { status: 400, body: { detail: 'The body must be JSON with content type application/json' }, headers: {} };
  }
  // Whatever else the framework blames on the request is no failure of ours.
  if (typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, body: { detail: 'The request is malformed' }, headers: {} };
  }
  if (isUnstorable(error)) return { status: 422, body: { detail: 'A text holds a character that cannot be stored' }, headers: {} };
  if (isDeadlocked(error)) return { status: 503, body: { detail: 'Others were changing the same; try again' }, headers: { 'retry-after': '1' } };
  if (isUnreachable(error)) return { status: 503, body: { detail: 'The database cannot be reached' }, headers: { 'retry-after': '2' } };
  return { status: 500, body: { detail: 'Internal error', request_id: requestId }, headers: {} };
}
