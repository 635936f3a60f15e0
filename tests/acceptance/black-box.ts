import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { importJWK, SignJWT, type JWK } from 'jose';
import { expect, inject } from 'vitest';
import { signIdentityToken } from '#features/auth';
import { readNdjson, type Line } from '#testing/read-ndjson.ts';

export const serviceUrl = inject('serviceUrl');
const keyFile = inject('serviceKeyFile');

/** What the operator of the service presents; empty where that is not known here. */
export const { admin: adminSecret } = inject('serviceSecrets');

/** Whether identity tokens can be signed here; without that, users are anonymous ones. */
export const canSignIn = keyFile !== '';

export type Json = Record<string, unknown>;
export type Answer = { status: number; body: Json; text: string; headers: Headers };
export type Options = { token?: string | undefined; body?: unknown; raw?: string; headers?: Record<string, string> };

/** One request; every answer is held against what holds for all of them: a fresh request id, and `{detail}` on errors. */
export async function call(method: string, path: string, { token, body, raw, headers = {} }: Options = {}): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${serviceUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
  const answer = { status: response.status, body: isJson ? (JSON.parse(text) as Json) : {}, text, headers: response.headers };
  expect(answer.headers.get('x-request-id'), `${method} ${path}`).toMatch(/^[0-9a-f]{16}$/);
  if (answer.status >= 400) expect(answer.body, `${method} ${path}`).toHaveProperty('detail');
  return answer;
}

export type User = {
  userId: string | null;
  token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
};

/** A user that nothing else uses: signed in where identity tokens can be signed, else anonymous. */
export async function newUser(claims: { name?: string; email?: string } = {}): Promise<User> {
  if (!canSignIn) return newAnonymous();
  const userId = `user-${randomUUID()}`;
  const session = await call('POST', '/auth/session', { token: await identityToken(userId, claims) });
  expect(session.status).toBe(200);
  return userWith(String(session.body['token']), userId);
}

export async function newAnonymous(deviceId = `device-${randomUUID()}`): Promise<User> {
  const session = await call('POST', '/auth/anonymous', { body: { device_id: deviceId } });
  expect(session.status).toBe(200);
  return userWith(String(session.body['token']), null);
}

export const userWith = (token: string, userId: string | null = null): User => ({
  userId,
  token,
  get: (path) => call('GET', path, { token }),
  post: (path, body, headers) => call('POST', path, { token, body, ...(headers ? { headers } : {}) }),
  patch: (path, body) => call('PATCH', path, { token, body }),
  delete: (path) => call('DELETE', path, { token }),
});

export const identityToken = (userId: string, claims: { name?: string; email?: string } = {}, lifetimeSeconds = 600): Promise<string> =>
  signIdentityToken(keyFile, { userId, ...claims, issuer: serviceUrl }, lifetimeSeconds);

/** An identity token with claims of the caller's choice, signed with the service's key. */
export async function forgedToken(claims: Json): Promise<string> {
  const jwk = JSON.parse(readFileSync(keyFile, 'utf8')) as JWK;
  return new SignJWT({ sub: 'user-forged', azp: 'groundwork', exp: Math.floor(Date.now() / 1000) + 600, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: jwk.kid ?? '' })
    .sign(await importJWK(jwk, 'RS256'));
}

const TOPICS = [
  'A habit tracking app with streaks and reminders',
  'Meal planning software that writes a grocery list',
  'Appointment booking for independent hair salons',
] as const;

/** An idea of a market that is well known, in words that no other test uses. */
export const newIdea = (topic = 0): string => `${TOPICS[topic % TOPICS.length]}, number ${randomInt(1e12)}`;

/** Starts a research and gives its id. */
export async function startResearch(user: User, idea: string, more: Json = {}): Promise<string> {
  const started = await user.post('/research', { idea, ...more });
  expect(started.status, started.text).toBe(202);
  return String(started.body['job_id']);
}

/** Follows a research to its end; gives its events. */
export const eventsOf = (user: User, jobId: string, query = ''): Promise<Line[]> =>
  readNdjson(`${serviceUrl}/research/${jobId}/events${query}`, user.token, AbortSignal.timeout(20_000));

/** A research that has ended well. */
export async function completedResearch(user: User, idea: string, more: Json = {}): Promise<string> {
  const jobId = await startResearch(user, idea, more);
  const lines = await eventsOf(user, jobId);
  expect(lines.map(({ event }) => event)).toContain('result');
  return jobId;
}

/** A project and its id. */
export async function newProject(user: User, title = newIdea(), description = ''): Promise<string> {
  const created = await user.post('/projects', { title, description });
  expect(created.status, created.text).toBe(201);
  return String(created.body['id']);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export const uuid = () => expect.stringMatching(UUID);
export const timestamp = () => expect.stringMatching(TIMESTAMP);
export const anyNumber = () => expect.any(Number);
/** An address of documentation (RFC 3849), in a network that no other test uses. */
export const anyAddress = (): string => `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`;
export const anyString = () => expect.any(String);
export const anyList = () => expect.any(Array);
export const detail = (text: string | RegExp) => ({ detail: typeof text === 'string' ? text : expect.stringMatching(text) });

export const PROJECT_STATE = /^(draft|researching|ready|building|blocked|done)$/;

/** A project, field by field. */
export const projectShape = {
  id: uuid(),
  user_id: anyString(),
  title: anyString(),
  slug: expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  state: expect.stringMatching(PROJECT_STATE),
  quality_score: anyNumber(),
  description: anyString(),
  clean_title: anyString(),
  one_liner: anyString(),
  normalization_status: expect.stringMatching(/^(complete|failed)$/),
  created_at: timestamp(),
  updated_at: timestamp(),
};
