import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sha256 } from '#lib/ids.ts';
import { mcpToken } from '#platform/http/guards/mcp-token.ts';
import { route } from '#platform/http/shapes/json.ts';
import { startTestApp, type TestApp, type TestUser } from '#testing/app.ts';
import { findMcpToken, touchMcpToken } from './mcp-token-store.ts';

/** A route as clients of MCP will call it, with the guard and what it looks up. */
const guarded = route({
  method: 'GET',
  path: '/test/mcp',
  summary: 'Whose token it is',
  guard: mcpToken({ find: (hash) => findMcpToken(current().ctx.db, hash), adminSecret: undefined }),
  responses: { 200: z.object({ user_id: z.string().nullable() }) },
  async handle({ ctx, principal }, reply) {
    if (principal.kind === 'mcp') await touchMcpToken(ctx.db, principal.tokenId);
    return reply(200, { user_id: principal.userId });
  },
});
const current = (): TestApp => app;
const app: TestApp = await startTestApp({ env: { ROLES: 'api' }, overrides: { families: [{ family: 'health', routes: [guarded] }] } });
const { db } = app.ctx;
afterAll(() => app.dispose());

type Token = { id: string; name: string; created_at: string; last_used_at: string | null; active: boolean };
const mint = async (user: TestUser, name = 'Editor') =>
  (await user.call('POST', '/profile/mcp-tokens', { name })).body as unknown as Token & { token: string };
const list = async (user: TestUser) => (await user.call('GET', '/profile/mcp-tokens')).body['tokens'] as unknown as Token[];
const use = (token: string) => app.server.fastify.inject({ method: 'GET', url: '/test/mcp', headers: { authorization: `Bearer ${token}` } });

describe('an MCP token', () => {
  it('lets its client act for the user until it is revoked [R1254 R1255]', async () => {
    const user = await app.user();
    const { id, token } = await mint(user);
    expect(token).toMatch(/^mcp_[\w-]{48}$/);
    expect((await use(token)).json()).toEqual({ user_id: user.userId });
    expect((await user.call('DELETE', `/profile/mcp-tokens/${id}`)).body).toEqual({ revoked: true });
    expect((await use(token)).statusCode).toBe(403);
    expect((await user.call('DELETE', `/profile/mcp-tokens/${id}`)).status).toBe(200);
    expect(await list(user)).toMatchObject([{ id, active: false }]);
  });

  it('is shown once and stored as its hash [R1255]', async () => {
    const user = await app.user();
    const { token } = await mint(user);
    expect((await user.call('GET', '/profile/mcp-tokens')).text).not.toContain(token.slice(4));
    const { rows } = await sql`select * from mcp_tokens where user_id = ${user.userId}`.execute(db);
    expect(rows).toMatchObject([{ token_hash: sha256(token) }]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  it('says when it was used last, to the minute', async () => {
    const user = await app.user();
    const { token } = await mint(user);
    expect(await list(user)).toMatchObject([{ last_used_at: null }]);
    await use(token);
    const first = (await list(user))[0]?.last_used_at;
    expect(first).toEqual(expect.any(String));
    await use(token);
    expect((await list(user))[0]?.last_used_at).toBe(first);
    await sql`update mcp_tokens set last_used_at = now() - interval '2 minutes' where user_id = ${user.userId}`.execute(db);
    await use(token);
    expect(Date.parse((await list(user))[0]?.last_used_at ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });

  it('is one of at most 50 that hold, also when they are minted at once', async () => {
    const user = await app.user();
    const mintOne = () => user.call('POST', '/profile/mcp-tokens', {});
    await sql`
      insert into mcp_tokens (id, user_id, name, token_hash)
      select gen_random_uuid(), ${user.userId}, 'old', ${randomUUID()}::text || n from generate_series(1, 48) n`.execute(db);
    const answers = await Promise.all([mintOne(), mintOne(), mintOne(), mintOne()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
    const [{ id } = { id: '' }] = await list(user);
    await user.call('DELETE', `/profile/mcp-tokens/${id}`);
    expect((await mintOne()).status).toBe(201);
  });

  it('is forgotten when fifty others were revoked since', async () => {
    const user = await app.user();
    await sql`
      insert into mcp_tokens (id, user_id, name, token_hash, revoked_at)
      select gen_random_uuid(), ${user.userId}, n::text, ${randomUUID()}::text || n, now() - n * interval '1 minute' from generate_series(1, 60) n`.execute(
      db,
    );
    await mint(user, 'new');
    const tokens = await list(user);
    expect(tokens.filter(({ active }) => active)).toMatchObject([{ name: 'new' }]);
    expect(tokens.filter(({ active }) => !active).map(({ name }) => Number(name))).toHaveLength(50);
    expect(Math.max(...tokens.filter(({ active }) => !active).map(({ name }) => Number(name)))).toBe(50);
  });
});
