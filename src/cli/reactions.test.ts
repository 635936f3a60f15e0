import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { runGroundwork, type Ended } from '../../tests/cli/run-groundwork.ts';
import { settleReaction } from '#platform/domain-events/domain-event-store.ts';
import { startTestApp } from '#testing/app.ts';

const SECRET = randomUUID();
const REACTION = 'research.failed/products';
const app = await startTestApp({ env: { ADMIN_SECRET: SECRET, ROLES: 'api' } });
const closed = await startTestApp({ env: { ROLES: 'api' } });
const { db } = app.ctx;
const folder = mkdtempSync(join(tmpdir(), 'groundwork-reactions-'));
afterAll(async () => {
  await Promise.all([app.dispose(), closed.dispose()]);
  rmSync(folder, { recursive: true, force: true });
});

const groundwork = (args: string[], env: Record<string, string> = { ADMIN_SECRET: SECRET }): Promise<Ended> =>
  runGroundwork(args, { folder, env: { GROUNDWORK_URL: app.url, DATA_DIR: folder, ...env } });

async function newGivenUp(): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into domain_events (id, name, version, payload, actor) values (${id}, 'research.failed', 1, '{}', '{"kind":"system","userId":null}')`.execute(
    db,
  );
  await settleReaction(db, id, REACTION, 'gave_up', 'the database\n\u001b[31mwas away');
  return id;
}

describe('groundwork reactions', () => {
  it('lists what gave up, runs it again, and status counts it', async () => {
    expect(await groundwork(['reactions'])).toEqual({ code: 0, stdout: 'No reaction has given up.\n', stderr: '' });
    const first = await newGivenUp();
    await sql`update reaction_outcomes set ended_at = ended_at - interval '1 minute'`.execute(db);
    const second = await newGivenUp();
    expect((await groundwork(['status'])).stdout).toContain('Reactions 2 gave up: "groundwork reactions" lists them\n');
    expect((await groundwork(['status'], {})).stdout).not.toContain('Reactions');
    const { stdout } = await groundwork(['reactions']);
    expect(stdout).toMatch(new RegExp(`^\\S+Z  ${second}  ${REACTION}\\n  the database was away\\n\\S+Z  ${first}  `));
    expect(JSON.parse((await groundwork(['reactions', '--json'])).stdout)).toMatchObject([{ event_id: second }, { event_id: first }]);
    expect(await groundwork(['reactions', 'run', first, REACTION])).toEqual({ code: 0, stdout: '', stderr: 'One reaction runs again.\n' });
    expect(await groundwork(['reactions', 'run', first, REACTION])).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') });
    expect((await groundwork(['reactions', 'run', '--all'])).code).toBe(0);
    const { rows } = await sql`select data from jobs.job where name = 'reaction.run' order by created_on`.execute(db);
    expect(rows).toEqual([first, second].map((eventId) => ({ data: { eventId, reaction: REACTION } })));
    expect((await groundwork(['reactions', 'run', '--all'])).stderr).toContain('No reaction has given up that this service knows.');
  });

  it.each([
    ['without the secret', {}, 'This needs ADMIN_SECRET'],
    ['with another one', { ADMIN_SECRET: 'x'.repeat(16) }, 'The service has another ADMIN_SECRET.'],
    ['at a service without one', { ADMIN_SECRET: SECRET, GROUNDWORK_URL: closed.url }, 'The service runs without ADMIN_SECRET'],
    ['with one that is too short', { ADMIN_SECRET: 'short' }, 'ADMIN_SECRET must be at least 16 characters'],
  ] as const)('says what is wrong %s', async (_name, env, sentence) => {
    const { code, stdout, stderr } = await groundwork(['reactions'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  it.each([[['run']], [['run', 'x']], [['run', 'x', 'y', '--all']], [['walk']], [['--all']], [['run', '--all', '--json']]])(
    'refuses %j with exit code 2',
    async (args) => {
      expect((await groundwork(['reactions', ...args])).code).toBe(2);
    },
  );
});
