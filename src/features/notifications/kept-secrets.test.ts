import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openVapidKeys } from '#features/push';
import { loadConfig } from '#platform/config/config.ts';
import type { Db } from '#platform/db/database.ts';
import { openLog } from '#platform/observability/log.ts';
import { emptyTestDatabase } from '#testing/app.ts';
import { openBrowser } from '#testing/browser.ts';
import { isIdle } from '#testing/factories.ts';
import { openPushServer } from '#testing/push-server.ts';
import { startService } from '../../app/service.ts';

/** Every row of every table, those of the job queue included, as text. */
async function dump(db: Db): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`.execute(db);
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql.raw<{ row: string }>(`select to_json(t)::text as row from ${name} t`).execute(db);
    parts.push(name, ...rows.map(({ row }) => row));
  }
  return parts.join('\n');
}

it('slugs, private keys and the keys of browsers stand in no table and no log', { timeout: 120_000 }, async () => {
  await using phones = await openPushServer();
  const dataDir = mkdtempSync(join(tmpdir(), 'groundwork-secrets-'));
  const { database, drop } = await emptyTestDatabase();
  const lines: string[] = [];
  const output = new PassThrough().on('data', (chunk: Buffer) => lines.push(chunk.toString('utf8')));
  const publishSecret = 'planted-publish-secret';
  const config = loadConfig({
    ...phones.env,
    PORT: '0',
    DATA_DIR: dataDir,
    FETCH_ALLOW: '127.0.0.1',
    TOAST_PUBLISH_SECRET: publishSecret,
    LOG_LEVEL: 'trace',
  });
  const service = await startService(config, openLog('trace', output), { database });
  const { ctx, server } = service;
  const call = async (method: 'GET' | 'POST', url: string, token: string, payload?: object | string, type = 'application/json') => {
    const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(payload === undefined ? {} : { 'content-type': type }) };
    const answer = await server.fastify.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    return answer.headers['content-type']?.toString().startsWith('application/json') ? answer.json<Record<string, unknown>>() : {};
  };

  const token = String((await call('POST', '/auth/anonymous', '', { device_id: 'a-device' }))['token']);
  const { keys } = openBrowser();
  await call('POST', '/push-tokens', token, { web_push: { endpoint: 'http://127.0.0.1:9/subscription', keys } });
  await call('POST', '/push-tokens', token, { device_token: 'planted-device-token' });
  const slugs: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const slug = String((await call('GET', '/v1/notify/me', token))['slug']);
    slugs.push(slug);
    for (const text of ['one', 'two', 'three', 'four', 'x'.repeat(2000), '']) await call('POST', `/v1/${slug}`, '', text, 'text/plain');
    await call('POST', `/v1/${slug}`, '', {});
  }
  await call('POST', `/v1/${slugs[0] ?? ''}`, '', 'void', 'text/plain');
  await call('POST', '/v1/toasts/publish', publishSecret, { user_id: 'somebody', topic: 'news', toast: { title: 'Hello' } });
  await expect.poll(() => phones.pushes.length, { timeout: 60_000 }).toBe(6);
  await expect.poll(() => isIdle(ctx), { timeout: 60_000 }).toBe(true);

  const vapid = await openVapidKeys(ctx, undefined)();
  const secrets = {
    ...Object.fromEntries(slugs.map((slug, place) => [`slug ${place}`, slug])),
    'push key': String(phones.env['PUSH_KEY']).split('\n')[1] ?? '',
    'provider token': phones.pushes[0]?.bearer ?? '',
    'vapid key': String(vapid.privateKey.export({ format: 'jwk' }).d),
    'browser secret': keys.auth,
    'publish secret': publishSecret,
  };
  const tables = await dump(ctx.db);
  await service.stop(0);
  const logs = lines.join('');
  // The dump and the log are those of this service.
  expect([tables.includes('planted-device-token'), logs.includes('/v1/:slug')]).toEqual([true, true]);
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(15);
    expect([name, tables.includes(secret), logs.includes(secret)]).toEqual([name, false, false]);
  }
  await database.close();
  await drop();
  rmSync(dataDir, { recursive: true, force: true });
});
