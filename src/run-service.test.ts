import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockDataDir } from './platform/db/data-dir-lock.ts';

const ENTRY = join(import.meta.dirname, 'main.mjs');
const SECRET = 'open-sesame';

const scratch = mkdtempSync(join(tmpdir(), 'groundwork-start-'));
/** Answers whatever it is sent as PostgreSQL answers a wrong password. */
let refusing: Server;
/** A port that nobody listens on. */
let closed: number;
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

beforeAll(async () => {
  refusing = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.end(refusal('28P01', `password authentication failed for user "ada"`))),
  );
  const probe = createServer();
  for (const server of [refusing, probe]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  closed = portOf(probe);
  probe.close();
});
afterAll(() => {
  refusing.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** An ErrorResponse: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function refusal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

/** Starts the service and gives how it ended and its last line, which says why. */
async function failedStart(env: Record<string, string>): Promise<{ code: number; last: string; all: string }> {
  const child = spawn(process.execPath, [ENTRY], { env: { LOG_LEVEL: 'info', PORT: '0', ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
  let all = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (all += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, last: all.trimEnd().split('\n').at(-1) ?? '', all };
}

describe('a start that cannot succeed ends with one sentence and code 1', () => {
  it('when its port is taken, and leaves the data folder free', async () => {
    const dir = join(scratch, 'port');
    const port = portOf(refusing);
    const { code, last } = await failedStart({ DATA_DIR: dir, PORT: String(port) });
    expect({ code, last }).toEqual({
      code: 1,
      last: `Groundwork cannot start: PORT ${port} is in use at 127.0.0.1: end what listens there, or let PORT name another one.`,
    });
    expect(existsSync(join(dir, 'service.json'))).toBe(false);
    (await lockDataDir(dir, { patienceMs: 0 })).release();
    expect([dir, ...readdirSync(dir).map((name) => join(dir, name))].filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
  });

  it('when its data folder is in use, naming folder, process and address', async () => {
    const dir = join(scratch, 'taken');
    mkdirSync(dir);
    const lock = await lockDataDir(dir);
    lock.announce('http://127.0.0.1:4711');
    const { code, last, all } = await failedStart({ DATA_DIR: dir });
    lock.release();
    expect({ code, last }).toEqual({ code: 1, last: `Groundwork cannot start: ${dir} is in use by process ${process.pid} at http://127.0.0.1:4711` });
    expect(all).toContain('waiting for the data folder');
  });

  it.each([
    ['an address of another machine', () => ({ HOST: '192.0.2.7' }), /HOST 192\.0\.2\.7 is no address of this machine: .+\.$/],
    [
      'no database',
      () => ({ DATABASE_URL: `postgres://ada:${SECRET}@localhost:${closed}/x` }),
      /DATABASE_URL names localhost:\d+, where nothing listens\.$/,
    ],
    [
      'no host of the database',
      () => ({ DATABASE_URL: `postgres://ada:${SECRET}@nobody.invalid/x` }),
      /DATABASE_URL names nobody\.invalid:5432, and no address is known for that host\.$/,
    ],
    [
      'a wrong password',
      () => ({ DATABASE_URL: `postgres://ada:${SECRET}@127.0.0.1:${portOf(refusing)}/x` }),
      /DATABASE_URL is refused by 127\.0\.0\.1:\d+: password authentication failed for user "ada"\.$/,
    ],
    [
      'a password that is no part of a URL',
      () => ({ DATABASE_URL: `postgres://ada:${SECRET}/#@127.0.0.1/x` }),
      /DATABASE_URL cannot be read: .+%XX\.$/,
    ],
    ['no Redis', () => ({ REDIS_URL: `redis://:${SECRET}@127.0.0.1:${closed}` }), /REDIS_URL names 127\.0\.0\.1:\d+, where nothing listens\.$/],
    [
      'something else than Redis',
      () => ({ REDIS_URL: `redis://:${SECRET}@127.0.0.1:${portOf(refusing)}` }),
      /REDIS_URL (names|is refused by) 127\.0\.0\.1:\d+.+\.$/,
    ],
    [
      'no address of a model',
      () => ({ LLM_B_BASE_URL: `ada:${SECRET}@host?key=${SECRET}`, LLM_B_MODEL: 'x' }),
      /LLM_B_BASE_URL must be an http or https URL; it is "…@host\?…"\.$/,
    ],
  ])('when there is %s', async (_what, env, sentence) => {
    const { code, last, all } = await failedStart({ DATA_DIR: join(scratch, 'any'), ...env() });
    expect(last).toMatch(sentence);
    expect(last).toMatch(/^Groundwork cannot start: /);
    expect(code).toBe(1);
    expect(all).not.toContain(SECRET);
  });

  it('when its data folder cannot be one', async () => {
    const file = join(scratch, 'file');
    writeFileSync(file, '');
    expect(await failedStart({ DATA_DIR: file })).toMatchObject({
      code: 1,
      last: `Groundwork cannot start: DATA_DIR ${file} cannot be written: a file is in its place.`,
    });
  });
});
