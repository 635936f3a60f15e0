import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir, runningService } from './data-dir-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'groundwork-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOBODY = 2 ** 22 + 1;
const holder = () => JSON.parse(readFileSync(join(folder, 'service.json'), 'utf8')) as { pid: number; url: string | null };
const heldBy = (pid: number, url: string | null = null) => writeFileSync(join(folder, 'service.json'), JSON.stringify({ pid, url }));

describe('a data folder', () => {
  it('is claimed by this process, announced and let go', () => {
    const lock = lockDataDir(folder);
    expect(holder()).toEqual({ pid: process.pid, url: null });
    expect(runningService(folder)).toBeNull();
    lock.announce('http://127.0.0.1:1');
    expect(runningService(folder)).toBe('http://127.0.0.1:1');
    lock.release();
    expect(runningService(folder)).toBeNull();
    lockDataDir(folder).release();
  });

  it('is refused while another process has it, and says which', () => {
    heldBy(process.ppid, 'http://127.0.0.1:2');
    expect(() => lockDataDir(folder)).toThrow(`in use by process ${process.ppid} at http://127.0.0.1:2`);
    expect(holder().pid).toBe(process.ppid);
  });

  it('is taken over from a process that is gone', () => {
    heldBy(NOBODY, 'http://127.0.0.1:3');
    expect(runningService(folder)).toBeNull();
    lockDataDir(folder);
    expect(holder().pid).toBe(process.pid);
  });

  it('is taken over when the claim cannot be read', () => {
    writeFileSync(join(folder, 'service.json'), '{"pid":');
    expect(runningService(folder)).toBeNull();
    lockDataDir(folder);
    expect(holder().pid).toBe(process.pid);
  });

  it('is made where there is none', () => {
    lockDataDir(join(folder, 'a', 'b')).release();
  });

  it('is not let go on behalf of another', () => {
    const lock = lockDataDir(folder);
    heldBy(process.ppid);
    lock.release();
    expect(holder().pid).toBe(process.ppid);
  });
});
