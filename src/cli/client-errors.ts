import { mapOf } from '#lib/map-of.ts';
import { truncate } from '#lib/text.ts';
import { cleanText } from '#lib/clean-text.ts';
import { CommandError } from './command.ts';

type Circumstances = { status?: number; retryAfter?: number | undefined; passing?: boolean; cause?: unknown };

/** The service did not do what it was asked; `passing` where the same request may work a moment later. */
export class Refusal extends CommandError {
  override name = 'Refusal';
  readonly status: number | undefined;
  /** Seconds after which trying again makes sense. */
  readonly retryAfter: number | undefined;
  readonly passing: boolean;

  constructor(message: string, { status, retryAfter, passing = false, cause }: Circumstances = {}) {
    super(message, { cause });
    this.status = status;
    this.retryAfter = retryAfter;
    this.passing = passing;
  }
}

/** The connection broke and did not come back. */
export class ServiceGone extends CommandError {
  override name = 'ServiceGone';

  constructor(url: string, options?: ErrorOptions) {
    super(
      `The connection to ${url} was lost and could not be made again; what was started goes on while the service runs, and the same command follows it.`,
      options,
    );
  }
}

export const isPassing = (error: unknown): error is Refusal => error instanceof Refusal && error.passing;

/** Why no answer came at all. An abort stays what it is. */
export function unreachable(url: string, error: unknown): unknown {
  const { name, cause } = error as { name?: string; cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return new Refusal(`The service at ${url} did not answer in time.`, { passing: true, cause: error });
  if (name === 'AbortError' || !(error instanceof TypeError)) return error;
  if (cause?.message === 'unexpected redirect')
    return new Refusal(`${url} answers with a redirect: name the service's own address.`, { cause: error });
  const reason = REASONS.get(cause?.code ?? '');
  return new Refusal(`No service can be reached at ${url}${reason ? `: ${reason}` : ''}.`, { passing: true, cause: error });
}

const REASONS = mapOf<string>({
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  ETIMEDOUT: 'it did not answer in time',
});

/** What an answer with an error status means, as one sentence. */
export async function refusalOf(url: string, response: Response, now: Date = new Date()): Promise<Refusal> {
  const { status } = response;
  const detail = detailOf(await response.text().catch(() => ''));
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const when = retryAfter === undefined ? 'in a minute' : `in ${retryAfter} s, at ${clockTime(new Date(now.getTime() + retryAfter * 1000))}`;
  const refuse = (message: string, more: Circumstances = {}) => new Refusal(message, { status, retryAfter, ...more });
  switch (status) {
    case 401:
      return refuse(`The service at ${url} did not accept the sign-in (${detail || 'no reason given'}): try again ${when}.`);
    case 409:
      return refuse(`${detail || 'The service refuses this for now'}: try again in a moment to get its result.`);
    case 429:
      return refuse(`Too many requests: try again ${when}.`);
    case 503:
      return refuse(`The service at ${url} is not available (${detail || 'no reason given'}): try again ${when}.`, { passing: true });
    default:
      return refuse(detail ? `The service refused: ${detail}.` : `The service at ${url} answered with status ${status}.`, {
        passing: status === 502 || status === 504,
      });
  }
}

function detailOf(body: string): string {
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    const text = typeof detail === 'string' ? detail : (detail as { message?: unknown } | null)?.message;
    return typeof text === 'string' ? truncate(cleanText(text).replace(/[\s.]+$/, ''), 300) : '';
  } catch {
    return '';
  }
}

const secondsOf = (header: string | null): number | undefined => (header && /^\d{1,6}$/.test(header) ? Number(header) : undefined);

const clockTime = (at: Date): string => at.toTimeString().slice(0, 8);

/** What is asked for, null where there is none. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}
