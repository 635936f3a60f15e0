import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { runGroundwork, type Ended } from '../../tests/cli/run-groundwork.ts';
import { startTestApp } from '#testing/app.ts';

const SECRET = randomUUID();
const app = await startTestApp({ env: { ADMIN_SECRET: SECRET, ROLES: 'api' } });
const { db, texts, secrets, config } = app.ctx;
const folder = mkdtempSync(join(tmpdir(), 'groundwork-operator-'));
afterAll(async () => {
  await app.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const groundwork = (args: string[], env: Record<string, string> = { ADMIN_SECRET: SECRET }): Promise<Ended> =>
  runGroundwork(args, { folder, env: { GROUNDWORK_URL: app.url, DATA_DIR: folder, ...env } });

describe('groundwork outbox', () => {
  it('lists what waits, the latest first, cleaned for the terminal', async () => {
    expect(await groundwork(['outbox'])).toEqual({ code: 0, stdout: 'No text message waits.\n', stderr: '' });
    await texts.send({ to: '+14155550101', body: '123456 is your\n\u001b[31mcode', key: randomUUID() });
    await sql`update text_outbox set created_at = now() - interval '1 minute'`.execute(db);
    await texts.send({ to: '+14155550102', body: 'Hello', key: randomUUID() });
    expect((await groundwork(['outbox'])).stdout).toMatch(/^\S+Z {2}\+14155550102\n {2}Hello\n\S+Z {2}\+14155550101\n {2}123456 is your code\n$/);
    expect(JSON.parse((await groundwork(['outbox', '--json'])).stdout)).toMatchObject([
      { to: '+14155550102' },
      { body: '123456 is your\n\u001b[31mcode' },
    ]);
    await sql`update text_outbox set body_sealed = ${secrets.seal('Hello', 'elsewhere')} where recipient = '+14155550102'`.execute(db);
    expect((await groundwork(['outbox'])).stdout).toContain('(no key of the installation opens it)');
    await sql`delete from text_outbox`.execute(db);
  });
});

describe('groundwork secrets rotate', () => {
  it('seals everything under a new key and says how much', async () => {
    const user = await app.user();
    await user.call('PATCH', '/profile', { llm_a_key: 'sk-a', codehost_pat: 'ghp' });
    const before = readFileSync(join(config.dataDir, 'secrets-key'), 'utf8').trim();
    const { code, stdout, stderr } = await groundwork(['secrets', 'rotate']);
    const sealed = [
      'profiles.codehost_pat_sealed: 1',
      'profiles.llm_a_key_sealed: 1',
      'profiles.llm_b_key_sealed: 0',
      'text_outbox.body_sealed: 0',
      'push_keys.sealed: 0',
      'push_devices.keys_sealed: 0',
    ];
    expect(stdout).toBe(sealed.map((line) => `${line} sealed anew\n`).join(''));
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'A new key was made: the backup of the data folder needs it too.\n' });
    const lines = readFileSync(join(config.dataDir, 'secrets-key'), 'utf8').trim().split('\n');
    expect(lines[1]).toBe(before);
    for (const line of lines) expect(stdout + stderr).not.toContain(line);
  });

  it('ends with 1 and says so where no key opens a value', async () => {
    const user = await app.user();
    await user.call('GET', '/profile');
    await sql`update profiles set llm_b_key_sealed = ${secrets.seal('sk', 'elsewhere')} where user_id = ${user.userId}`.execute(db);
    const { code, stdout } = await groundwork(['secrets', 'rotate', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      new_key: true,
      columns: expect.arrayContaining([{ column: 'profiles.llm_b_key_sealed', resealed: 0, unreadable: 1 }]),
    });
  });
});

describe('what only the operator may do', () => {
  it.each([[['outbox']], [['secrets', 'rotate']]])('is refused without the secret: %j', async (args) => {
    const { code, stderr } = await groundwork(args, {});
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('This needs ADMIN_SECRET') });
  });

  it.each([[['outbox', 'x']], [['outbox', '--all']], [['secrets']], [['secrets', 'walk']], [['secrets', 'rotate', 'x']]])(
    'is refused with exit code 2: %j',
    async (args) => {
      expect((await groundwork(args)).code).toBe(2);
    },
  );
});
