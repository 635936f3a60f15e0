import { randomUUID } from 'node:crypto';
import { followNdjson, type Line } from '#testing/read-ndjson.ts';

export type Answered = { status: number; body: Record<string, unknown>; headers: Headers };
export type Client = { url: string; token: string };
export type Asking = { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal };

/** One request as JSON. @throws TypeError when the connection fails */
export async function call({ url, token }: Client, method: string, path: string, { body, headers, signal }: Asking = {}): Promise<Answered> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}, headers: answer.headers };
}

/** A caller of its own, with a session: rate limits count per user. */
export async function newCaller(url: string): Promise<Client> {
  const session = await call({ url, token: '' }, 'POST', '/auth/anonymous', { body: { device_id: `bench-${randomUUID()}` } });
  return { url, token: String(session.body['token']) };
}

export const newCallers = (url: string, count: number): Promise<Client[]> => Promise.all(Array.from({ length: count }, () => newCaller(url)));

/** Starts a research and gives its id. @throws Error when it is not accepted */
export async function startResearch(client: Client, idea: string): Promise<string> {
  const started = await call(client, 'POST', '/research', { body: { idea } });
  if (started.status !== 202) throw new Error(`POST /research answered ${started.status}: ${JSON.stringify(started.body)}`);
  return String(started.body['job_id']);
}

export const follow = ({ url, token }: Client, jobId: string, query = '', signal?: AbortSignal): AsyncGenerator<Line> =>
  followNdjson(`${url}/research/${jobId}/events${query}`, token, signal);

/** Starts a research and follows it to its end; milliseconds from the request to `done`. @throws Error when it fails */
export async function research(client: Client, idea: string): Promise<number> {
  const started = performance.now();
  const jobId = await startResearch(client, idea);
  let last = '';
  for await (const { event, data } of follow(client, jobId)) {
    if (event === 'error') throw new Error(`research ${jobId} failed: ${JSON.stringify(data)}`);
    last = event;
  }
  if (last !== 'done') throw new Error(`research ${jobId} ended with ${last || 'nothing'}`);
  return performance.now() - started;
}
