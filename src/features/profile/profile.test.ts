import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';
import { findAgentConfig, readCodehostToken, readModelKeys } from './profile-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, secrets } = app.ctx;
afterAll(() => app.dispose());

const patch = (user: TestUser, body: object) => user.call('PATCH', '/profile', body);
const stored = async (user: TestUser) => (await user.call('GET', '/auth/bootstrap')).body['secrets'] as unknown as Record<string, boolean>;

describe('a profile', () => {
  it('is made at the first look, with what the identity says [R856]', async () => {
    const user = await app.user({ name: 'Ada', email: 'ada@example.org' });
    const { status, body } = await user.call('GET', '/profile');
    expect(status).toBe(200);
    expect(body).toEqual({
      user_id: user.userId,
      name: 'Ada',
      email: 'ada@example.org',
      plan: 'free',
      credits_used: 0,
      credits_total: expect.any(Number),
      phone: null,
      agent_config: { autonomy_level: 'suggest', auto_actions: [] },
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  it('says the same of plan and credits as the bootstrap', async () => {
    const user = await app.user();
    await user.call('GET', '/profile');
    await sql`update profiles set tier = 'plus', credits_used = 7 where user_id = ${user.userId}`.execute(db);
    const { plan, credits_used, credits_total } = (await user.call('GET', '/profile')).body;
    expect((await user.call('GET', '/auth/bootstrap')).body['profile']).toMatchObject({ plan, credits_used, credits_total });
    expect({ plan, credits_used }).toEqual({ plan: 'pro', credits_used: 7 });
  });

  it('takes a name and keeps it [R857]', async () => {
    const user = await app.user({ name: 'Ada' });
    const before = (await user.call('GET', '/profile')).body;
    const { status, body } = await patch(user, { name: ' Countess ' });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, name: 'Countess', updated_at: expect.any(String) });
    expect(Date.parse(String(body['updated_at']))).toBeGreaterThanOrEqual(Date.parse(String(before['updated_at'])));
    expect((await user.call('GET', '/profile')).body['name']).toBe('Countess');
  });

  it('keeps keys for their owner, each for itself, until they are removed [R091 R092 R093]', async () => {
    const user = await app.user();
    await patch(user, { llm_a_key: 'sk-a', codehost_pat: ' ghp_1 ' });
    expect(await readModelKeys(db, secrets, user.userId)).toEqual({ llm_a: 'sk-a', llm_b: null });
    expect(await readCodehostToken(db, secrets, user.userId)).toBe('ghp_1');
    await patch(user, { llm_b_key: 'sk-b' });
    expect(await stored(user)).toEqual({ has_codehost_pat: true, has_llm_a_key: true, has_llm_b_key: true });
    await patch(user, { llm_a_key: null, llm_b_key: 'sk-b2' });
    expect(await readModelKeys(db, secrets, user.userId)).toEqual({ llm_a: null, llm_b: 'sk-b2' });
    expect(await stored(user)).toEqual({ has_codehost_pat: true, has_llm_a_key: false, has_llm_b_key: true });
    expect(await readCodehostToken(db, secrets, (await app.user()).userId)).toBeNull();
  });

  it('holds what an agent may do, of which only what is given changes [R849 R850 R851 R852]', async () => {
    const user = await app.user();
    const change = async (body: object) => (await user.call('PATCH', '/profile/agent-config', body)).body;
    expect(await findAgentConfig(db, user.userId)).toEqual({ autonomy_level: 'suggest', auto_actions: [] });
    expect(await change({ auto_actions: ['chat.post', 'mail.send', 'chat.post'] })).toEqual({
      autonomy_level: 'suggest',
      auto_actions: ['chat.post', 'mail.send'],
    });
    expect(await change({ autonomy_level: 'auto' })).toEqual({ autonomy_level: 'auto', auto_actions: ['chat.post', 'mail.send'] });
    expect(await change({})).toEqual({ autonomy_level: 'auto', auto_actions: ['chat.post', 'mail.send'] });
    expect(await change({ auto_actions: [] })).toEqual({ autonomy_level: 'auto', auto_actions: [] });
    expect(await findAgentConfig(db, user.userId)).toEqual({ autonomy_level: 'auto', auto_actions: [] });
    expect((await user.call('GET', '/profile')).body['agent_config']).toEqual({ autonomy_level: 'auto', auto_actions: [] });
  });
});
