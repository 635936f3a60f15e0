import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestApp } from '#testing/app.ts';
import { ensureProfile, keyPlace, readModelKeys } from './profile-store.ts';

const app = await startTestApp({ env: { ROLES: 'api' } });
const { db, secrets } = app.ctx;
afterAll(() => app.dispose());

async function userWithKey(key: string): Promise<string> {
  const userId = randomUUID();
  await ensureProfile(db, { userId, name: null, email: null });
  await sql`update profiles set llm_a_key_sealed = ${secrets.seal(key, keyPlace(userId, 'llm_a'))} where user_id = ${userId}`.execute(db);
  return userId;
}

describe('a user’s model keys', () => {
  it('are opened for their owner, null where there is none', async () => {
    const userId = await userWithKey('sk-a');
    expect(await readModelKeys(db, secrets, userId)).toEqual({ llm_a: 'sk-a', llm_b: null });
    expect(await readModelKeys(db, secrets, randomUUID())).toEqual({ llm_a: null, llm_b: null });
  });

  it('open in no other row and no other column', async () => {
    const [owner, thief] = [await userWithKey('sk-a'), await userWithKey('sk-b')];
    await sql`update profiles set llm_a_key_sealed = (select llm_a_key_sealed from profiles where user_id = ${owner}) where user_id = ${thief}`.execute(
      db,
    );
    await expect(readModelKeys(db, secrets, thief)).rejects.toThrow();
    await sql`update profiles set llm_b_key_sealed = llm_a_key_sealed, llm_a_key_sealed = null where user_id = ${owner}`.execute(db);
    await expect(readModelKeys(db, secrets, owner)).rejects.toThrow();
  });

  it('are not stored in plain', async () => {
    const userId = await userWithKey('sk-plain');
    const { rows } = await sql`select * from profiles where user_id = ${userId}`.execute(db);
    expect(JSON.stringify(rows)).not.toContain('sk-plain');
  });
});
