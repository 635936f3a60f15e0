import { z } from 'zod';
import { sha256 } from '#lib/ids.ts';
import { CommandError } from './command.ts';
import { isPassing, refusalOf, ServiceGone, unreachable, type Refusal } from './client-errors.ts';
import { readLines } from './read-lines.ts';

export type StreamLine = z.output<typeof StreamLine>;
/** Said by the client itself while it tries to get a lost connection back. */
type ConnectionLost = { event: 'connection_lost'; attempt: number };

export type ResearchRequest = { idea: string; mode: 'market' | 'feature'; /** Ids of the markets that are meant. */ markets?: readonly string[] };
export type Download = { bytes: Uint8Array; contentType: string };
type StartedResearch = z.output<typeof Started>;

export type Client = {
  url: string;
  /** What a public route answers. @throws CommandError */
  read<T extends z.ZodType>(path: string, shape: T, signal: AbortSignal): Promise<z.output<T>>;
  /** The same with the caller's session. @throws CommandError */
  readOwn<T extends z.ZodType>(path: string, shape: T, signal: AbortSignal): Promise<z.output<T>>;
  /** Sends a body, or none for `undefined`, with the caller's session; not tried again, because it may have been done. @throws CommandError */
  create<T extends z.ZodType>(path: string, body: unknown, shape: T, signal: AbortSignal): Promise<z.output<T>>;
  /** Changes something with the caller's session; the identical change within a day leads to what it led to before. @throws CommandError */
  change<T extends z.ZodType>(path: string, body: unknown, shape: T, signal: AbortSignal): Promise<z.output<T>>;
  /** Takes something away with the caller's session; taking it away twice is no harm. @throws CommandError */
  remove<T extends z.ZodType>(path: string, shape: T, signal: AbortSignal): Promise<z.output<T>>;
  /** A file; null when there is none for this caller. @throws CommandError */
  download(path: string, signal: AbortSignal): Promise<Download | null>;
  /**
   * Starts a research in a project, which the same idea leads back to; the identical request within a day gives the
   * research that it started before. @throws CommandError
   */
  startResearch(request: ResearchRequest, signal: AbortSignal): Promise<StartedResearch>;
  /**
   * The events of a run, each once and in order, up to `done`, over as many connections as it takes.
   * @throws CommandError when the service refuses or stays away
   */
  follow(path: string, signal: AbortSignal): AsyncGenerator<StreamLine | ConnectionLost>;
  /** The same service as whoever knows its admin secret may use it. */
  asOperator(secret: string): OperatorClient;
};

export type OperatorClient = Pick<Client, 'read' | 'create'>;

const StreamLine = z.object({ v: z.literal(1), event: z.string(), data: z.unknown(), seq: z.int().optional() });
const Session = z.object({ token: z.string().min(1) });
const Started = z.object({
  project_id: z.string(),
  job_id: z.string(),
  status: z.enum(['queued', 'in_progress', 'completed']),
  position: z.int().optional(),
});

const ANSWER_MS = 30_000;
/** A long document takes its time to be set. */
const DOWNLOAD_MS = 120_000;
/** How long the client waits before each try to get a lost connection back: half a minute together. */
const PAUSES_MS = [250, 500, 1000, 2000, 4000, 6000, 8000, 8000];

type Asked = { method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown; headers?: Record<string, string>; signal: AbortSignal };

