import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { sha256 } from '#lib/ids.ts';
import { startTestApp } from '#testing/app.ts';
import { ensureProfile, findAgentConfig, findPhone, linkPhone, readCodehostToken, readModelKeys } from './profile-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, secrets } = app.ctx;
afterAll(() => app.dispose());

const newNumber = () => `+1415${String(Math.floor(Math.random() * 9e6) + 1e6)}`;

async function visitorWith(keys: object, phone?: string) {
  const [visitor, user] = [await app.anonymous(), await app.user()];
  if (Object.keys(keys).length > 0) expect((await visitor.call('PATCH', '/profile', keys)).status).toBe(200);
  const { rows } = await sql<{ id: string }>`select 'anon:' || anon_uuid as id from devices where device_id = ${sha256(visitor.deviceId)}`.execute(
    db,
  );
  const anonId = rows[0]?.id ?? '';
  if (phone) {
    await ensureProfile(db, { userId: anonId, name: null, email: null });
    await db.transaction().execute((tx) => linkPhone(tx, anonId, phone, new Date()));
  }
  return { visitor, user, anonId, rebind: () => user.call('POST', '/auth/rebind', { device_id: visitor.deviceId }) };
}

describe('what an anonymous owner stored', () => {
  it('fills what is empty at the user, and is gone from the old profile [R112]', async () => {
    const phone = newNumber();
    const { user, anonId, rebind } = await visitorWith({ llm_a_key: 'sk-a', llm_b_key: 'sk-b', codehost_pat: 'ghp' }, phone);
    await user.call('PATCH', '/profile', { llm_b_key: 'sk-own' });
    expect((await rebind()).body).toMatchObject({ rebound: true, rows_updated: 1 });
    expect(await readModelKeys(db, secrets, user.userId)).toEqual({ llm_a: 'sk-a', llm_b: 'sk-own' });
    expect(await readCodehostToken(db, secrets, user.userId)).toBe('ghp');
    expect(await findPhone(db, user.userId)).toBe(phone);
    expect(await readModelKeys(db, secrets, anonId)).toEqual({ llm_a: null, llm_b: null });
    expect(await findPhone(db, anonId)).toBeNull();
  });

  it('is taken over by a user who has no profile yet', async () => {
    const { user, rebind } = await visitorWith({ llm_a_key: 'sk-a' });
    await rebind();
    expect(await readModelKeys(db, secrets, user.userId)).toEqual({ llm_a: 'sk-a', llm_b: null });
  });

  it('leaves the user their own number', async () => {
    const { user, anonId, rebind } = await visitorWith({}, newNumber());
    const own = newNumber();
    await user.call('GET', '/profile');
    await db.transaction().execute((tx) => linkPhone(tx, user.userId, own, new Date()));
    await rebind();
    expect(await findPhone(db, user.userId)).toBe(own);
    expect(await findPhone(db, anonId)).toBeNull();
  });

  it('allows agents nothing that the user has not allowed', async () => {
    const { visitor, user, rebind } = await visitorWith({ llm_a_key: 'sk-a' });
    await visitor.call('PATCH', '/profile/agent-config', { autonomy_level: 'auto', auto_actions: ['mail.send'] });
    await rebind();
    expect(await findAgentConfig(db, user.userId)).toEqual({ autonomy_level: 'suggest', auto_actions: [] });
  });

  it('is dropped where nothing opens it, and hinders nobody', async () => {
    const { user, anonId, rebind } = await visitorWith({ llm_a_key: 'sk-a' });
    await sql`update profiles set llm_a_key_sealed = ${secrets.seal('sk-a', 'elsewhere')} where user_id = ${anonId}`.execute(db);
    expect((await rebind()).status).toBe(200);
    expect(await readModelKeys(db, secrets, user.userId)).toEqual({ llm_a: null, llm_b: null });
  });

  it('lets none of its MCP tokens into the account of the user, who sees them as revoked', async () => {
    const { visitor, user, rebind } = await visitorWith({});
    const { id } = (await visitor.call('POST', '/profile/mcp-tokens', { name: 'Editor' })).body;
    await sql`insert into phone_codes (user_id, phone, code_hash, sent_at, expires_at)
              select user_id, '+14155550100', ${randomUUID()}, now(), now() from mcp_tokens where id = ${id}`.execute(db);
    expect((await rebind()).body).toMatchObject({ rows_updated: 1 });
    expect((await user.call('GET', '/profile/mcp-tokens')).body['tokens']).toMatchObject([{ id, name: 'Editor', active: false }]);
    expect((await sql`select 1 from phone_codes`.execute(db)).rows).toEqual([]);
  });
});
