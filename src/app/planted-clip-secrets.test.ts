import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from '#platform/config/config.ts';
import { openLog } from '#platform/observability/log.ts';
import { emptyTestDatabase } from '#testing/app.ts';
import { openPayloadServer } from '#testing/payload-server.ts';
import { openS3Server } from '#testing/s3-server.ts';
import { waveForm } from '#testing/wave-form.ts';
import { startService } from './service.ts';

const folder = mkdtempSync(join(tmpdir(), 'groundwork-planted-'));
const [payload, s3] = [await openPayloadServer(), await openS3Server()];
const { database, drop } = await emptyTestDatabase();
const logged: string[] = [];
const ADMIN_SECRET = `admin-${randomUUID()}`;
const config = loadConfig({
  DATA_DIR: folder,
  PORT: '0',
  LOG_LEVEL: 'trace',
  ADMIN_SECRET,
  CONTENT_BASE_URL: payload.service.baseUrl,
  CONTENT_API_KEY: payload.service.apiKey,
  BLOBS_ENDPOINT: s3.service.endpoint,
  BLOBS_BUCKET: s3.service.bucket,
  BLOBS_REGION: s3.service.region,
  BLOBS_ACCESS_KEY_ID: s3.service.accessKeyId,
  BLOBS_SECRET_ACCESS_KEY: s3.service.secretAccessKey,
});
const sink = new Writable({ write: (chunk, _encoding, done) => (logged.push(String(chunk)), done()) });
const service = await startService(config, openLog('trace', sink), { database });
const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => {
  await service.stop(0);
  await database.close();
  await drop();
  for (const server of [payload, s3]) await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const answers: string[] = [];
async function call(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const isForm = body instanceof FormData;
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      authorization: path.startsWith('/admin') ? `Bearer ${ADMIN_SECRET}` : '',
      ...(isForm || !body ? {} : { 'content-type': 'application/json' }),
    },
    ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  answers.push(JSON.stringify([...answer.headers]), text);
  return { status: answer.status, text };
}

/** Every row of every table, those of the queue included, as text. */
async function dump(): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`.execute(database.kysely);
  const texts = tables.map(async ({ schema, name }) => {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.id(schema, name)} t`.execute(database.kysely);
    return rows.map(({ row }) => row).join('\n');
  });
  return (await Promise.all(texts)).join('\n');
}

describe('the keys of the content system and of the bucket', () => {
  it('stand nowhere but in the settings, whatever goes right or wrong', async () => {
    const kept = await call('POST', '/admin/recordings', waveForm(500));
    expect(kept.status, kept.text).toBe(201);
    const { key } = JSON.parse(kept.text) as { key: string };
    const blocks = [{ blockType: 'sessionReplay', audio_key: key }, { blockType: 'voteClip' }, { blockType: 'roast_clip' }];
    expect((await call('PUT', '/admin/clips/a-page', { title: 'A page', blocks })).status).toBe(200);
    const playable = await call('GET', '/clip/a-page/playable');
    const { sessions, signed_urls_wired: isSigned } = JSON.parse(playable.text) as { sessions: { audio_url: string }[]; signed_urls_wired: boolean };
    expect(isSigned).toBe(true);
    expect((await fetch(sessions[0]?.audio_url ?? '')).headers.get('content-type')).toBe('audio/wav');
    const page = await call('GET', '/clip/a-page');
    expect(page.status).toBe(200);
    expect(answers.join()).toContain(`media-src 'self' ${s3.service.endpoint};`);
    expect((await call('GET', '/clip/a-page/audio/0')).status).toBe(302);
    expect((await call('POST', '/clip/a-page/roast', waveForm(600))).status).toBe(200);
    for (const fault of [500, 'garbage', 'another shape', 'lost'] as const) {
      payload.faults = [fault];
      expect((await call('GET', '/clip/a-page')).status).toBe(502);
    }
    s3.faults.push(403);
    expect((await call('POST', '/clip/a-page/roast', waveForm(600))).status).toBe(502);
    await s3[Symbol.asyncDispose]();
    expect((await call('POST', '/clip/a-page/roast', waveForm(600))).status).toBe(502);
    await call('GET', '/metrics');

    const places = { database: await dump(), log: logged.join(''), answers: answers.join('\n') };
    expect(places.log).toMatch(/the content store failed[^]*a roast was not kept/);
    expect(places.database).toContain('roasts/');
    for (const [where, text] of Object.entries(places)) {
      for (const secret of [payload.service.apiKey, s3.service.secretAccessKey, ADMIN_SECRET])
        expect(text.includes(secret), `${secret} in ${where}`).toBe(false);
    }
  });
});