/** @param pausesMs waits between tries to reach the service again */
export function openClient(url: string, deviceId: string, { pausesMs = PAUSES_MS }: { pausesMs?: readonly number[] } = {}): Client {
  let session: Promise<string> | undefined;

  const send = async ({ method = 'GET', path, body, headers, signal }: Asked): Promise<Response> => {
    const init = { method, redirect: 'error', signal, headers: { accept: 'application/json', ...headers } } as const;
    const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { ...init.headers, 'content-type': 'application/json' } };
    try {
      return await fetch(url + path, { ...init, ...json });
    } catch (error) {
      throw unreachable(url, error);
    }
  };
  const signIn = async (signal: AbortSignal): Promise<string> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await send({ method: 'POST', path: '/auth/anonymous', body: { device_id: deviceId }, signal: limit });
    return (await answerOf(url, response, Session)).token;
  };
  const signedIn = (signal: AbortSignal): Promise<string> => {
    session ??= signIn(signal).catch((error: unknown) => {
      session = undefined;
      throw error;
    });
    return session;
  };
  /** Signs in first, and once more when the session has ended. */
  const sendAsUser = async (asked: Asked): Promise<Response> => {
    const ask = async () => send({ ...asked, headers: { ...asked.headers, authorization: `Bearer ${await signedIn(asked.signal)}` } });
    const response = await ask();
    if (response.status !== 401) return response;
    await response.body?.cancel();
    session = undefined;
    return ask();
  };
  const limited = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const connection = async function* (stream: string, cursor: number, signal: AbortSignal): AsyncGenerator<StreamLine> {
    const response = await sendAsUser({ path: `${stream}?cursor=${cursor}&include_seq=true`, signal });
    if (!response.ok || !response.body) throw await refusalOf(url, response);
    try {
      for await (const text of readLines(response.body)) yield lineOf(url, text);
    } catch (error) {
      throw error instanceof CommandError ? error : unreachable(url, error);
    }
  };

  return {
    url,
    read: async (path, shape, signal) => answerOf(url, await send({ path, signal: limited(signal) }), shape),
    readOwn: async (path, shape, signal) => answerOf(url, await sendAsUser({ path, signal: limited(signal) }), shape),
    create: async (path, body, shape, signal) => answerOf(url, await sendAsUser({ method: 'POST', path, body, signal: limited(signal) }), shape),
    change: async (path, body, shape, signal) => {
      const headers = { 'idempotency-key': sha256(JSON.stringify([path, body])) };
      return answerOf(url, await sendAsUser({ method: 'PATCH', path, body, headers, signal: limited(signal) }), shape);
    },
    remove: async (path, shape, signal) => answerOf(url, await sendAsUser({ method: 'DELETE', path, signal: limited(signal) }), shape),
    download: async (path, signal) => {
      const response = await sendAsUser({ path, signal: AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]) });
      if (response.status === 404) {
        await response.body?.cancel();
        return null;
      }
      if (!response.ok) throw await refusalOf(url, response);
      try {
        return { bytes: new Uint8Array(await response.arrayBuffer()), contentType: response.headers.get('content-type') ?? '' };
      } catch (error) {
        throw unreachable(url, error);
      }
    },
    startResearch: async (request, signal) => {
      // A service that is not there at all is told at once.
      await signedIn(signal);
      // The key makes trying again safe, and leads back to a research that an interrupted command started.
      const headers = { 'idempotency-key': sha256(JSON.stringify([request.mode, request.idea, ...(request.markets ?? [])])) };
      return persistently(pausesMs.slice(0, 4), signal, async () =>
        answerOf(url, await sendAsUser({ method: 'POST', path: '/projects/research', body: request, headers, signal: limited(signal) }), Started),
      );
    },
    asOperator: (secret) => {
      const headers = { authorization: `Bearer ${secret}` };
      return {
        read: async (path, shape, signal) => answerOf(url, await send({ path, headers, signal: limited(signal) }), shape),
        create: async (path, body, shape, signal) =>
          answerOf(url, await send({ method: 'POST', path, body, headers, signal: limited(signal) }), shape),
      };
    },
    follow: async function* (path, signal) {
      let cursor = 0;
      let failures = 0;
      for (;;) {
        let refusal: Refusal | undefined;
        try {
          for await (const line of connection(path, cursor, signal)) {
            failures = 0;
            if (line.seq !== undefined && line.seq <= cursor && line.event !== 'done') continue;
            cursor = Math.max(cursor, line.seq ?? 0);
            yield line;
            if (line.event === 'done') return;
          }
        } catch (error) {
          signal.throwIfAborted();
          if (!isPassing(error)) throw error;
          refusal = error;
        }
        const pauseMs = pausesMs[failures];
        if (pauseMs === undefined) throw new ServiceGone(url, { cause: refusal });
        failures += 1;
        yield { event: 'connection_lost', attempt: failures };
        await pause(Math.max(pauseMs, (refusal?.retryAfter ?? 0) * 1000), signal);
      }
    },
  };
}

async function answerOf<T extends z.ZodType>(url: string, response: Response, shape: T): Promise<z.output<T>> {
  if (!response.ok) throw await refusalOf(url, response);
  const body: unknown = await response.json().catch(() => undefined);
  const parsed = shape.safeParse(body);
  if (!parsed.success) throw new CommandError(`What answers at ${url} does not speak this version's interface.`, { cause: parsed.error });
  return parsed.data;
}

function lineOf(url: string, text: string): StreamLine {
  try {
    return StreamLine.parse(JSON.parse(text));
  } catch (error) {
    throw new CommandError(`What answers at ${url} does not speak this version's interface.`, { cause: error });
  }
}

/** Does something again, after the given pauses, for as long as what stops it may pass. */
async function persistently<T>(pausesMs: readonly number[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      const pauseMs = pausesMs[tries];
      if (pauseMs === undefined || !isPassing(error)) throw error;
      await pause(pauseMs, signal);
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
