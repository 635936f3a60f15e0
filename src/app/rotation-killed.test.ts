import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it, type TestContext } from 'vitest';
import { readModelKeys } from '#features/profile';
import { loadConfig } from '#platform/config/config.ts';
import { openLog } from '#platform/observability/log.ts';
import { startService } from './service.ts';

const MAIN = join(import.meta.dirname, '../main.mjs');
const ADMIN_SECRET = randomUUID();
const PROFILES = 1500;

type Step = { new_key: boolean; columns: { resealed: number; unreadable: number }[]; next: string | null };

/** Does something on the installation in this process. */
async function within<T>(folder: string, work: (ctx: Awaited<ReturnType<typeof startService>>['ctx']) => Promise<T>): Promise<T> {
  const service = await startService(loadConfig({ DATA_DIR: folder, PORT: '0', ROLES: 'api' }), openLog('silent'));
  try {
    return await work(service.ctx);
  } finally {
    await service.stop(0);
  }
}

const sealedProfiles = (folder: string) =>
  within(folder, async ({ db, secrets }) => {
    const rows = Array.from({ length: PROFILES }, (_each, n) => ({ user_id: `u${n}`, sealed: secrets.seal(`sk-${n}`, `profile u${n} llm_a`) }));
    await sql`
      insert into profiles (user_id, llm_a_key_sealed)
      select user_id, sealed from json_to_recordset(${JSON.stringify(rows)}::json) as t (user_id text, sealed text)`.execute(db);
  });

/** A process on the installation; `kill` ends it as a power cut would. */
async function live(folder: string, finallyDo: TestContext['onTestFinished']) {
  const child = spawn(process.execPath, [MAIN], {
    env: { DATA_DIR: folder, PORT: '0', ROLES: 'api', LOG_LEVEL: 'info', ADMIN_SECRET },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  finallyDo(kill);
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      lines.push(line);
      if (line.includes('Groundwork is up')) resolve(/"url":"([^"]+)"/.exec(line)?.[1] ?? '');
    });
    child.once('exit', () => reject(new Error(lines.join('\n'))));
  });
  return {
    rotate: async (cursor?: string): Promise<Step> => {
      const answer = await fetch(`${url}/admin/secrets/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ADMIN_SECRET}`, 'content-type': 'application/json' },
        body: JSON.stringify(cursor === undefined ? {} : { cursor }),
      });
      expect(answer.status).toBe(200);
      return (await answer.json()) as Step;
    },
    kill,
  };
}

it('a rotation of keys that is killed wherever it stands goes on, and no secret is lost', { timeout: 240_000 }, async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'groundwork-killed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await sealedProfiles(folder);
  const keyLines = () => readFileSync(join(folder, 'secrets-key'), 'utf8').trim().split('\n');
  const [first = ''] = keyLines();

  const begun = await live(folder, onTestFinished);
  const cut = begun.rotate().catch(() => null);
  while (keyLines()[0] === first) await wait(1);
  await begun.kill();
  await cut;
  const [second] = keyLines();

  const further = await live(folder, onTestFinished);
  const { next } = await further.rotate();
  if (next !== null) {
    const cutAgain = further.rotate(next).catch(() => null);
    await wait(20);
    await further.kill();
    await cutAgain;
  }

  const last = await live(folder, onTestFinished);
  const steps: Step[] = [];
  for (let cursor: string | null | undefined; cursor !== null; cursor = steps.at(-1)?.next ?? null) steps.push(await last.rotate(cursor));
  await last.kill();
  expect(steps.flatMap(({ columns }) => columns).filter(({ unreadable }) => unreadable > 0)).toEqual([]);
  // What was cut goes on under the key that it made.
  if (!steps[0]?.new_key) expect(keyLines()[0]).toBe(second);
  await within(folder, async ({ db, secrets }) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from profiles where starts_with(llm_a_key_sealed, ${secrets.keys().prefix})`.execute(db);
    expect(rows[0]?.count).toBe(PROFILES);
    for (let n = 0; n < PROFILES; n += 1) expect((await readModelKeys(db, secrets, `u${n}`)).llm_a).toBe(`sk-${n}`);
  });
});
