import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { readJson } from '#lib/read-json.ts';
import { BillingFailure } from './port.ts';

export type AskOptions = {
  /** Time for each request; 10,000 without. */
  milliseconds?: number;
  /** Waits before a further try; replaced in tests. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
};

type Request = {
  method: 'GET' | 'POST';
  /** Below the base address, with its query. */
  path: string;
  body?: unknown;
  /** What makes it safe to send a POST again. */
  idempotencyKey?: string;
  signal: AbortSignal;
};

/** Gives the parsed answer. @throws BillingFailure, `Absent` for a 404, the signal's reason */
export type Ask = (request: Request) => Promise<unknown>;

/** What was asked for is not there. */
export class Absent extends BillingFailure {
  override name = 'Absent';
}

const REQUEST_MS = 10_000;
const BYTES = 2_000_000;
const TRIES = 3;
const PAUSE_MS = 250;
/** Whoever waits for the answer waits no longer than this for a further try. */
const LONGEST_PAUSE_MS = 2000;

const ErrorAnswer = z.object({
  // Nothing else of what the provider says is shown to anybody.
  type: z.string().regex(/^[a-z][a-z_]{0,63}$/),
  backoff_ms: z.number().min(0).max(86_400_000).optional().catch(undefined),
});

/** Sends requests with the project's key, and those again that may pass a moment later: all of them are safe to repeat. */
export function openAsker(access: { baseUrl: string; apiKey: string }, { milliseconds = REQUEST_MS, pause = standardPause }: AskOptions): Ask {
  return async (request) => {
    for (let tries = 1; ; tries += 1) {
      const outcome = await attempt(access, request, milliseconds);
      if ('answer' in outcome) return outcome.answer;
      const { failure, again } = outcome;
      if (again === undefined || again > LONGEST_PAUSE_MS || tries === TRIES) throw failure;
      await pause(Math.max(again, PAUSE_MS * tries), request.signal);
    }
  };
}

const standardPause = (milliseconds: number, signal: AbortSignal): Promise<unknown> => wait(milliseconds, undefined, { signal });

/** `again` is after how many milliseconds the same may succeed. */
type Outcome = { answer: unknown } | { failure: BillingFailure; again?: number };

async function attempt(
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  { method, path, body, idempotencyKey, signal }: Request,
  milliseconds: number,
): Promise<Outcome> {
  const limit = AbortSignal.timeout(milliseconds);
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
  };
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    const text = await readLimited(response);
    return response.ok ? { answer: parsed(text) } : refusal(response, text);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BillingFailure) return { failure: error };
    if (limit.aborted) return { failure: new BillingFailure('timeout') };
    return { failure: new BillingFailure('network_error', { cause: error }), again: 0 };
  }
}

function refusal({ status, headers }: Response, text: string): Outcome {
  const said = ErrorAnswer.safeParse(lenient(text)).data;
  const type = said?.type ?? `http_${status}`;
  if (status === 404) return { failure: new Absent(type) };
  // 409: the same request is being worked at this moment.
  const isPassing = status === 409 || status === 423 || status === 429 || status >= 500;
  if (!isPassing) return { failure: new BillingFailure(type) };
  const named = said?.backoff_ms ?? millisecondsOf(headers.get('retry-after'));
  const retryAt = named === undefined ? undefined : new Date(Date.now() + named);
  return { failure: new BillingFailure(type, { retryAt }), again: named ?? 0 };
}

/** What a Retry-After header asks for, in either of its forms (RFC 9110, 10.2.3). */
function millisecondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const milliseconds = /^\s*\d{1,6}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(milliseconds, 0);
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > BYTES) throw new BillingFailure('invalid_response');
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    throw new BillingFailure('invalid_response', { cause: error });
  }
}

function lenient(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return null;
  }
}
