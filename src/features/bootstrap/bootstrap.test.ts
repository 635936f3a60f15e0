import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestUser } from '#testing/app.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
afterAll(() => app.dispose());

const set = (user: TestUser, column: string, value: unknown) =>
  sql`update profiles set ${sql.ref(column)} = ${value} where user_id = ${user.userId}`.execute(app.ctx.db);
const bootstrap = async (user: TestUser) =>
  (await user.call('GET', '/auth/bootstrap')).body as unknown as Record<'profile' | 'subscription' | 'secrets', Record<string, unknown>>;

describe('the bootstrap', () => {
  it('makes the profile once, at the first call [R081]', async () => {
    const user = await app.user();
    const count = async () => (await sql`select 1 from profiles where user_id = ${user.userId}`.execute(app.ctx.db)).rows.length;
    expect(await count()).toBe(0);
    await Promise.all([bootstrap(user), bootstrap(user), bootstrap(user)]);
    expect(await count()).toBe(1);
  });

  it('shows every tier above free as pro [R084]', async () => {
    const user = await app.user();
    expect((await bootstrap(user)).profile['plan']).toBe('free');
    for (const tier of ['explorer', 'plus', 'pro', 'early_access']) {
      await set(user, 'tier', tier);
      expect((await bootstrap(user)).profile['plan'], tier).toBe('pro');
    }
  });

  it('shows the tier’s credits, or the stored total where there is one, the same in both places [R085 R086 R089 R090]', async () => {
    const user = await app.user();
    const free = Number((await bootstrap(user)).profile['credits_total']);
    expect(free).toBeGreaterThan(0);
    await set(user, 'tier', 'pro');
    expect(Number((await bootstrap(user)).profile['credits_total'])).toBeGreaterThan(free);
    await set(user, 'credits_total', 77);
    await set(user, 'credits_used', 5);
    const { profile, subscription } = await bootstrap(user);
    expect(profile).toMatchObject({ credits_total: 77, credits_used: 5 });
    expect(subscription).toMatchObject({ credits_total: 77, credits_used: 5 });
  });

  it.each([
    ['has_codehost_pat', 'codehost_pat_sealed'],
    ['has_llm_a_key', 'llm_a_key_sealed'],
    ['has_llm_b_key', 'llm_b_key_sealed'],
  ])('says %s exactly when one is stored, and never what it is [R091 R092 R093]', async (flag, column) => {
    const user = await app.user();
    expect((await bootstrap(user)).secrets[flag]).toBe(false);
    await set(user, column, app.ctx.secrets.seal('sk-secret', 'anywhere'));
    const answer = await user.call('GET', '/auth/bootstrap');
    expect((answer.body as unknown as { secrets: unknown }).secrets).toEqual({
      has_codehost_pat: false,
      has_llm_a_key: false,
      has_llm_b_key: false,
      [flag]: true,
    });
    expect(answer.text).not.toContain('sk-secret');
  });

  it('fills name and address in from the identity, and does not overwrite what is there [R082 R083]', async () => {
    const user = await app.user({ name: 'Ada', email: 'ada@example.org' });
    expect((await bootstrap(user)).profile).toMatchObject({ name: 'Ada', email: 'ada@example.org' });
    await set(user, 'name', 'Countess');
    expect((await bootstrap(user)).profile).toMatchObject({ name: 'Countess', email: 'ada@example.org' });
  });
});
