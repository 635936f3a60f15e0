import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestApp } from '#testing/app.ts';
import { any } from './guards/any.ts';
import { everyone } from './guards/everyone.ts';
import type { Guard } from './guards/guard.ts';
import { optional } from './guards/optional.ts';
import { forAll, type Limit, limitText, perIp, perKey, perPrincipal, perUser } from './route-limits.ts';
import { route } from './shapes/json.ts';

const counted = (path: string, guard: Guard, limit: Limit) =>
  route({
    method: 'POST',
    path,
    summary: 'Counts',
    guard,
    limit,
    body: z.object({
      phone: z
        .string()
        .max(20)
        .transform((text) => text.replaceAll(' ', ''))
        .optional(),
    }),
    emptyBody: 'allowed',
    responses: { 204: z.void() },
    handle: async (_request, reply) => reply(204, undefined),
  });
const routes = [
  counted('/by-user', any, perUser(1)),
  counted('/by-ip', any, perIp(1)),
  counted('/by-principal', optional, perPrincipal(1, 'hour')),
  counted('/by-principal-and-address', optional, { ...perPrincipal(1, 'hour'), ofAddress: 2 }),
  counted('/by-all', optional, forAll(2)),
  counted('/by-key', everyone, perKey('body', 'phone', 1)),
];
const app = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'test', routes }] } });
afterAll(() => app.dispose());

type Asker = { token?: string; from?: string; agent?: string; body?: object };

/** The status for a caller with a token or none, from an address, with a client of some kind. */
const ask = async (path: string, { token, from = '203.0.113.1', agent = 'a client', body = {} }: Asker = {}) => {
  const headers = { 'user-agent': agent, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return (await app.server.fastify.inject({ method: 'POST', url: path, headers, remoteAddress: from, payload: body })).statusCode;
};

describe('a limit', () => {
  it('by user counts each user, from wherever', async () => {
    const [{ token }, other] = [await app.user(), await app.user()];
    expect([await ask('/by-user', { token }), await ask('/by-user', { token, from: '203.0.113.2' }), await ask('/by-user', other)]).toEqual([
      204, 429, 204,
    ]);
  });

  it('by principal may have another for the address, which no other name gets around', async () => {
    const path = '/by-principal-and-address';
    const asked = [await ask(path), await ask(path), await ask(path, { agent: 'two' }), await ask(path, { agent: 'three' })];
    expect(asked).toEqual([204, 429, 204, 429]);
    expect(await ask(path, await app.user())).toBe(429);
    expect(await ask(path, { from: '203.0.113.2' })).toBe(204);
  });

  it('by address counts each address, whoever asks from it', async () => {
    const [{ token }, other] = [await app.user(), await app.user()];
    expect([await ask('/by-ip', { token }), await ask('/by-ip', other), await ask('/by-ip', { token, from: '203.0.113.2' })]).toEqual([
      204, 429, 204,
    ]);
  });

  it('by principal counts the user, and without one the address and the kind of client', async () => {
    const [{ token }, other] = [await app.user(), await app.user()];
    const from = '203.0.113.3';
    const callers = [{ from }, { from }, { token, from }, { token, from: '203.0.113.4' }, { token: other.token, from }, { from: '203.0.113.4' }];
    const statuses = [];
    for (const caller of callers) statuses.push(await ask('/by-principal', caller));
    expect(statuses).toEqual([204, 429, 204, 429, 204, 204]);
    expect([await ask('/by-principal', { from, agent: 'another client' }), await ask('/by-principal', { from, agent: 'another client' })]).toEqual([
      204, 429,
    ]);
  });

  it('by principal keeps neither address nor client of who is no user', async () => {
    await ask('/by-principal', { from: '203.0.113.77', agent: 'kept-nowhere' });
    const { rows } = await sql<{ key: string }>`select key from rate_windows where key like '%/by-principal%'`.execute(app.ctx.db);
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) expect(key).not.toMatch(/203\.0\.113|client|kept-nowhere/);
  });

  it('for all counts everybody together', async () => {
    const { token } = await app.user();
    expect([await ask('/by-all'), await ask('/by-all', { token }), await ask('/by-all', { from: '203.0.113.9' })]).toEqual([204, 204, 429]);
  });

  it('by key counts a value as it was checked, and what is refused is not counted', async () => {
    const phone = (text: string) => ask('/by-key', { body: { phone: text } });
    expect([await phone('+49 1'), await phone('+491'), await phone('+492'), await phone('x'.repeat(21)), await phone('x'.repeat(21))]).toEqual([
      204, 429, 204, 422, 422,
    ]);
  });

  it.each([
    [perUser(5), '5 per minute per user'],
    [perIp(30), '30 per minute per IP'],
    [perPrincipal(30, 'hour'), '30 per hour per principal'],
    [forAll(600), '600 per minute'],
    [perKey('params', 'slug', 3), '3 per minute per slug'],
  ])('%j is told as %s', (limit, text) => {
    expect(limitText(limit)).toBe(text);
  });
});
