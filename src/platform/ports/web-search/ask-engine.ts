import { setTimeout as wait } from 'node:timers/promises';
import { upstream } from '#lib/errors.ts';
import { readJson } from '#lib/read-json.ts';
import { untilAborted } from '../guarded-fetch/until-aborted.ts';
import type { EngineRequest, Protocol } from './protocol.ts';

/** Waits; replaced in tests. */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** Gives the engine's JSON. @throws AppError `upstream`, the signal's reason, errors of the connection */
export type Ask = (request: EngineRequest, signal: AbortSignal) => Promise<unknown>;

const BYTES = 2_000_000;
const PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 20_000;

export const standardPause: Pause = (milliseconds, signal) => wait(milliseconds, undefined, { signal });

/**
 * Asks an engine, a second time where it is busy or failed. Second tries leave one after the other, so that searches that
 * started together do not meet the same limit together again.
 */
export function engineAsker(protocol: Protocol, pause: Pause): Ask {
  let last: Promise<unknown> = Promise.resolve();
  const turn = (milliseconds: number, signal: AbortSignal): Promise<unknown> => {
    const mine = last.then(() => pause(milliseconds, signal));
    last = mine.catch(() => undefined);
    return untilAborted(mine, signal);
  };
  return async (request, signal) => {
    const first = await send(request, signal);
    if (!mayPass(first.status)) return readAnswer(protocol, first);
    const milliseconds = pauseOf(first.headers.get('retry-after'));
    await first.body?.cancel();
    if (milliseconds > LONGEST_PAUSE_MS) {
      throw upstream(`${protocol.name} answered with status ${first.status} and asks to be left alone for ${Math.ceil(milliseconds / 1000)} s.`);
    }
    await turn(milliseconds, signal);
    return readAnswer(protocol, await send(request, signal));
  };
}

const send = ({ url, method, headers, body }: EngineRequest, signal: AbortSignal): Promise<Response> =>
  fetch(url, { method, headers: { accept: 'application/json', ...headers }, body: body ?? null, redirect: 'manual', signal });

const mayPass = (status: number): boolean => status === 429 || status >= 500;

/** Milliseconds that a Retry-After header asks for, in either of its forms (RFC 9110, 10.2.3). */
function pauseOf(header: string | null): number {
  if (header === null) return PAUSE_MS;
  const milliseconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(milliseconds) ? PAUSE_MS : Math.max(milliseconds, 0);
}

async function readAnswer(protocol: Protocol, response: Response): Promise<unknown> {
  if (response.ok) return parsed(protocol, await readLimited(protocol, response));
  await response.body?.cancel();
  const { status } = response;
  const target = URL.parse(response.headers.get('location') ?? '', response.url);
  const explained =
    status >= 300 && status < 400 && target
      ? `it redirects to ${target.origin}; SEARCH_BASE_URL must name its final address`
      : protocol.explain(status);
  throw upstream(`${protocol.name} answered with status ${status}${explained ? `: ${explained}` : ''}.`);
}

async function readLimited(protocol: Protocol, response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > BYTES) throw upstream(`The answer of ${protocol.name} is larger than ${BYTES / 1_000_000} MB.`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parsed(protocol: Protocol, text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    throw upstream(`${protocol.name} answered something that is not JSON.`, error);
  }
}
