import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { signIdentityToken } from '#features/auth';
import { loadConfig } from '#platform/config/config.ts';
import type { Database } from '#platform/db/database.ts';
import { openLog } from '#platform/observability/log.ts';
import { emptyTestDatabase } from '#testing/app.ts';
import { openTwilioServer } from '#testing/twilio-server.ts';
import { startService } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-planted-'));
const twilio = await openTwilioServer();
const { database, drop } = await emptyTestDatabase();
const logged: string[] = [];
const ADMIN_SECRET = `admin-${randomUUID()}`;
const { service: sms } = twilio;
const config = loadConfig({
  DATA_DIR: folder,
  PORT: '0',
  LOG_LEVEL: 'trace',
  ADMIN_SECRET,
  SMS_BASE_URL: sms.baseUrl,
  SMS_ACCOUNT_SID: sms.accountSid,
  SMS_AUTH_TOKEN: sms.authToken,
  SMS_FROM: sms.from,
});
const sink = new Writable({ write: (chunk, _encoding, done) => (logged.push(String(chunk)), done()) });
const service = await startService(config, openLog('trace', sink), { database });
afterAll(async () => {
  await service.stop(0);
  await database.close();
  await drop();
  await twilio[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const answers: string[] = [];
async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, token: string, payload?: object) {
  const answer = await service.server.fastify.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload ? { payload } : {}),
  });
  answers.push(`${JSON.stringify(answer.headers)} ${answer.payload}`);
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}

/** Every row of every table, those of the queue included, as text. */
async function dump({ kysely: db }: Database): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(db);
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.id(schema, name)} t`.execute(db);
    texts.push(`${name}: ${rows.map(({ row }) => row).join('\n')}`);
  }
  return texts.join('\n');
}

describe('secrets', () => {
  it('stand nowhere in plain: not in the database, not in what is logged, not in an answer', async () => {
    const userId = `user-${randomUUID()}`;
    const jwt = await signIdentityToken(join(folder, 'identity-key.json'), { userId, issuer: config.http.baseUrl }, 600);
    const { token: session = '' } = (await call('POST', '/auth/session', jwt)).body;
    answers.length = 0;
    const planted = { llm_a_key: `sk-ant-${randomUUID()}`, llm_b_key: `sk-${randomUUID()}`, codehost_pat: `ghp_${randomUUID()}` };
    const ok = async (...[method, url, token, body]: Parameters<typeof call>) => {
      const answer = await call(method, url, token, body);
      expect(answer.status, `${method} ${url}`).toBeLessThan(300);
      return answer.body;
    };
    await ok('PATCH', '/profile', session, planted);
    // Refused ones are not repeated either.
    const refused = `sk-refused ${randomUUID()}`;
    expect((await call('PATCH', '/profile', session, { llm_a_key: refused })).status).toBe(422);
    const { token: mcp = '' } = await ok('POST', '/profile/mcp-tokens', session, { name: 'Editor' });
    answers.length = 0;
    const phone = '+14155550177';
    twilio.faults.push('lost');
    await ok('POST', '/profile/phone', session, { phone });
    const code = twilio.sent.at(-1)?.body.slice(0, 6) ?? '';
    expect(code).toMatch(/^\d{6}$/);
    const undelivered = await call('POST', '/profile/phone', session, { phone });
    expect(undelivered.status).toBe(429);
    await ok('POST', '/profile/phone/verify', session, { phone, code });
    for (const path of ['/profile', '/auth/bootstrap', '/profile/mcp-tokens']) await ok('GET', path, session);
    await ok('POST', '/admin/secrets/rotate', ADMIN_SECRET, {});
    await ok('GET', '/admin/outbox', ADMIN_SECRET);
    await service.server.fastify.inject({ method: 'GET', url: '/metrics' }).then(({ payload }) => answers.push(payload));

    const places = { database: await dump(database), log: logged.join(''), answers: answers.join('\n') };
    expect(places.log).toContain('/profile');
    expect(places.database).toContain(userId);
    const secret = { ...planted, refused, mcp: mcp.slice(4), session, jwt, 'auth token': sms.authToken, admin: ADMIN_SECRET };
    for (const [where, text] of Object.entries(places)) {
      for (const [name, value] of Object.entries(secret)) {
        expect(value.length).toBeGreaterThan(15);
        expect(text.includes(value), `${name} in ${where}`).toBe(false);
      }
      // Six digits may stand in a number by chance, but not at the beginning of a text.
      expect(text, `the code in ${where}`).not.toMatch(new RegExp(`"${code}["\\s\\\\]`));
    }
  });
});
