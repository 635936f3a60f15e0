import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { DataDirInUse, lockDataDir, runningService } from './data-dir-lock.ts';

let folder: string;
const others: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundwork-lock-'));
});
afterEach(async () => {
  for (const other of others.splice(0)) await end(other);
  rmSync(folder, { recursive: true, force: true });
});

const URL_OF_HOLDER = 'http://127.0.0.1:2';
const MODULE = join(import.meta.dirname, 'data-dir-lock.ts');
const holder = () => JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as { pid: number; host: string; url: string | null };

/** Another process that has the folder and has announced itself. */
async function otherHolder(): Promise<ChildProcess> {
  const text = `const { lockDataDir } = await import(${JSON.stringify(MODULE)});
    (await lockDataDir(${JSON.stringify(folder)})).announce(${JSON.stringify(URL_OF_HOLDER)});
    process.stdout.write('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  others.push(child);
  if (child.stdout) await once(child.stdout, 'data');
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('a data folder', () => {
  it('is claimed by this process, announced and let go', async () => {
    const lock = await lockDataDir(folder);
    expect(holder()).toEqual({ pid: process.pid, host: hostname(), url: null });
    expect(runningService(folder)).toBeNull();
    lock.announce('http://127.0.0.1:1');
    expect(runningService(folder)).toBe('http://127.0.0.1:1');
    lock.release();
    lock.release();
    expect(runningService(folder)).toBeNull();
    expect(readdirSync(folder)).toEqual(['service.lock']);
    (await lockDataDir(folder)).release();
  });

  it('is refused while another process has it, and says which; whoever waits is told', async () => {
    const other = await otherHolder();
    const waiting = vi.fn();
    const refused = await lockDataDir(folder, { waiting, patienceMs: 300 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DataDirInUse);
    expect((refused as Error).message).toBe(`${folder} is in use by process ${other.pid} at ${URL_OF_HOLDER}`);
    expect(waiting.mock.calls).toEqual([[`process ${other.pid} at ${URL_OF_HOLDER}`]]);
    expect(runningService(folder)).toBe(URL_OF_HOLDER);
  });

  it('is had as soon as the process that has it ends, however it ends', async () => {
    const other = await otherHolder();
    const waited = lockDataDir(folder, { waiting: () => void end(other) });
    const lock = await waited;
    expect(other.signalCode).toBe('SIGKILL');
    expect(holder().pid).toBe(process.pid);
    lock.release();
  });

  it('is free when its holder is gone, whoever has that number now', async () => {
    writeFileSync(join(folder, 'service.json'), JSON.stringify({ pid: process.ppid, host: hostname(), url: URL_OF_HOLDER }));
    expect(runningService(folder)).toBeNull();
    expect(existsSync(join(folder, 'service.lock'))).toBe(false);
    (await lockDataDir(folder, { waiting: () => expect.unreachable() })).release();
  });

  it('is taken although an unknown number has it: that of a process in another container', async () => {
    await otherHolder();
    writeFileSync(join(folder, 'service.json'), JSON.stringify({ pid: 2 ** 22 + 1, host: 'elsewhere', url: URL_OF_HOLDER }));
    expect(runningService(folder)).toBe(URL_OF_HOLDER);
    await expect(lockDataDir(folder, { patienceMs: 300 })).rejects.toThrow(`is in use by process ${2 ** 22 + 1} on elsewhere at ${URL_OF_HOLDER}`);
  });

  it('keeps its lock while others look', async () => {
    const lock = await lockDataDir(folder);
    lock.announce(URL_OF_HOLDER);
    for (let look = 0; look < 3; look += 1) expect(runningService(folder)).toBe(URL_OF_HOLDER);
    const text = `const { runningService } = await import(${JSON.stringify(MODULE)}); process.stdout.write(String(runningService(${JSON.stringify(folder)})));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
    others.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    expect(said.toString()).toBe(URL_OF_HOLDER);
    lock.release();
  });

  it('says so when nobody can tell who has it', async () => {
    const other = await otherHolder();
    writeFileSync(join(folder, 'service.json'), '{"pid":');
    await expect(lockDataDir(folder, { patienceMs: 300 })).rejects.toThrow(/is in use by another process$/);
    await end(other);
    expect(runningService(folder)).toBeNull();
  });

  it('is refused with a sentence when its lock file is no lock file', async () => {
    writeFileSync(join(folder, 'service.lock'), 'not a database, but long enough to be looked at as one'.repeat(20));
    const refused = await lockDataDir(folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect((refused as Error).message).toMatch(/^DATA_DIR \S+ cannot be locked with \S+: .+\.$/);
  });

  it('holds private files alone', async () => {
    const lock = await lockDataDir(folder);
    expect(statSync(join(folder, 'service.json')).mode & 0o077).toBe(0);
    lock.release();
  });
});
