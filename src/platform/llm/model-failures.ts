import { ModelError } from './models.ts';
import { parseRetryAfter, type Failure } from './retry.ts';

type ApiError = Error & { statusCode?: number; responseHeaders?: Record<string, string> };

/** What one failed request means: the error the caller is told, whether another try makes sense, and its name in the metrics. */
export type ModelFailure = Failure & { error: unknown; outcome: 'rate_limited' | 'failed' | 'refused' | 'unreachable' | 'timeout' | 'error' };

/** Messages hold the status alone: bodies may repeat keys and prompts. Anything that is no failed request stays what it is. */
export function failureOf(error: unknown): ModelFailure {
  if (error instanceof ModelError) return { error, again: false, retryAfter: undefined, outcome: error.reason === 'timeout' ? 'timeout' : 'failed' };
  if (!isApiError(error)) return { error, again: false, retryAfter: undefined, outcome: 'error' };
  const { statusCode: status, responseHeaders } = error;
  const retryAfter = parseRetryAfter(responseHeaders?.['retry-after']);
  const told = (reason: ModelError['reason'], message: string) => new ModelError(reason, message, { cause: withoutContents(error) });
  const passing = (outcome: ModelFailure['outcome'], message: string): ModelFailure => ({
    error: told('unavailable', message),
    again: true,
    retryAfter,
    outcome,
  });
  if (status === undefined) return passing('unreachable', 'the provider could not be reached');
  if (status === 429) return passing('rate_limited', 'the provider is limiting requests');
  if (status >= 500 || status === 408) return passing('failed', `the provider answered with status ${status}`);
  if (status < 400) return passing('failed', 'the provider sent something that is no answer of its protocol');
  return { error: told('refused', refusal(status)), again: false, retryAfter: undefined, outcome: 'refused' };
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `the provider did not accept the key (${status})`;
  if (status === 404) return 'the provider does not know the model or the address (404)';
  return `the provider refused the request (${status})`;
}

// The SDK's errors carry the whole request with the idea in it; what is logged must not.
const withoutContents = ({ name, statusCode }: ApiError): Error => new Error(`${name}${statusCode === undefined ? '' : ` ${statusCode}`}`);

const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'AI_APICallError';
